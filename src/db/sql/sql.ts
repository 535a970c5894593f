import { memoize } from '../../lib/memoize.ts';

/** A statement, or a piece of one: texts, and between each two of them a value or another piece. */
export class Sql {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings;
    this.values = values;
  }

  /**
   * As it is sent, with placeholders. The text of a statement that is made of the same pieces is the same string.
   *
   * An array of one id is written as that id: PostgreSQL takes an array that it does not know for ten items, and would find
   * the plan that it kept too dear for one, and plan anew each time.
   */
  render(): RenderedSql {
    const values: unknown[] = [];
    const last = follow(this, trieRoot(), values);
    if (!last) return { text: textOf(this), values };
    last.text ??= textOf(this);
    return { text: last.text, values };
  }
}

export interface RenderedSql {
  text: string;
  values: unknown[];
}

/** Values become parameters; what is to stand in the text itself is a piece of its own. */
export const sql = Object.assign(
  (strings: readonly string[], ...values: readonly unknown[]): Sql => new Sql(strings, values),
  {
    empty: new Sql([''], []),
    /** A text of ours, as it is: nothing of it may come from a caller. */
    raw: (text: string): Sql =>
      new Sql(
        known(text, () => [text]),
        [],
      ),
    /** At least one value or piece, with a text of ours between each two. */
    join(values: readonly unknown[], separator = ','): Sql {
      const make = () => ['', ...values.slice(1).fill(separator), ''] as string[];
      if (values.length === 0) throw new TypeError('Nothing to join.');
      return new Sql(values.length > LONG ? make() : known(`\0${values.length}${separator}`, make), values);
    },
    /** All of the conditions that are there; true where none is. */
    all(conditions: readonly (Sql | '' | false | null | undefined)[]): Sql {
      const given = conditions.filter((each) => each instanceof Sql);
      return given.length > 0 ? sql.join(given, ' AND ') : TRUE;
    },
  },
);

const TRUE = new Sql(['true'], []);

/** What is longer is written anew each time: there may be as many texts as there are lengths. */
const LONG = 50;

const MOST_MADE = 2_000;
const made = new Map<string, readonly string[]>();

/** The same array for the same texts. No text of a statement holds a NUL, with which the keys of joins begin. */
function known(key: string, make: () => readonly string[]): readonly string[] {
  if (made.size >= MOST_MADE) made.clear();
  return memoize(made, key, make);
}

/** How an array of one may stand in a text: `.id = ANY($1)`, or a piece that begins so behind the id; `$1::text[]`. */
type ArrayForm = 'any' | 'cast' | undefined;

const ANY = 'ANY(';
const CAST = '::text[]';

const forms = new WeakMap<readonly string[], readonly ArrayForm[]>();

const formsOf = (strings: readonly string[]): readonly ArrayForm[] =>
  memoize(forms, strings, () =>
    strings.slice(1).map((after, index): ArrayForm => {
      if (after.startsWith(CAST)) return 'cast';
      const isOfId = strings[index] === `= ${ANY}` || strings[index]?.endsWith(`.id = ${ANY}`);
      return isOfId && after.startsWith(')') ? 'any' : undefined;
    }),
  );

const isOne = (value: unknown): value is [unknown] => Array.isArray(value) && value.length === 1;

/**
 * Where one gets by the pieces of a statement, in order. How many values stand before a piece tells where it stands, so that
 * two statements that come here read alike.
 */
class TrieNode {
  /** Of the statement that ends here. */
  text: string | undefined;
  readonly forms: readonly ArrayForm[];
  readonly #before: number;
  readonly #next = new Map<readonly string[], TrieNode[]>();

  constructor(strings: readonly string[], before: number) {
    this.forms = formsOf(strings);
    this.#before = before;
  }

  to(strings: readonly string[], before: number): TrieNode {
    const steps = memoize(this.#next, strings, () => []);
    for (const step of steps) if (step.#before === before) return step;
    const step = new TrieNode(strings, before);
    steps.push(step);
    count++;
    return step;
  }
}

/** Each takes some hundred bytes. */
const MOST_STEPS = 20_000;
let count = 0;
let root = new TrieNode([], 0);

function trieRoot(): TrieNode {
  if (count > MOST_STEPS) {
    root = new TrieNode([], 0);
    count = 0;
  }
  return root;
}

/** Stands for the piece that an array of one is written as. */
const ONE: readonly string[] = [''];

/** Collects the values of a piece. Undefined where it is too long to be known again. */
function follow(piece: Sql, from: TrieNode | undefined, values: unknown[]): TrieNode | undefined {
  let step = piece.values.length > LONG ? undefined : from?.to(piece.strings, values.length);
  const arrays = step?.forms ?? formsOf(piece.strings);
  for (let index = 0; index < piece.values.length; index++) {
    const value = piece.values[index];
    if (value instanceof Sql) step = follow(value, step, values);
    else if (arrays[index] && isOne(value)) {
      step = step?.to(ONE, values.length);
      values.push(value[0]);
    } else values.push(value);
  }
  return step;
}

function textOf(statement: Sql): string {
  let text = '';
  let placeholders = 0;
  const write = ({ strings, values }: Sql): void => {
    const arrays = formsOf(strings);
    text += strings[0];
    for (const [index, value] of values.entries()) {
      const form = isOne(value) ? arrays[index] : undefined;
      const after = strings[index + 1] as string;
      if (value instanceof Sql) write(value);
      else if (form === 'any') text = `${text.slice(0, -ANY.length)}$${++placeholders}`;
      else if (form === 'cast') text += `ARRAY[$${++placeholders}::text]`;
      else text += `$${++placeholders}`;
      text += form === 'any' ? after.slice(1) : form === 'cast' ? after.slice(CAST.length) : after;
    }
  };
  write(statement);
  return text;
}
