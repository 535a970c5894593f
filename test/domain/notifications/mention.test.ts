import { expect, it } from 'vitest';
import { mentionedIn } from '../../../src/domain/notifications/mention.ts';

const ann = { id: 'a', email: 'ann@example.test', name: 'Ann' };
const smith = { id: 's', email: 'smith@example.test', name: 'Ann Smith' };
const ids = (text: string) => mentionedIn(text, [ann, smith]).map(({ id }) => id);

it('finds people by address and by full name, in any case; the longest name counts', () => {
  expect(ids('@ann@example.test.')).toEqual(['a']);
  expect(ids('see @ANN SMITH, and @Ann!')).toEqual(['s', 'a']);
});

it('takes no part of a word, of an address or of a longer domain for a mention', () => {
  for (const text of ['@Anna', 'x@ann', 'mail ann@example.test', '@ann@example.test.org', 'Ann', '@'])
    expect(ids(text), text).toEqual([]);
});
