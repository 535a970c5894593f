import { expect, it } from 'vitest';
import { mentionedIn } from '../../../src/domain/notifications/mention.ts';

const ann = { id: 'a', email: 'ann@example.test', name: 'Ann' };
const smith = { id: 's', email: 'smith@example.test', name: 'Ann Smith' };
const ids = (text: string) => mentionedIn(text, [ann, smith]).map(({ id }) => id);

it('finds people by address and by full name, in any case; the longest name counts', () => {
  expect(ids('@ann@example.test.')).toEqual(['a']);
  expect(ids('see @ANN SMITH, and @Ann!')).toEqual(['s', 'a']);
});

it('finds groups by their name, beside people of the same name', () => {
  const legal = { id: 'g', email: '', name: 'Ann' };
  expect(mentionedIn('@ann', [ann, legal]).map(({ id }) => id)).toEqual(['a', 'g']);
  expect(mentionedIn('@ and @ann@example.test', [ann, legal]).map(({ id }) => id)).toEqual(['a']);
});

it('takes no part of a word, of an address or of a longer domain for a mention', () => {
  for (const text of ['@Anna', 'x@ann', 'mail ann@example.test', '@ann@example.test.org', 'Ann', '@'])
    expect(ids(text), text).toEqual([]);
});
