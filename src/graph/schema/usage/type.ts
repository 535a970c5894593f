import {
  type DayUsage as DayRow,
  findUsage,
  type MarkUsage,
  type RequestCounts,
  totalOf,
  USAGE_DAYS,
  type Usage,
} from '../../../domain/usage/usage.ts';
import { percentile } from '../../../domain/usage/usage-count.ts';
import { DEPRECATIONS } from '../../../lib/deprecation/deprecations.ts';
import { builder } from '../kernel/builder.ts';
import { MANAGERS_ONLY } from '../kernel/field-options.ts';
import { ApiKey } from '../oauth/api-key.ts';
import { Client } from '../oauth/client.ts';

/** The largest Int of GraphQL (§3.5.1). */
const MAX_INT = 2 ** 31 - 1;
const asInt = (count: number): number => Math.min(count, MAX_INT);

const P95 = 0.95;

const UsageCounts = builder.interfaceRef<RequestCounts>('UsageCounts').implement({
  description: 'Numbers of requests to both APIs.',
  fields: (t) => ({
    requests: t.int({ description: 'All of them.', resolve: ({ requests }) => asInt(requests) }),
    errors: t.int({
      description: 'Those that were refused or failed; in GraphQL, those whose response has an error.',
      resolve: ({ errors }) => asInt(errors),
    }),
    points: t.field({
      type: 'BigInt',
      description: 'The points of their GraphQL operations.',
      resolve: ({ points }) => BigInt(points),
    }),
    p95Milliseconds: t.int({
      nullable: true,
      description:
        'The time in which 95 % of them were answered, rounded up by a fifth at most; null without requests.',
      resolve: ({ durations }) => percentile(durations, P95) ?? null,
    }),
  }),
});

const DayUsage = builder.objectRef<DayRow>('DayUsage').implement({
  description: 'Numbers of requests on one day.',
  interfaces: [UsageCounts],
  fields: (t) => ({
    day: t.expose('day', { type: 'DateTime', description: 'The beginning of the day, UTC.' }),
  }),
});

const ErrorUsage = builder.objectRef<MarkUsage>('ErrorUsage').implement({
  description: 'How often requests failed with a code.',
  fields: (t) => ({
    code: t.exposeString('name', {
      description:
        'The code of the first error of the response, as in `ErrorCode`; `HTTP_` and the status if it has none.',
    }),
    count: t.int({ description: 'How often.', resolve: ({ count }) => asInt(count) }),
    lastAt: t.expose('lastAt', { type: 'DateTime', description: 'When last.' }),
  }),
});

const DeprecatedUse = builder.objectRef<MarkUsage>('DeprecatedUse').implement({
  description: 'How often requests used something that is deprecated.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'What, as in `Deprecation.name`.' }),
    count: t.int({ description: 'How often.', resolve: ({ count }) => asInt(count) }),
    lastAt: t.expose('lastAt', { type: 'DateTime', description: 'When last.' }),
    instead: t.string({
      nullable: true,
      description: 'What to use instead; null if it is not there any more.',
      resolve: ({ name }) => DEPRECATIONS[name]?.instead ?? null,
    }),
    removal: t.string({
      nullable: true,
      description: 'The day on which it is removed (YYYY-MM-DD, UTC); null while none is decided.',
      resolve: ({ name }) => DEPRECATIONS[name]?.removal ?? null,
    }),
  }),
});

const RequestUsage = builder.objectRef<Usage & RequestCounts>('RequestUsage').implement({
  description: `The requests of an API key or an application in the last ${USAGE_DAYS} days, today included. They are counted within a minute.`,
  interfaces: [UsageCounts],
  fields: (t) => ({
    days: t.expose('days', {
      type: [DayUsage],
      description: 'By day, newest first; days without requests are left out.',
    }),
    errorCodes: t.expose('errorCodes', { type: [ErrorUsage], description: 'By code, most frequent first.' }),
    deprecated: t.expose('deprecated', {
      type: [DeprecatedUse],
      description: 'What they used that is deprecated, most frequent first.',
    }),
  }),
});

const withTotal = (usage: Usage): Usage & RequestCounts => ({ ...usage, ...totalOf(usage.days) });

builder.objectField(Client, 'requestUsage', (t) =>
  t.field({
    type: RequestUsage,
    hidden: MANAGERS_ONLY,
    nullable: true,
    description: 'The requests of all its users; null for all but owners and admins of its organization.',
    resolve: ({ id }, _, { load }) => load.one(findUsage, id).map((usage) => usage && withTotal(usage)),
  }),
);

builder.objectField(ApiKey, 'requestUsage', (t) =>
  t.field({
    type: RequestUsage,
    description: 'Its requests.',
    resolve: ({ id }, _, { load }) => load.seen(findUsage, id, 'ApiKey').map(withTotal),
  }),
);
