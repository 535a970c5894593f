import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor, type Position } from '../../src/lib/cursor.ts';

const raw = (text: string) => Buffer.from(text).toString('base64url');

describe('a cursor', () => {
  it.each([[['doc_1']], [['Ünited', 'doc_1']], [[null, 0, -1.5, '']]] as [
    Position,
  ][])('names the position %j, and needs no escapes', (position) => {
    const cursor = encodeCursor(position);
    expect(decodeCursor(cursor, position.length)).toEqual(position);
    expect(cursor).toMatch(/^[\w-]+$/);
  });

  it.each([
    ['nothing', ''],
    ['no text of JSON', '~nothing'],
    ['no list', raw('{"length":1}')],
    ['text', raw('"a"')],
    ['a list that is shorter', raw('[]')],
    ['a list that is longer', raw('["a","b"]')],
    ['a truth', raw('[true]')],
    ['a list in a list', raw('[["a"]]')],
    ['an object', raw('[{}]')],
    ['text with NUL', raw('["a\\u0000"]')],
    ['half of a character', raw('["\\ud800"]')],
    ['more than 2,000 characters', raw(`["${'a'.repeat(1_500)}"]`)],
  ])('that is %s is invalid', (_, cursor) => {
    expect(decodeCursor(cursor, 1)).toBeUndefined();
  });

  it('is invalid if one of several keys is invalid', () => {
    expect(decodeCursor(raw('["a",true]'), 2)).toBeUndefined();
  });
});
