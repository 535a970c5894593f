import type { Clause } from './search-grammar.ts';
import { joinedWordsOf, wordsOf } from './search-words.ts';

/** Words that follow each other, and stand for the words of a clause. */
export interface Alternative {
  words: string[];
  /** The last word is a prefix. */
  prefix: boolean;
}

/** Words of a query that may be parts of one word: `de89 3704 0044 0532 0130 00`, `dk 12345678`. */
const MAX_PARTS = 9;
const PART = /\d|^.{1,4}$/u;

/** In characters. Shorter ones would find too much, longer ones are not indexed (search_joined of the migrations). */
const MIN_LENGTH = 5;
const MAX_LENGTH = 40;

/** Letters before a number, as in `ab1234`. */
const LETTERS_AND_NUMBER = /^(\p{L}{1,4})(\d[\d\p{L}]*)$/u;

/** ISO 13616, folded. */
const IBAN = /^[a-z]{2}\d{2}[a-z0-9]{11,30}$/;

/**
 * How else the words of each clause may be written: in one piece (`O'Brien`), with a gap between letters and number
 * (`AB1234`), in groups of four (an IBAN), and in one piece with the clauses beside it (`030 123456`).
 */
export function alternativesOf(clauses: readonly Clause[]): Alternative[][] {
  const alternatives = clauses.map((clause) => ownAlternatives(clause));
  for (const { from, to, word } of runsOf(clauses))
    for (let index = from; index <= to; index++)
      alternatives[index]?.push({ words: [word], prefix: clauses[to]?.prefix ?? false });
  return alternatives;
}

function ownAlternatives({ text, prefix }: Clause): Alternative[] {
  const words = wordsOf(text);
  const whole = words.join('');
  const isOneWord = joinedWordsOf(text).includes(whole);
  const parts = words.flatMap((word) => LETTERS_AND_NUMBER.exec(word)?.slice(1) ?? word);
  const groups = (words.length === 1 || isOneWord) && IBAN.test(whole) ? whole.match(/.{1,4}/g) : null;
  return [isOneWord ? [whole] : [], parts.length > words.length ? parts : [], groups ?? []]
    .filter((each) => each.length > 0)
    .map((each) => ({ words: each, prefix }));
}

interface Run {
  from: number;
  to: number;
  word: string;
}

/** Clauses that follow each other, and their words in one piece. */
function runsOf(clauses: readonly Clause[]): Run[] {
  const wholes = clauses.map(({ text }) => wordsOf(text).join(''));
  return clauses.flatMap((_, from) => {
    const runs: Run[] = [];
    for (let to = from; to < from + MAX_PARTS && mayBePart(clauses, wholes, from, to); to++) {
      const word = wholes.slice(from, to + 1).join('');
      const length = [...word].length;
      if (to > from && /\d/.test(word) && length >= MIN_LENGTH && length <= MAX_LENGTH)
        runs.push({ from, to, word });
    }
    return runs;
  });
}

const mayBePart = (clauses: readonly Clause[], wholes: readonly string[], from: number, to: number) =>
  clauses[to]?.negated === false &&
  clauses[to]?.part === clauses[from]?.part &&
  PART.test(wholes[to] as string);
