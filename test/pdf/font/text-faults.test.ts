import { expect, it } from 'vitest';
import { findTextFaults } from '../../../src/pdf/font/text-faults.js';
import { SAMPLES } from './samples.ts';

it('what fonts can draw has no fault', async () => {
  const others = ['½ € ™ © ✓ ☐', 'ﾊﾞﾝｸ', '𝒜𝓃𝓃', '☺', '葛\u{e0100}', 'می\u200cخواهم', '', '  '];
  expect(await findTextFaults([...Object.values(SAMPLES), ...others])).toEqual(new Map());
});

it.each([
  ['a hieroglyph', 'Ann 𓀀', '𓀀 (U+13000)'],
  ['a script that joins its letters, for which there is no font', 'ꦗꦮ', 'ꦗ (U+A997)'],
  ['a letter of private use', '\ue000', '\ue000 (U+E000)'],
  ['a mark on a letter of another script', 'xa\u0e31', 'a\u0e31 (U+0061 U+0E31)'],
])('%s cannot be drawn', async (_, text, character) => {
  expect([...(await findTextFaults([text])).values()]).toEqual([
    `has a character that cannot be drawn: ${character}`,
  ]);
});

it.each([
  ['a zero-width space', '\u200b'],
  ['a braille blank', '\u2800'],
  ['a Hangul filler', '\u3164'],
  ['an initial Hangul filler', '\u115f'],
  ['a soft hyphen', '\u00ad'],
  ['tags', '\u{e0041}\u{e0042}'],
  ['marks without a letter', '\u0301\u0302'],
  ['a space with a mark that is not visible', ' \u034f'],
])('%s shows nothing', async (_, text) => {
  expect([...(await findTextFaults([text])).values()]).toEqual(['has no visible character']);
});

it('thousands of different characters of one request are too many, of whichever texts', async () => {
  const hangul = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => String.fromCodePoint(0xac00 + from + index)).join('');
  const [half, rest] = [hangul(0, 4_000), hangul(4_000, 4_500)];
  expect([...(await findTextFaults([half, hangul(0, 4_000).repeat(2)])).values()]).toEqual([]);
  expect([...(await findTextFaults([half, rest]))]).toEqual([[rest, 'has too many different characters']]);
});
