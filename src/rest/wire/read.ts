import { DomainError } from '../../domain/kernel/errors.ts';
import { excessOf, jsonBounds } from '../../lib/json-bounds.ts';

/** Refuses what the wire contract cannot mean, naming the member. */
const bad = (member: string, wanted: string) =>
  new DomainError('BAD_USER_INPUT', `${member} must be ${wanted}.`, { at: member });

/** Names are matched without regard to case (contract, "JSON style"). */
export class Members {
  readonly #values = new Map<string, unknown>();

  constructor(entries: Iterable<[string, unknown]>) {
    for (const [name, value] of entries) {
      const key = name.toLowerCase();
      if (this.#values.has(key))
        throw new DomainError('BAD_USER_INPUT', `${name} is given twice.`, { at: name });
      this.#values.set(key, value);
    }
  }

  /** Undefined for what is absent or null. */
  #get(name: string): unknown {
    return this.#values.get(name.toLowerCase()) ?? undefined;
  }

  has(name: string): boolean {
    return this.#get(name) !== undefined;
  }

  text(name: string): string | undefined {
    const value = this.#get(name);
    if (value === undefined || typeof value === 'string') return value;
    throw bad(name, 'a string');
  }

  required(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw bad(name, 'given, as a string');
    return value;
  }

  /** A record within the record. */
  member(name: string): Members | undefined {
    const value = this.#get(name);
    return value === undefined ? undefined : members(value, name);
  }

  /** The records of an array. */
  list(name: string): Members[] | undefined {
    const value = this.#get(name);
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) throw bad(name, 'an array');
    return value.map((each, index) => members(each, `${name}.${index}`));
  }

  /** Query booleans arrive as `true` and as `True`. */
  flag(name: string): boolean | undefined {
    const value = this.#get(name);
    if (value === undefined || value === '' || typeof value === 'boolean')
      return value === '' ? undefined : value;
    if (/^true$/i.test(String(value))) return true;
    if (/^false$/i.test(String(value))) return false;
    throw bad(name, 'true or false');
  }

  integer(name: string): number | undefined {
    const value = this.#get(name);
    if (value === undefined || Number.isSafeInteger(value)) return value as number | undefined;
    throw bad(name, 'a whole number');
  }

  number(name: string): number | undefined {
    const value = this.#get(name);
    if (value === undefined || Number.isFinite(value)) return value as number | undefined;
    throw bad(name, 'a number');
  }

  /** A timestamp; the zero time is none. */
  time(name: string): string | undefined {
    const value = this.text(name);
    return value === '' || value?.startsWith('0001-01-01T00:00:00') ? undefined : value;
  }

  /** Lists of strings by names that are data, and so keep their case. */
  lists(name: string): Record<string, string[]> | undefined {
    const value = this.#get(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'object' || Array.isArray(value)) throw bad(name, 'an object of arrays of strings');
    for (const each of Object.values(value as object))
      if (!isTexts(each)) throw bad(name, 'an object of arrays of strings');
    return value as Record<string, string[]>;
  }

  texts(name: string): string[] | undefined {
    const value = this.#get(name);
    if (value === undefined) return undefined;
    if (isTexts(value)) return value;
    throw bad(name, 'an array of strings');
  }
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

export type Query = Members;

/** A request's JSON body, read as the contract has it: one object, or an array of at most `batchMax` objects. */
export class Body {
  readonly #value: unknown;
  readonly #batchMax: number;

  constructor(value: unknown, batchMax = Number.POSITIVE_INFINITY) {
    this.#value = value;
    this.#batchMax = batchMax;
  }

  /** Of a row that takes plain text. */
  plainText(): string {
    return String(this.#value ?? '');
  }

  object(): Members {
    return members(this.#value, 'The body');
  }

  /** Where the contract takes no body at all as well; it has no members. */
  optionalObject(): Members {
    return this.#value === undefined ? new Members([]) : this.object();
  }

  isArray(): boolean {
    return Array.isArray(this.#value);
  }

  /** The first of several records, where there is one. */
  first(): Members | undefined {
    const [item] = Array.isArray(this.#value) ? this.#value : [];
    return item && typeof item === 'object' ? members(item, 'Item 0') : undefined;
  }

  /** Throws BAD_USER_INPUT for more than `most` items, before any of them is read. */
  array(most = this.#batchMax): Members[] {
    if (!Array.isArray(this.#value)) throw bad('The body', 'an array');
    if (this.#value.length > most) throw bad('The body', `an array of at most ${most} items`);
    return this.#value.map((each, index) => members(each, `Item ${index}`));
  }
}

function members(value: unknown, what: string): Members {
  if (value == null || typeof value !== 'object' || Array.isArray(value)) throw bad(what, 'an object');
  return new Members(Object.entries(value));
}

/**
 * The JSON body of a request: no text reads as undefined, whatever the content type says. Throws BAD_USER_INPUT, and for
 * what exceeds the bounds of a batch before it is parsed.
 */
export function readBody(text: string, batchMax: number): Body {
  if (text.trim() === '') return new Body(undefined);
  const excess = excessOf(text, jsonBounds(batchMax));
  if (excess) throw new DomainError('BAD_USER_INPUT', `The body holds more than ${excess}.`);
  try {
    return new Body(JSON.parse(text), batchMax);
  } catch (cause) {
    throw new DomainError('BAD_USER_INPUT', 'The body is not JSON.', { cause });
  }
}
