import { GraphQLError, Kind, print, TokenKind, type ValueNode } from 'graphql';
import { parseTime } from '../../../lib/calendar-time.ts';
import { shorten } from '../../../lib/text/shorten.js';
import { isoOf } from '../../../lib/time.ts';
import { builder } from './builder.ts';

const invalid = (expected: string) =>
  new GraphQLError(`Expected ${expected}.`, { extensions: { code: 'BAD_USER_INPUT' } });

/** Longer values are cut off in messages. */
const MAX_VALUE_LENGTH = 100;

/** The name that a value is given to. */
function nameOf({ loc }: ValueNode): string | undefined {
  const colon = loc?.startToken.prev;
  return colon?.kind === TokenKind.COLON ? colon.prev?.value : undefined;
}

/** Parses a literal; an error names the argument or member and the value, as graphql-js does for variables alone. */
const literal =
  <Value>(read: (node: ValueNode) => Value) =>
  (node: ValueNode): Value => {
    try {
      return read(node);
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      const [name, value] = [nameOf(node), shorten(print(node), MAX_VALUE_LENGTH, '…')];
      const { extensions, message } = error;
      throw new GraphQLError(`${name ? `"${name}"` : 'A list'} got invalid value ${value}; ${message}`, {
        nodes: node,
        extensions,
      });
    }
  };

function instant(value: unknown): Date {
  const time = typeof value === 'string' ? parseTime(value) : undefined;
  if (!time) throw invalid('a time that exists, such as 2026-03-04T09:15:27Z');
  return time;
}

builder.scalarType('DateTime', {
  description:
    'A point in time as RFC 3339 in UTC, to the millisecond: `2026-03-04T09:15:27.402Z`. Input may have an offset; a day that no calendar has is refused.',
  serialize: (value) => isoOf(value as Date),
  parseValue: instant,
  parseLiteral: literal((node) => instant(node.kind === Kind.STRING ? node.value : undefined)),
});

function integer(value: unknown): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  throw invalid('a whole number below 2^53');
}

builder.scalarType('BigInt', {
  description: 'A whole number of up to 2^53 − 1, such as a size in bytes.',
  serialize: (value) => Number(value),
  parseValue: integer,
  parseLiteral: literal((node) => integer(node.kind === Kind.INT ? Number(node.value) : undefined)),
});
