import { GraphQLError, Kind } from 'graphql';
import { isoOf } from '../../../lib/time.ts';
import { builder } from './builder.ts';

const invalid = (expected: string) =>
  new GraphQLError(`Expected ${expected}.`, { extensions: { code: 'BAD_USER_INPUT' } });

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

function instant(value: unknown): Date {
  const date = typeof value === 'string' && RFC3339.test(value) ? new Date(value) : undefined;
  if (!date || Number.isNaN(date.getTime())) throw invalid('a time such as 2026-03-04T09:15:27Z');
  return date;
}

builder.scalarType('DateTime', {
  description: 'A point in time as RFC 3339 in UTC, to the millisecond: `2026-03-04T09:15:27.402Z`.',
  serialize: (value) => isoOf(value as Date),
  parseValue: instant,
  parseLiteral: (node) => instant(node.kind === Kind.STRING ? node.value : undefined),
});

function integer(value: unknown): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  throw invalid('a whole number below 2^53');
}

builder.scalarType('BigInt', {
  description: 'A whole number of up to 2^53 − 1, such as a size in bytes.',
  serialize: (value) => Number(value),
  parseValue: integer,
  parseLiteral: (node) => integer(node.kind === Kind.INT ? Number(node.value) : undefined),
});
