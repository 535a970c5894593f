import { shownEmail } from '../../lib/text/shown-email.ts';

/** Someone who may be mentioned. */
export interface Mentionable {
  id: string;
  email: string;
  name: string;
}

/** People notified of one comment, at most. */
const MAX_MENTIONS = 20;

/** An at sign that does not continue a word, as the one within an address does. */
const AT = /(?<![\p{L}\p{N}._%+-])@/gu;

const fold = (text: string): string => text.normalize('NFC').toLowerCase();

const isWord = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_]/u.test(character);

/** The name or address must end where the word ends; an address also not before a further part of its domain. */
function startsWithWord(text: string, word: string): boolean {
  if (word === '' || !text.startsWith(word)) return false;
  const [next, following] = [...text.slice(word.length, word.length + 4)];
  if (isWord(next) || next === '@') return false;
  return !(word.includes('@') && (next === '.' || next === '-') && isWord(following));
}

/**
 * The people whom a comment mentions: `@` with their e-mail address or their full name, in any case. The longest name at a
 * place counts; people of one name are all mentioned.
 */
export function mentionedIn<Person extends Mentionable>(text: string, people: readonly Person[]): Person[] {
  const folded = fold(text);
  const named = people.map((person) => ({
    person,
    words: [person.email, shownEmail(person.email), person.name].map(fold),
  }));
  const mentioned = new Set<Person>();
  for (const { index } of folded.matchAll(AT)) {
    const rest = folded.slice(index + 1, index + 600);
    const matches = named.flatMap(({ person, words }) =>
      words.filter((word) => startsWithWord(rest, word)).map((word) => ({ person, length: word.length })),
    );
    const longest = Math.max(...matches.map(({ length }) => length));
    for (const { person, length } of matches) if (length === longest) mentioned.add(person);
  }
  return [...mentioned].slice(0, MAX_MENTIONS);
}
