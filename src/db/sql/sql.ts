import { memoize } from '../../lib/memoize.ts';

/** A statement or a fragment of one: texts, with a value or a nested fragment between each two of them. */
export class Sql {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings;
    this.values = values;
  }

  /** Returns the text with placeholders, and the values. Statements of the same fragments share one text string. */
  render(): RenderedSql {
    const values: unknown[] = [];
    const last = descend(this, trieRoot(), values);
    if (!last) return { text: textOf(this), values };
    last.text ??= textOf(this);
    return { text: last.text, values };
  }
}

/** A constant text. The tag writes it into the template that it is a value of, so that rendering costs no more for it. */
export class Constant extends Sql {
  readonly text: string;

  constructor(text: string) {
    super(
      cachedTemplate(text, () => [text]),
      [],
    );
    this.text = text;
  }
}

/** A template with the constants among its values written into it; undefined in `constants` for other values. */
interface Filled {
  constants: readonly (string | undefined)[];
  strings: readonly string[];
}

const filled = new WeakMap<readonly string[], Filled[]>();

/** Other sets of constants than these, for one template, are values like any other. */
const MAX_FILLED = 20;

function fill(template: readonly string[], values: readonly unknown[]): Sql {
  const versions = memoize(filled, template, () => []);
  const constants = values.map((value) => (value instanceof Constant ? value.text : undefined));
  let version = versions.find((each) => each.constants.every((text, index) => text === constants[index]));
  if (!version) {
    if (versions.length >= MAX_FILLED) return new Sql(template, values);
    const strings = [template[0] as string];
    for (const [index, text] of constants.entries()) {
      const after = template[index + 1] as string;
      if (text === undefined) strings.push(after);
      else strings.push(`${strings.pop()}${text}${after}`);
    }
    version = { constants, strings };
    versions.push(version);
  }
  return new Sql(
    version.strings,
    values.filter((value) => !(value instanceof Constant)),
  );
}

export interface RenderedSql {
  text: string;
  values: unknown[];
}

/** A value of a statement. A function is none: it would be a condition that was not called. */
type Values<All extends readonly unknown[]> = {
  [Index in keyof All]: All[Index] extends (...args: never[]) => unknown ? never : All[Index];
};

/** Template tag: values become parameters; a nested `Sql` becomes part of the text. */
export const sql = Object.assign(
  <All extends readonly unknown[]>(strings: readonly string[], ...values: Values<All>): Sql =>
    values.some((value) => value instanceof Constant)
      ? fill(strings, values)
      : new Sql(strings, values as readonly unknown[]),
  {
    empty: new Sql([''], []),
    /** A constant text, inserted as it is. Never pass input of a caller. */
    raw: (text: string): Sql =>
      new Sql(
        cachedTemplate(text, () => [text]),
        [],
      ),
    /** One or more values or fragments with a constant text between each two. Throws TypeError for none. */
    join(values: readonly unknown[], separator = ','): Sql {
      const build = () => ['', ...values.slice(1).fill(separator), ''] as string[];
      if (values.length === 0) throw new TypeError('Nothing to join.');
      return new Sql(
        values.length > MAX_CACHED_LENGTH ? build() : cachedTemplate(`\0${values.length}${separator}`, build),
        values,
      );
    },
    /**
     * Behind a column of ids: it is one of these. One id is written as that id: PostgreSQL estimates ten items for an array
     * parameter, finds the generic plan too expensive for one, and would plan each execution.
     */
    any: (ids: readonly (string | null | undefined)[]): Sql =>
      ids.length === 1 ? sql`= ${ids[0]}` : sql`= ANY(${ids})`,
    /** An array of texts; one text is written as an array of that text, as with `any`. */
    texts: (values: readonly (string | null | undefined)[]): Sql =>
      values.length === 1 ? sql`ARRAY[${values[0]}::text]` : sql`${values}::text[]`,
    /** All conditions that are set, joined by AND; `true` if none is. */
    all(conditions: readonly (Sql | '' | false | null | undefined)[]): Sql {
      const present = conditions.filter((each) => each instanceof Sql);
      return present.length > 0 ? sql.join(present, ' AND ') : TRUE;
    },
  },
);

const TRUE = new Sql(['true'], []);

/** Longer lists are rendered each time without the trie, which would hold a text for each length. */
const MAX_CACHED_LENGTH = 50;

const MAX_TEMPLATES = 2_000;
const templates = new Map<string, readonly string[]>();

/** Returns the same array for the same key. Keys of joins begin with NUL, which no statement text contains. */
function cachedTemplate(key: string, create: () => readonly string[]): readonly string[] {
  if (templates.size >= MAX_TEMPLATES) templates.clear();
  return memoize(templates, key, create);
}

/**
 * Trie node keyed by the template fragments of a statement, in order, and by the number of values before each fragment,
 * which identifies the depth at which it is nested. Statements that reach the same node have the same text, which it caches.
 */
class TrieNode {
  /** The text of the statement that ends here. */
  text: string | undefined;
  readonly #valuesBefore: number;
  readonly #children = new Map<readonly string[], TrieNode[]>();

  constructor(valuesBefore: number) {
    this.#valuesBefore = valuesBefore;
  }

  child(strings: readonly string[], valuesBefore: number): TrieNode {
    const nodes = memoize(this.#children, strings, () => []);
    for (const node of nodes) if (node.#valuesBefore === valuesBefore) return node;
    const node = new TrieNode(valuesBefore);
    nodes.push(node);
    nodeCount++;
    return node;
  }
}

/** Each takes some hundred bytes. At the limit the trie is discarded. */
const MAX_NODES = 20_000;
let nodeCount = 0;
let root = new TrieNode(0);

function trieRoot(): TrieNode {
  if (nodeCount > MAX_NODES) {
    root = new TrieNode(0);
    nodeCount = 0;
  }
  return root;
}

/** Collects the values of a fragment and returns its node; undefined where a part is too long to be cached. */
function descend(fragment: Sql, parent: TrieNode | undefined, values: unknown[]): TrieNode | undefined {
  let node =
    fragment.values.length > MAX_CACHED_LENGTH ? undefined : parent?.child(fragment.strings, values.length);
  for (const value of fragment.values)
    if (value instanceof Sql) node = descend(value, node, values);
    else values.push(value);
  return node;
}

function textOf(statement: Sql): string {
  let text = '';
  let placeholders = 0;
  const write = ({ strings, values }: Sql): void => {
    text += strings[0];
    for (const [index, value] of values.entries()) {
      if (value instanceof Sql) write(value);
      else text += `$${++placeholders}`;
      text += strings[index + 1];
    }
  };
  write(statement);
  return text;
}
