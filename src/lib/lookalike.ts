/** Characters that pass for a Latin letter, after NFKD and in lower case; those of UTS #39 that the name can be spelled with. */
const LETTERS: Record<string, string> = {
  d: 'ԁꓒᑯđðɗժ',
  o: '0оοօᴏσө०๐໐ⲟøɵѳ○●◯',
  c: 'сϲᴄꓚ¢ҫⲥ',
  g: 'ɡցԍ96ǥɢᶃ',
  r: 'гᴦꭇꭈɾʀⲅꮁ',
  a: 'аαɑ@4ᴀ⍺ⲁ',
  p: 'рρᴘþ⍴ҏⲣ',
  h: 'һհʜħɦнηᏂ',
};

const LATIN = new Map(
  Object.entries(LETTERS).flatMap(([letter, alike]) => [...alike].map((each) => [each, letter] as const)),
);

/** What the eye makes of a name, as far as it can be Latin letters. */
const skeleton = (name: string): string =>
  [...name.normalize('NFKD').toLowerCase()]
    .map((character) => LATIN.get(character) ?? character)
    .join('')
    .replace(/[^a-z]/g, '');

/** Whether a name reads like the product's own; `Doc Graphics` does not. */
export const readsLikeProduct = (name: string): boolean => /docgraph(?!ic|ie|y)/.test(skeleton(name));

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const ALPHABETS = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u];

/** Whether letters of alphabets that look alike stand in one word, as in `Раypal` with a Cyrillic beginning. */
export const mixesAlphabets = (name: string): boolean =>
  [...name.matchAll(WORD)].some(([word]) => ALPHABETS.filter((each) => each.test(word)).length > 1);
