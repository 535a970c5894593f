import { changesOf, type Event as EventRow } from '../../../domain/events/event.ts';
import { builder } from '../kernel/builder.ts';
import { findNode, Node } from '../kernel/node.ts';
import { author, toAuthor, User } from '../users/type.ts';
import { applicationOf, EventApplication } from './application.ts';

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

const EventChange = builder
  .objectRef<{ member: string; before: unknown; after: unknown }>('EventChange')
  .implement({
    description: 'One member that an event changed.',
    fields: (t) => ({
      member: t.exposeString('member', { description: 'Its name.' }),
      before: t.string({
        nullable: true,
        description: 'Its value before, as JSON; null when it had none.',
        resolve: ({ before }) => json(before),
      }),
      after: t.string({
        nullable: true,
        description: 'Its value afterwards, as JSON; null when it has none.',
        resolve: ({ after }) => json(after),
      }),
    }),
  });

export const Event = builder.objectRef<EventRow>('Event').implement({
  description: 'Something that happened. Events are only ever appended.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id; the event of a comment has the id of the Comment.' }),
    sequence: t.expose('sequence', {
      type: 'BigInt',
      description: 'Its number among the events of the organization: they are counted from 1, without gaps.',
    }),
    organizationId: t.exposeID('organizationId', { description: 'The organization it happened in.' }),
    projectId: t.exposeID('projectId', {
      nullable: true,
      description: 'The project it happened in; null for what concerns the organization.',
    }),
    subjectId: t.exposeID('subjectId', { description: 'The id of what it happened to.' }),
    subject: t.field({
      type: Node,
      nullable: true,
      description: 'What it happened to, as it now is; null when it is gone, or not visible to you.',
      resolve: ({ subjectId }, _, ctx) => findNode(ctx, subjectId),
    }),
    kind: t.exposeString('kind', { description: 'Noun and verb, such as `task.completed`.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it happened.' }),
    createdBy: t.field({
      type: User,
      nullable: true,
      description: 'Who did it; null for what happens by itself.',
      extensions: toAuthor('actor_id'),
      resolve: ({ actorId }, _, ctx) => (actorId ? author(ctx, actorId) : null),
    }),
    application: t.field({
      type: EventApplication,
      nullable: true,
      description: 'The application that did it for them; null where they did it themselves.',
      resolve: (event, _, ctx) => applicationOf(event, ctx),
    }),
    text: t.string({
      nullable: true,
      description: 'The text, if it is a comment.',
      resolve: ({ data }) => data.text ?? null,
    }),
    changes: t.field({ type: [EventChange], description: 'What it changed.', resolve: changesOf }),
  }),
});
