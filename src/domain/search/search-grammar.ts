/** The part of an object that a word is searched in. */
export type Part = 'NAME' | 'TAG' | 'VALUE' | 'COMMENT' | 'FOLDER' | 'TEXT';

/** One condition of a query; all must hold. */
export interface Clause {
  /** Words that must follow each other. */
  text: string;
  /** Objects with these words are excluded. */
  negated: boolean;
  /** The last word is a prefix. */
  prefix: boolean;
  /** The part that is searched; null for all. */
  part: Part | null;
}

const PARTS: Record<string, Part> = {
  name: 'NAME',
  tag: 'TAG',
  value: 'VALUE',
  comment: 'COMMENT',
  folder: 'FOLDER',
  text: 'TEXT',
};

/** An optional minus, an optional part, and a phrase in quotes, closed or not, or all up to the next space. */
const CLAUSE =
  /(?<minus>-)?(?:(?<part>name|tag|value|comment|folder|text):(?=\S))?(?:["“”](?<phrase>[^"“”]*)(?<close>["“”]|$)|(?<word>\S+))/giu;

/**
 * Parses a query by the grammar of both APIs (docs/search.md). Never fails: anything without a meaning in the grammar is
 * read as words. The last word is a prefix, since it may still be typed.
 */
export function parseQuery(query: string): Clause[] {
  const clauses = [...query.trim().matchAll(CLAUSE)];
  return clauses.map(({ groups }, index) => {
    const { minus, part, phrase, close, word = '' } = groups as Record<string, string | undefined>;
    const negated = minus !== undefined;
    const isUnfinished = index === clauses.length - 1 && !negated;
    return {
      text: phrase ?? word,
      negated,
      prefix: phrase === undefined ? word.endsWith('*') || isUnfinished : close === '' && isUnfinished,
      part: part === undefined ? null : (PARTS[part.toLowerCase()] as Part),
    };
  });
}
