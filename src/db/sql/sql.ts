import { memoize } from '../../lib/memoize.ts';

/** A statement or a fragment of one: texts, with a value or a nested fragment between each two of them. */
export class Sql {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings;
    this.values = values;
  }

  /**
   * Returns the text with placeholders, and the values. Statements of the same fragments share one text string.
   *
   * An array of one id is written as that id: PostgreSQL estimates ten items for an array parameter, finds the generic plan
   * too expensive for one, and would plan each execution.
   */
  render(): RenderedSql {
    const values: unknown[] = [];
    const last = descend(this, trieRoot(), values);
    if (!last) return { text: textOf(this), values };
    last.text ??= textOf(this);
    return { text: last.text, values };
  }
}

export interface RenderedSql {
  text: string;
  values: unknown[];
}

/** Template tag: values become parameters; a nested `Sql` becomes part of the text. */
export const sql = Object.assign(
  (strings: readonly string[], ...values: readonly unknown[]): Sql => new Sql(strings, values),
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

/** Where an array of one item can be written as the item: `.id = ANY($1)`, also at the start of a fragment; `$1::text[]`. */
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
 * Trie node keyed by the template fragments of a statement, in order, and by the number of values before each fragment,
 * which identifies the depth at which it is nested. Statements that reach the same node have the same text, which it caches.
 */
class TrieNode {
  /** The text of the statement that ends here. */
  text: string | undefined;
  readonly forms: readonly ArrayForm[];
  readonly #valuesBefore: number;
  readonly #children = new Map<readonly string[], TrieNode[]>();

  constructor(strings: readonly string[], valuesBefore: number) {
    this.forms = formsOf(strings);
    this.#valuesBefore = valuesBefore;
  }

  child(strings: readonly string[], valuesBefore: number): TrieNode {
    const nodes = memoize(this.#children, strings, () => []);
    for (const node of nodes) if (node.#valuesBefore === valuesBefore) return node;
    const node = new TrieNode(strings, valuesBefore);
    nodes.push(node);
    nodeCount++;
    return node;
  }
}

/** Each takes some hundred bytes. At the limit the trie is discarded. */
const MAX_NODES = 20_000;
let nodeCount = 0;
let root = new TrieNode([], 0);

function trieRoot(): TrieNode {
  if (nodeCount > MAX_NODES) {
    root = new TrieNode([], 0);
    nodeCount = 0;
  }
  return root;
}

/** Key of the node for an array that is written as its one item. */
const SINGLE_ITEM: readonly string[] = [''];

/** Collects the values of a fragment and returns its node; undefined where a part is too long to be cached. */
function descend(fragment: Sql, parent: TrieNode | undefined, values: unknown[]): TrieNode | undefined {
  let node =
    fragment.values.length > MAX_CACHED_LENGTH ? undefined : parent?.child(fragment.strings, values.length);
  const arrays = node?.forms ?? formsOf(fragment.strings);
  for (let index = 0; index < fragment.values.length; index++) {
    const value = fragment.values[index];
    if (value instanceof Sql) node = descend(value, node, values);
    else if (arrays[index] && isOne(value)) {
      node = node?.child(SINGLE_ITEM, values.length);
      values.push(value[0]);
    } else values.push(value);
  }
  return node;
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
