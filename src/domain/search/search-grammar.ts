/** Which text of a thing a word is looked for in. */
export type Part = 'NAME' | 'TAG' | 'VALUE' | 'COMMENT' | 'FOLDER' | 'TEXT';

/** One condition of a query; all of them have to hold. */
export interface Clause {
  /** Words that follow each other. */
  text: string;
  /** No thing that has them is found. */
  negated: boolean;
  /** The last word may be the beginning of one. */
  prefix: boolean;
  /** Where the words are looked for; everywhere when null. */
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
 * The grammar of both APIs. Words apart have to be found all, anywhere in a thing; `"words in quotes"` one after the
 * other; `-word` must not be there; `word*` is the beginning of one, and so is the last word, which may still be being
 * typed; `name:`, `tag:`, `value:`, `comment:`, `folder:` and `text:` say where. Every text is a query: what has no meaning here
 * is read as words.
 */
export function parseQuery(query: string): Clause[] {
  const found = [...query.trim().matchAll(CLAUSE)];
  return found.map(({ groups }, index) => {
    const { minus, part, phrase, close, word = '' } = groups as Record<string, string | undefined>;
    const negated = minus !== undefined;
    const typing = index === found.length - 1 && !negated;
    return {
      text: phrase ?? word,
      negated,
      prefix: phrase === undefined ? word.endsWith('*') || typing : close === '' && typing,
      part: part === undefined ? null : (PARTS[part.toLowerCase()] as Part),
    };
  });
}
