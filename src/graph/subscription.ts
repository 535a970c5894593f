import { followEvents } from '../domain/event-follow.ts';
import { builder } from './builder.ts';
import type { GraphContext } from './context.ts';
import { Event } from './event.ts';
import { KINDS } from './event-feed.ts';
import type { Occasion } from './subscribe.ts';

builder.subscriptionType({
  description:
    'What is told as it happens, as server-sent events (accept: text/event-stream). Needs the scope `read`.',
});

type Followed = Parameters<typeof followEvents>[1];

const isSequence = (text: string | undefined): text is string => /^\d{1,18}$/.test(text ?? '');

/** Each event as what its fields are read from, with the rights of that moment. */
async function* occasions(
  { renew, signal, lastEventId }: GraphContext,
  asked: Followed,
): AsyncGenerator<Occasion> {
  if (!renew || !signal) throw new Error('a subscription runs where its caller can be asked for again');
  const following = isSequence(lastEventId) ? { ...asked, after: BigInt(lastEventId) } : asked;
  for await (const { ctx, event } of followEvents({ renew, signal }, following))
    yield { ctx, value: event, id: String(event.sequence) };
}

builder.subscriptionField('eventAppended', (t) =>
  t.field({
    type: Event,
    description:
      'Events of what you may see, each as soon as it is there. It ends with an error when your credential or your part ' +
      'in the organization ends. After a break, go on with the sequence of the last event that you have read: none is ' +
      'lost, and none comes twice. The header last-event-id does the same.',
    args: {
      organizationId: t.arg.id({ required: true, description: 'Of which organization.' }),
      projectId: t.arg.id({ description: 'Only what happens in this project.' }),
      kinds: t.arg.stringList({ description: KINDS }),
      after: t.arg({
        type: 'BigInt',
        description:
          'The sequence after which to begin, 0 for the first; with what happens from now on when left out.',
      }),
    },
    subscribe: (_, following, ctx) => occasions(ctx, following) as never,
    resolve: (event) => event as never,
  }),
);
