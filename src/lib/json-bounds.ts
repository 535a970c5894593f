export interface JsonBounds {
  /** Nested arrays and objects. */
  levels: number;
  /** Values in the text, estimated by its brackets and commas. */
  values: number;
  /** Items of one array. */
  items: number;
  /** Members of one object. */
  members: number;
}

/** Fifty values for each item of the largest batch, far above what any input nests or lists. */
export const jsonBounds = (batchMax: number): JsonBounds => ({
  levels: 200,
  values: 50 * Math.max(batchMax, 1_000),
  items: Math.max(batchMax, 10_000),
  members: 1_000,
});

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * The bound that a JSON text exceeds, in words such as `200 levels`; undefined for none. It counts brackets and commas
 * without parsing, because parsing is what an oversized structure makes expensive. Malformed text is left to the parser.
 */
export function excessOf(text: string, bounds: JsonBounds): string | undefined {
  const counter = new Counter(bounds);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA) counter.separate();
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) counter.open(code === OPEN_ARRAY);
    else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) counter.close();
    if (counter.excess) return counter.excess;
  }
  return undefined;
}

/** Counts the values of a text, and those of each array and object that is open. */
class Counter {
  excess: string | undefined;
  readonly #bounds: JsonBounds;
  readonly #isArray: boolean[] = [];
  readonly #separators: number[] = [];
  #values = 0;

  constructor(bounds: JsonBounds) {
    this.#bounds = bounds;
  }

  open(isArray: boolean): void {
    this.#isArray.push(isArray);
    if (this.#separators.push(0) > this.#bounds.levels) this.excess = `${this.#bounds.levels} levels`;
    this.#count();
  }

  close(): void {
    this.#isArray.pop();
    this.#separators.pop();
  }

  separate(): void {
    const { items, members } = this.#bounds;
    const level = this.#separators.length - 1;
    if (level < 0) return;
    const separators = (this.#separators[level] ?? 0) + 1;
    this.#separators[level] = separators;
    if (this.#isArray[level] && separators >= items) this.excess = `${items} items in an array`;
    if (!this.#isArray[level] && separators >= members) this.excess = `${members} members in an object`;
    this.#count();
  }

  #count(): void {
    if (++this.#values > this.#bounds.values) this.excess = `${this.#bounds.values} values`;
  }
}

/** The index of the closing quotation mark, or the length of a text without one. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}
