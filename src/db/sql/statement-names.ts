import { createHash } from 'node:crypto';

/** A text is named once it came so often: what comes once is not worth keeping on every connection. */
const OFTEN = 3;

/** Each name holds a plan on each connection, some tens of kilobytes. */
const MOST = 250;

/** How many texts are counted at once, while they are not named. */
const COUNTED = 2_000;

/** Of a pooler that shares connections: the name is taken, or nobody knows it. */
const SHARED = new Set<unknown>(['42P05', '26000']);

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

/**
 * Whether a statement failed only because it had a name: one that another connection was meant with, or a plan that a
 * migration made stale.
 */
export const isStatementNameError = (error: unknown): boolean =>
  SHARED.has(codeOf(error)) || (codeOf(error) === '0A000' && /cached plan/.test((error as Error).message));

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
    if (!isStatementNameError(error)) return false;
    this.#names.clear();
    this.#generation++;
    this.#pooled ||= SHARED.has(codeOf(error));
    return true;
  }
}
