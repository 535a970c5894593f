import type { Charge, PointsState } from '../../engine/context.ts';
import { builder } from '../kernel/builder.ts';

type CountedCharge = Charge & { state: PointsState };

const RateLimit = builder.objectRef<CountedCharge>('RateLimit').implement({
  scope: [],
  description:
    'Points of operations: every operation costs its caller the points of `extensions.cost`, which come back over a minute. The tightest of the limits of your credential, user and organization.',
  fields: (t) => ({
    cost: t.exposeInt('points', { description: 'Points that this operation costs.' }),
    limit: t.int({ description: 'Points a minute.', resolve: ({ state }) => state.limit }),
    remaining: t.int({
      description: 'Points remaining after this operation.',
      resolve: ({ state }) => state.remaining,
    }),
    resetAt: t.field({
      type: 'DateTime',
      description: 'When all points are available again, if no further operation is sent.',
      resolve: ({ state }) => new Date(Date.now() + state.resetAfter),
    }),
  }),
});

builder.queryField('rateLimit', (t) =>
  t.field({
    type: RateLimit,
    nullable: true,
    description: 'The points that this operation costs you, and those remaining. Null if nothing is limited.',
    resolve: (_, __, { charged }) => (charged?.state ? { ...charged, state: charged.state } : null),
  }),
);
