import { badInput } from '../../domain/kernel/errors.ts';
import { keyOfTerm } from './values.ts';

/** BAD_USER_INPUT for a member whose value does not have the form of the contract. */
export const invalid = (member: string, expected: string) =>
  badInput(`${member} must be ${expected}.`, member);

/** BAD_USER_INPUT for a text that is not one of the contract's for this member. */
export const notATerm = (member: string, term: string, terms: readonly string[]) =>
  badInput(`${member}: ${term.slice(0, 100).toWellFormed()} is none of ${terms.join(', ')}.`, member);

/**
 * The members of a JSON object, or the parameters of a query. Names are matched without case (contract, "JSON style");
 * null reads as absent. The getters return undefined for an absent member, and throw BAD_USER_INPUT for another type.
 */
export class Members {
  readonly #values = new Map<string, unknown>();

  /** Throws BAD_USER_INPUT for a name that occurs twice. */
  constructor(entries: Iterable<[string, unknown]>) {
    for (const [name, value] of entries) {
      const key = name.toLowerCase();
      if (this.#values.has(key)) throw badInput(`${name} is given twice.`, name);
      this.#values.set(key, value);
    }
  }

  #get(name: string): unknown {
    return this.#values.get(name.toLowerCase()) ?? undefined;
  }

  text(name: string): string | undefined {
    const value = this.#get(name);
    if (value === undefined || typeof value === 'string') return value;
    throw invalid(name, 'a string');
  }

  /** Throws BAD_USER_INPUT for an absent member, too. */
  required(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw invalid(name, 'given, as a string');
    return value;
  }

  /** The key of one of `terms`, compared without case; undefined for an empty text. */
  term<Key extends string>(name: string, terms: Record<Key, string>): Key | undefined {
    const term = this.text(name);
    if (!term) return undefined;
    const key = keyOfTerm(terms, term);
    if (!key) throw notATerm(name, term, Object.values(terms));
    return key;
  }

  /** Throws BAD_USER_INPUT for an absent or empty member, too. */
  requiredTerm<Key extends string>(name: string, terms: Record<Key, string>): Key {
    const key = this.term(name, terms);
    if (!key) throw invalid(name, `given, as one of ${Object.values(terms).join(', ')}`);
    return key;
  }

  /** The members of a nested object. */
  object(name: string): Members | undefined {
    const value = this.#get(name);
    return value === undefined ? undefined : membersOf(value, name);
  }

  /** An array of objects. */
  objects(name: string): Members[] | undefined {
    const value = this.#get(name);
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) throw invalid(name, 'an array');
    return value.map((each, index) => membersOf(each, `${name}.${index}`));
  }

  /** Booleans of a query arrive as `true` and as `True`; an empty one is absent. */
  flag(name: string): boolean | undefined {
    const value = this.#get(name);
    if (value === undefined || value === '' || typeof value === 'boolean')
      return value === '' ? undefined : value;
    if (/^true$/i.test(String(value))) return true;
    if (/^false$/i.test(String(value))) return false;
    throw invalid(name, 'true or false');
  }

  integer(name: string): number | undefined {
    const value = this.#get(name);
    if (value === undefined || Number.isSafeInteger(value)) return value as number | undefined;
    throw invalid(name, 'a whole number');
  }

  number(name: string): number | undefined {
    const value = this.#get(name);
    if (value === undefined || Number.isFinite(value)) return value as number | undefined;
    throw invalid(name, 'a number');
  }

  /** A timestamp; undefined for the zero time. */
  time(name: string): string | undefined {
    const value = this.text(name);
    return value === '' || value?.startsWith('0001-01-01T00:00:00') ? undefined : value;
  }

  texts(name: string): string[] | undefined {
    const value = this.#get(name);
    if (value === undefined) return undefined;
    if (isTexts(value)) return value;
    throw invalid(name, 'an array of strings');
  }

  /** An object whose names are data and keep their case, such as ids of fields, with an array of strings for each. */
  textsByName(name: string): Record<string, string[]> | undefined {
    const value = this.#get(name);
    if (value === undefined) return undefined;
    const isObject = typeof value === 'object' && !Array.isArray(value);
    if (!isObject || !Object.values(value as object).every(isTexts))
      throw invalid(name, 'an object of arrays of strings');
    return value as Record<string, string[]>;
  }
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

/** Throws BAD_USER_INPUT, naming `what`, for anything but an object. */
export function membersOf(value: unknown, what: string): Members {
  if (value == null || typeof value !== 'object' || Array.isArray(value)) throw invalid(what, 'an object');
  return new Members(Object.entries(value));
}
