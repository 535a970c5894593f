import { shownEmail } from '../../lib/text/shown-email.ts';

/** Someone, or a group of people, who may be mentioned. */
export interface Mentionable {
  id: string;
  /** Empty for a group. */
  email: string;
  name: string;
}

/** People and groups that one comment mentions, at most. */
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
 * Whom a comment mentions: `@` with an e-mail address, a full name, or the name of a group, in any case. The longest name at a
 * position counts; all who have it are mentioned.
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
