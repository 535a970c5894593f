import { createHash } from 'node:crypto';

/** Times a text must be sent before it gets a name: a single use is not worth a plan on every connection. */
const MIN_USES = 3;

/** Each name keeps a plan on each connection, some tens of kilobytes. */
const MAX_NAMES = 250;

/** Texts without a name whose uses are counted. */
const MAX_COUNTED = 2_000;

/** Errors behind a pooler that shares connections: the name exists already, or does not exist. */
const POOLER_CODES = new Set<unknown>(['42P05', '26000']);

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

/**
 * Whether a statement failed only because of its name: behind a pooler that shares connections, or because a migration
 * changed the columns of a cached plan.
 */
export const isStatementNameError = (error: unknown): boolean =>
  POOLER_CODES.has(codeOf(error)) ||
  (codeOf(error) === '0A000' && /cached plan/.test((error as Error).message));

/**
 * Names of repeated statements, which PostgreSQL then parses and plans once for each connection. A name contains the hash
 * of its text, so that it means the same on every connection and in every process.
 */
export class StatementNames {
  readonly #names = new Map<string, string>();
  readonly #uses = new Map<string, number>();
  #generation = 0;
  #behindPooler = false;

  /** Returns undefined for a text that is sent without a name. */
  of(text: string): string | undefined {
    const existing = this.#names.get(text);
    if (existing !== undefined || this.#behindPooler || this.#names.size >= MAX_NAMES) return existing;
    const uses = (this.#uses.get(text) ?? 0) + 1;
    if (uses < MIN_USES) {
      if (this.#uses.size >= MAX_COUNTED) this.#uses.clear();
      this.#uses.set(text, uses);
      return undefined;
    }
    this.#uses.delete(text);
    const name = `d${this.#generation}_${createHash('sha256').update(text).digest('base64url')}`;
    this.#names.set(text, name);
    return name;
  }

  /**
   * Returns whether a statement failed only because of its name, before it had any effect, and should be sent again without
   * one. All names are then replaced; behind a pooler that shares connections, none are used any more.
   */
  failed(error: unknown): boolean {
    if (!isStatementNameError(error)) return false;
    this.#names.clear();
    this.#generation++;
    this.#behindPooler ||= POOLER_CODES.has(codeOf(error));
    return true;
  }
}
