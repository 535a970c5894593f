import { badValue } from '../../domain/kernel/errors.ts';
import { isZeroTime, keyOfTerm } from './values.ts';

/** BAD_USER_INPUT for a member whose value does not have the form of the contract; '' is the body. */
export const invalid = (member: string, expected: string) =>
  badValue(member, `must be ${expected}.`, { subject: member || 'The body', separator: ' ' });

/** BAD_USER_INPUT for a text that is not one of the contract's for this member. */
export const notATerm = (member: string, terms: readonly string[]) =>
  badValue(member, terms.length > 0 ? `must be one of ${terms.join(', ')}.` : 'is not known here.');

/**
 * The members of a JSON object, or the parameters of a query. Names are matched without case (contract, "JSON style");
 * null reads as absent. The getters return undefined for an absent member, and throw BAD_USER_INPUT for another type.
 */
export class Members {
  readonly #values = new Map<string, unknown>();
  readonly #path: string;

  /** `path` of the object in the body, '' for the body. Throws BAD_USER_INPUT for a name that occurs twice. */
  constructor(entries: Iterable<[string, unknown]>, path = '') {
    this.#path = path;
    for (const [name, value] of entries) {
      const key = name.toLowerCase();
      if (this.#values.has(key)) throw badValue(this.pathOf(name), 'is given twice.', { separator: ' ' });
      this.#values.set(key, value);
    }
  }

  value(name: string): unknown {
    return this.#values.get(name.toLowerCase()) ?? undefined;
  }

  /** The path of a member in the body, as errors name it: `2.DueOn` is `DueOn` of the third item. */
  pathOf(name: string): string {
    return this.#path ? `${this.#path}.${name}` : name;
  }

  text(name: string): string | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === 'string') return value;
    throw invalid(this.pathOf(name), 'a string');
  }

  /** Throws BAD_USER_INPUT for an absent member, too. */
  required(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw invalid(this.pathOf(name), 'given, as a string');
    return value;
  }

  /** The key of one of `terms`, compared without case; undefined for an empty text. */
  term<Key extends string>(name: string, terms: Record<Key, string>): Key | undefined {
    const term = this.text(name);
    if (!term) return undefined;
    const key = keyOfTerm(terms, term);
    if (!key) throw notATerm(this.pathOf(name), Object.values(terms));
    return key;
  }

  /** Throws BAD_USER_INPUT for an absent or empty member, too. */
  requiredTerm<Key extends string>(name: string, terms: Record<Key, string>): Key {
    const key = this.term(name, terms);
    if (!key) throw invalid(this.pathOf(name), `given, as one of ${Object.values(terms).join(', ')}`);
    return key;
  }

  /** The members of a nested object. */
  object(name: string): Members | undefined {
    const value = this.value(name);
    return value === undefined ? undefined : membersOf(value, this.pathOf(name));
  }

  /** An array of objects. */
  objects(name: string): Members[] | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) throw invalid(this.pathOf(name), 'an array');
    return value.map((each, index) => membersOf(each, `${this.pathOf(name)}.${index}`));
  }

  /** Booleans of a query arrive as `true` and as `True`; an empty one is absent. */
  flag(name: string): boolean | undefined {
    const value = this.value(name);
    if (value === undefined || value === '' || typeof value === 'boolean')
      return value === '' ? undefined : value;
    if (/^true$/i.test(String(value))) return true;
    if (/^false$/i.test(String(value))) return false;
    throw invalid(this.pathOf(name), 'true or false');
  }

  integer(name: string): number | undefined {
    const value = this.value(name);
    if (value === undefined || Number.isSafeInteger(value)) return value as number | undefined;
    throw invalid(this.pathOf(name), 'a whole number');
  }

  number(name: string): number | undefined {
    const value = this.value(name);
    if (value === undefined || Number.isFinite(value)) return value as number | undefined;
    throw invalid(this.pathOf(name), 'a number');
  }

  /** A time, which the graph checks; null for one that is unset: the zero time, or empty. Undefined if it is absent. */
  time(name: string): string | null | undefined {
    const value = this.text(name);
    return isZeroTime(value) ? null : value;
  }

  texts(name: string): string[] | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (isTexts(value)) return value;
    throw invalid(this.pathOf(name), 'an array of strings');
  }

  /** Throws BAD_USER_INPUT for an absent member, too. */
  requiredTexts(name: string): string[] {
    const value = this.texts(name);
    if (value === undefined) throw invalid(this.pathOf(name), 'given, as an array of strings');
    return value;
  }

  /** An object whose names are data and keep their case, such as ids of fields, with an array of strings for each. */
  textsByName(name: string): Record<string, string[]> | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    const isObject = typeof value === 'object' && !Array.isArray(value);
    if (!isObject || !Object.values(value as object).every(isTexts))
      throw invalid(this.pathOf(name), 'an object of arrays of strings');
    return value as Record<string, string[]>;
  }
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

/** The members of the object at `path` of the body, '' for the body. Throws BAD_USER_INPUT for anything but an object. */
export function membersOf(value: unknown, path: string): Members {
  if (value == null || typeof value !== 'object' || Array.isArray(value)) throw invalid(path, 'an object');
  return new Members(Object.entries(value), path);
}
