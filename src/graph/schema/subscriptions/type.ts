import { followEvents } from '../../../domain/events/event-follow.ts';
import { followTexts } from '../../../domain/file-text/document-text-follow.ts';
import { badValue } from '../../../domain/kernel/errors.ts';
import type { Follower } from '../../../domain/kernel/follower.ts';
import { followNotifications } from '../../../domain/notifications/notification-follow.ts';
import type { GraphContext } from '../../engine/context.ts';
import type { SourceEvent, SourcePosition } from '../../operations/subscribe.ts';
import { Document } from '../documents/type.ts';
import { KINDS } from '../events/feed.ts';
import { Event } from '../events/type.ts';
import { builder } from '../kernel/builder.ts';
import { Notification } from '../notifications/type.ts';

builder.subscriptionType({
  description:
    'Notifications of events as they happen, as server-sent events (accept: text/event-stream). They need the scope `read`, or those of what they select.',
});

/** The subscriber, whose rights can be read again. */
function follower({ renew, signal }: GraphContext): Follower {
  if (!renew || !signal) throw new Error('a subscription needs a context with `renew` and `signal`');
  return { renew, signal };
}

type Followed = Parameters<typeof followEvents>[1];

const AT = 'last-event-id';

/** The sequence that the header names; undefined without the header. Throws BAD_USER_INPUT. */
function positionIn({ lastEventId }: GraphContext): bigint | undefined {
  if (lastEventId === undefined) return undefined;
  if (/^\d{1,18}$/.test(lastEventId)) return BigInt(lastEventId);
  throw badValue(AT, 'is not a position of this feed');
}

/**
 * The position, and each event with the subscriber's rights at that moment. Resolves when none of what happens from then on
 * is missed.
 */
async function eventOccasions(
  ctx: GraphContext,
  input: Followed,
): Promise<AsyncGenerator<SourceEvent | SourcePosition>> {
  const after = positionIn(ctx) ?? input.after;
  return sourceEvents(await followEvents(follower(ctx), { ...input, after }));
}

/** The position comes first: else a connection that breaks before its first event could not be resumed. */
async function* sourceEvents({
  position,
  events,
}: Awaited<ReturnType<typeof followEvents>>): AsyncGenerator<SourceEvent | SourcePosition> {
  yield { position: String(position) };
  for await (const { ctx, event } of events) yield { ctx, value: event, id: String(event.sequence) };
}

builder.subscriptionField('eventAppended', (t) =>
  t.field({
    type: Event,
    description:
      'Events of what you may see, each as soon as it is there. It ends with an error when your credential or your part ' +
      'in the organization ends. After a break, go on with the sequence of the last event that you have read: none is ' +
      'lost, and none comes twice. The header last-event-id does the same; the answer begins with the id of its position. ' +
      'BAD_USER_INPUT for what is no sequence of the organization, as that of another one.',
    args: {
      organizationId: t.arg.id({ required: true, description: 'Of which organization.' }),
      projectId: t.arg.id({ description: 'Only events of this project.' }),
      kinds: t.arg.stringList({ description: KINDS }),
      after: t.arg({
        type: 'BigInt',
        description:
          'The sequence after which to begin, 0 for the first; with what happens from now on if omitted.',
      }),
    },
    subscribe: (_, following, ctx) => eventOccasions(ctx, following) as never,
    resolve: (event) => event as never,
  }),
);

/** For feeds that send no ids: an id can only be of another feed. Throws BAD_USER_INPUT. */
function requireNoPosition({ lastEventId }: GraphContext): void {
  if (lastEventId !== undefined) throw badValue(AT, 'this feed has no positions');
}

async function* texts(
  ctx: GraphContext,
  input: { organizationId: string; documentIds: string[] },
): AsyncGenerator<SourceEvent> {
  requireNoPosition(ctx);
  for await (const { ctx: now, document } of followTexts(follower(ctx), input))
    yield { ctx: now, value: document };
}

builder.subscriptionField('documentTextChanged', (t) =>
  t.field({
    type: Document,
    description:
      'How far the text of documents is: each of them at once as it stands, and then again whenever it has changed: a try ' +
      'that begins, one that fails, the end, another try, a new revision. Ask for textStatus, textError and textAttempts of ' +
      'its revision, or for the textProgress of its project. NOT_FOUND where one is not visible to you. It ends with an error ' +
      'when your credential ends, or when you see none of them any more. After a break, subscribe again.',
    args: {
      organizationId: t.arg.id({ required: true, description: 'Of which organization.' }),
      documentIds: t.arg.idList({ required: true, description: 'Which documents, 100 at most.' }),
    },
    subscribe: (_, following, ctx) => texts(ctx, following) as never,
    resolve: (document) => document as never,
  }),
);

async function* notifications(
  ctx: GraphContext,
  input: { organizationId: string },
): AsyncGenerator<SourceEvent> {
  requireNoPosition(ctx);
  for await (const { ctx: now, notification } of followNotifications(follower(ctx), input))
    yield { ctx: now, value: notification };
}

builder.subscriptionField('notificationAdded', (t) =>
  t.field({
    type: Notification,
    description:
      'Your newest notification of an organization at once, then each new one as soon as it is there; of more than 20 at once, ' +
      'the newest. The newest comes again when you have read some elsewhere: select viewer { unreadNotificationCount } for a ' +
      'live count. It ends with an error when your credential or your part in the organization ends. After a break, read ' +
      'viewer { notifications } and subscribe again.',
    args: { organizationId: t.arg.id({ required: true, description: 'Of which organization.' }) },
    subscribe: (_, following, ctx) => notifications(ctx, following) as never,
    resolve: (notification) => notification as never,
  }),
);
