import { badInput } from '../../domain/kernel/errors.ts';
import { excessOf, jsonBounds } from '../../lib/json-bounds.ts';
import { invalid, Members, membersOf } from './members.ts';

/** The body of a request: one object, an array of at most `batchMax` objects, plain text, or none. */
export class Body {
  readonly #value: unknown;
  readonly #batchMax: number;

  constructor(value: unknown, batchMax = Number.POSITIVE_INFINITY) {
    this.#value = value;
    this.#batchMax = batchMax;
  }

  /** The body of a route that takes plain text. */
  plainText(): string {
    return String(this.#value ?? '');
  }

  object(): Members {
    return membersOf(this.#value, '');
  }

  /** The object of a body that may be left out (contract); without members if it is. */
  optionalObject(): Members {
    return this.#value === undefined ? new Members([]) : this.object();
  }

  isArray(): boolean {
    return Array.isArray(this.#value);
  }

  /** The first object of an array; undefined for any other body. */
  first(): Members | undefined {
    const [item] = Array.isArray(this.#value) ? this.#value : [];
    return item && typeof item === 'object' ? membersOf(item, '0') : undefined;
  }

  /** The value at a path of names, which are matched without case, and of indices; undefined if there is none. */
  at(path: readonly string[]): unknown {
    return path.reduce<unknown>((value, name) => {
      if (value === null || typeof value !== 'object') return undefined;
      const key = Object.keys(value).find((each) => each.toLowerCase() === name.toLowerCase());
      return key === undefined ? undefined : (value as Record<string, unknown>)[key];
    }, this.#value);
  }

  /** Throws BAD_USER_INPUT for more than `limit` items, before any of them is read. */
  array(limit = this.#batchMax): Members[] {
    if (!Array.isArray(this.#value)) throw invalid('', 'an array');
    if (this.#value.length > limit) throw invalid('', `an array of at most ${limit} items`);
    return this.#value.map((each, index) => membersOf(each, String(index)));
  }
}

/**
 * The JSON body of a request, whatever its content type; empty text is no body. Throws BAD_USER_INPUT for text that is
 * not JSON, and for one that exceeds the bounds of a batch before it is parsed.
 */
export function parseBody(text: string, batchMax: number): Body {
  if (text.trim() === '') return new Body(undefined);
  const excess = excessOf(text, jsonBounds(batchMax));
  if (excess) throw badInput(`The body holds more than ${excess}.`);
  try {
    return new Body(JSON.parse(text), batchMax);
  } catch (cause) {
    throw badInput('The body is not JSON.', undefined, cause);
  }
}
