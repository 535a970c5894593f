import { ID_PREFIXES, type IdType, typeOfId } from '../../src/lib/id.ts';

/** Also matches at the start of a line inside a JSON string, after the escape `\\n`. */
const ID = /(?:\b|(?<=\\n))[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g;
const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)/g;
const SECRET = /\bdg[a-z]_[\w-]+/g;
const ADDRESS = /http:\/\/docgraph\.test\/[^"\\\s]+/g;
/** Times in inputs are further in the future than any that the server generates. */
const YEAR_MS = 400 * 24 * 3_600_000;

/**
 * The ids of one twin numbered by creation, and its people by role. Texts of two twins are equal if they are equal
 * after `mask`. The ids of one process ascend, so sorting them gives the order of creation.
 */
export class IdNames {
  readonly #ids = new Map<string, string>();
  readonly #ofType = new Map<string, string[]>();
  readonly #emails: [string, string][];

  constructor(emails: Record<string, string>) {
    // The address with the role as prefix, then the original address.
    this.#emails = Object.entries(emails).flatMap(([part, email]): [string, string][] => [
      [email, `${part}@`],
      [email.replace(`${part}.`, ''), `${part}@`],
    ]);
  }

  learn(text: string): void {
    for (const id of [...new Set(text.match(ID) ?? [])].sort()) {
      if (this.#ids.has(id) || !typeOfId(id)) continue;
      const idsOfType = this.#ofType.get(id.slice(0, 3)) ?? [];
      idsOfType.push(id);
      this.#ofType.set(id.slice(0, 3), idsOfType);
      this.#ids.set(id, `<${id.slice(0, 3)} ${idsOfType.length}>`);
    }
  }

  /** Of a type, oldest first. */
  of(type: IdType): readonly string[] {
    return this.#ofType.get(ID_PREFIXES[type]) ?? [];
  }

  mask(text: string): string {
    const named = this.#emails.reduce((masked, [email, part]) => masked.replaceAll(email, part), text);
    return named
      .replace(ADDRESS, '<address>')
      .replace(SECRET, '<secret>')
      .replace(ID, (id) => this.#ids.get(id) ?? `<${id.slice(0, 3)} ?>`)
      .replace(UUID, '<uuid>')
      .replace(TIME, (time) => (Math.abs(Date.parse(time) - Date.now()) < YEAR_MS ? '<time>' : time));
  }
}
