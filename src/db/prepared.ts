import { createHash } from 'node:crypto';

/** A text is named once it came so often: what comes once is not worth keeping on every connection. */
const OFTEN = 3;

/** Each name holds a plan on each connection, some tens of kilobytes. */
const MOST = 250;

/** How many texts are counted at once, while they are not named. */
const COUNTED = 2_000;

/** A plan that a migration made stale (0A000), or a pooler that shares connections (42P05, 26000). */
const CODES = new Set(['0A000', '42P05', '26000']);

/**
 * Names for statements that come again, so that PostgreSQL parses and plans them once for each connection. A name is the
 * hash of its text: whoever prepared it, it means the same.
 */
export class StatementNames {
  readonly #names = new Map<string, string>();
  readonly #seen = new Map<string, number>();
  #generation = 0;
  #pooled = false;

  /** Undefined for a text that is to be sent without a name. */
  of(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || this.#pooled || this.#names.size >= MOST) return known;
    const times = (this.#seen.get(text) ?? 0) + 1;
    if (times < OFTEN) {
      if (this.#seen.size >= COUNTED) this.#seen.clear();
      this.#seen.set(text, times);
      return undefined;
    }
    this.#seen.delete(text);
    const name = `d${this.#generation}_${createHash('sha256').update(text).digest('base64url')}`;
    this.#names.set(text, name);
    return name;
  }

  /**
   * Whether a statement failed only because it had a name, before it did anything: then send it again. Names start anew
   * after a migration; behind a pooler that shares connections between transactions there are none from then on.
   */
  failed(error: unknown): boolean {
    const code = (error as { code?: unknown }).code as string;
    if (!CODES.has(code) || (code === '0A000' && !/cached plan/.test((error as Error).message))) return false;
    this.#names.clear();
    this.#generation++;
    this.#pooled ||= code !== '0A000';
    return true;
  }
}

const ARRAYS = /\.id = ANY\(\$(\d+)\)|\$(\d+)::text\[\]/g;

/**
 * The same statement with arrays of one id written as that id. PostgreSQL takes an array it does not know for ten items:
 * for one it would find its kept plan too dear, and plan anew each time. Each placeholder stands once in the text.
 */
export function oneWrittenOut(text: string, values: readonly unknown[]): { text: string; values: unknown[] } {
  const written = [...values];
  if (!values.some((value) => Array.isArray(value) && value.length === 1)) return { text, values: written };
  const changed = text.replace(ARRAYS, (match, byId?: string, cast?: string) => {
    const index = Number(byId ?? cast) - 1;
    const value = values[index];
    if (!Array.isArray(value) || value.length !== 1) return match;
    written[index] = value[0];
    return byId ? `.id = $${byId}` : `ARRAY[$${cast}::text]`;
  });
  return { text: changed, values: written };
}
