/** Confusables (UTS #39) of the Latin letters in the product's name, after NFKD and in lower case. */
const LOOKALIKES: Record<string, string> = {
  d: 'ԁꓒᑯđðɗժ',
  o: '0оοօᴏσө०๐໐ⲟøɵѳ○●◯',
  c: 'сϲᴄꓚ¢ҫⲥ',
  g: 'ɡցԍ96ǥɢᶃ',
  r: 'гᴦꭇꭈɾʀⲅꮁ',
  a: 'аαɑ@4ᴀ⍺ⲁ',
  p: 'рρᴘþ⍴ҏⲣ',
  h: 'һհʜħɦнηᏂ',
};

const LATIN_BY_LOOKALIKE = new Map(
  Object.entries(LOOKALIKES).flatMap(([letter, lookalikes]) =>
    [...lookalikes].map((each) => [each, letter] as const),
  ),
);

/** The name with confusables replaced by Latin letters, and all other characters removed (UTS #39, skeleton). */
const skeleton = (name: string): string =>
  [...name.normalize('NFKD').toLowerCase()]
    .map((character) => LATIN_BY_LOOKALIKE.get(character) ?? character)
    .join('')
    .replace(/[^a-z]/g, '');

/** Whether a name reads like the product's own; `Doc Graphics` does not. */
export const readsLikeProduct = (name: string): boolean => /docgraph(?!ic|ie|y)/.test(skeleton(name));

const WORD_PATTERN = /[\p{L}\p{M}\p{N}]+/gu;
const ALPHABETS = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u];

/** Whether one word mixes letters of alphabets that look alike, as in `Раypal` with a Cyrillic beginning. */
export const mixesAlphabets = (name: string): boolean =>
  [...name.matchAll(WORD_PATTERN)].some(([word]) => ALPHABETS.filter((each) => each.test(word)).length > 1);
