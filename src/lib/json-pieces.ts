/** Bytes of data from which the text of a response is made in pieces, as its client reads it. */
export const LARGE = 2 ** 18;

/** Characters after which a piece ends; a longer string is one piece. */
const PIECE = 2 ** 16;

type Members = Record<string, unknown>;

/**
 * The text of JSON.stringify, in pieces of about 64 Ki characters, so that it never exists as a whole. For a tree of objects and lists
 * whose other values JSON.stringify writes.
 */
export function* jsonPieces(value: unknown): Generator<string, void> {
  const writer = new Writer();
  yield* writer.write(value);
  yield writer.take();
}

const isContainer = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && typeof (value as Members).toJSON !== 'function';

const hasContainers = (members: Members): boolean => {
  for (const name in members) if (isContainer(members[name])) return true;
  return false;
};

class Writer {
  #text = '';

  take(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }

  *write(value: unknown): Generator<string, void> {
    if (Array.isArray(value)) yield* this.#list(value);
    else if (isContainer(value) && hasContainers(value)) yield* this.#object(value);
    else this.#text += JSON.stringify(value);
    if (this.#text.length > PIECE) yield this.take();
  }

  *#list(items: readonly unknown[]): Generator<string, void> {
    this.#text += '[';
    let isFirst = true;
    for (const item of items) {
      if (!isFirst) this.#text += ',';
      isFirst = false;
      yield* this.write(item === undefined ? null : item);
    }
    this.#text += ']';
  }

  *#object(members: Members): Generator<string, void> {
    this.#text += '{';
    let isFirst = true;
    for (const name of Object.keys(members)) {
      const value = members[name];
      if (value === undefined) continue;
      this.#text += `${isFirst ? '' : ','}${JSON.stringify(name)}:`;
      isFirst = false;
      yield* this.write(value);
    }
    this.#text += '}';
  }
}
