import { changesOf, type Event as EventRow, findEvents } from '../../../domain/events/event.ts';
import { builder } from '../kernel/builder.ts';
import { findNode, Node, nodeType } from '../kernel/node.ts';
import { author, toAuthor, User } from '../users/type.ts';
import { applicationOf, EventApplication } from './application.ts';

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

const EventChange = builder
  .objectRef<{ member: string; before: unknown; after: unknown }>('EventChange')
  .implement({
    description: 'A member that an event changed.',
    fields: (t) => ({
      member: t.exposeString('member', { description: 'Its name.' }),
      before: t.string({
        nullable: true,
        description: 'Its value before, as JSON; null if it had none.',
        resolve: ({ before }) => json(before),
      }),
      after: t.string({
        nullable: true,
        description: 'Its value after, as JSON; null if it has none.',
        resolve: ({ after }) => json(after),
      }),
    }),
  });

export const Event = builder.objectRef<EventRow>('Event');

Event.implement({
  scope: 'events:read',
  description:
    'A change of an object. Events are appended and never changed; only their content can be removed, by `redactEvents`.',
  interfaces: [Node],
  fields: (t) => ({
    sequence: t.expose('sequence', {
      type: 'BigInt',
      description: 'Its number among the events of the organization, from 1 and without gaps.',
    }),
    organizationId: t.exposeID('organizationId', { description: 'The organization it belongs to.' }),
    projectId: t.exposeID('projectId', {
      nullable: true,
      description: 'The project it belongs to; null for an event of the organization.',
    }),
    subjectId: t.exposeID('subjectId', { description: 'The id of the object that changed.' }),
    subject: t.field({
      type: Node,
      nullable: true,
      description:
        'The object that changed, in its current state; null if it was deleted or is not visible to you.',
      resolve: ({ subjectId }, _, ctx) => findNode(ctx, subjectId),
    }),
    kind: t.exposeString('kind', { description: 'Noun and verb, such as `task.completed`.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it happened.' }),
    createdBy: t.field({
      type: User,
      nullable: true,
      description: 'The user who caused it; null if the server did.',
      extensions: toAuthor('actor_id'),
      resolve: ({ actorId }, _, ctx) => (actorId ? author(ctx, actorId) : null),
    }),
    application: t.field({
      type: EventApplication,
      nullable: true,
      description: 'The application that acted on their behalf; null if they acted themselves.',
      resolve: (event, _, ctx) => applicationOf(event, ctx),
    }),
    via: t.string({
      nullable: true,
      description:
        'What acted on their behalf: `mcp` for an agent, `bulk` for a bulk operation; null for the APIs.',
      resolve: ({ via }) => via?.split(':')[0] ?? null,
    }),
    tool: t.string({
      nullable: true,
      description:
        'The tool that the agent called, such as `tasks.create`, or the id of the bulk operation; null if it was none.',
      resolve: ({ via }) => via?.split(':')[1] ?? null,
    }),
    text: t.string({
      nullable: true,
      description: 'The text of a comment; null for other events, and once it is redacted.',
      resolve: ({ data }) => data.text ?? null,
    }),
    changes: t.field({
      type: [EventChange],
      description: 'The members that it changed.',
      resolve: changesOf,
    }),
    redaction: t.field({
      type: Event,
      nullable: true,
      description:
        'The event `event.redacted` that removed its content, and whose changes have the reason; null if it was not redacted.',
      resolve: ({ redactedById }, _, { load }) => (redactedById ? load.one(findEvents, redactedById) : null),
    }),
  }),
});

nodeType('Event', ({ load }, id) => load.one(findEvents, id));
