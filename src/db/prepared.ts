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
export const isAboutName = (error: unknown): boolean =>
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
    if (!isAboutName(error)) return false;
    this.#names.clear();
    this.#generation++;
    this.#pooled ||= SHARED.has(codeOf(error));
    return true;
  }
}

const ARRAYS = /\.id = ANY\(\$(\d+)\)|\$(\d+)::text\[\]/g;

/** A text, where its arrays stand, and how it reads with some of them written out: one bit for each that is. */
interface Written {
  text: string;
  /** Indexes of the values. */
  arrays: readonly number[];
  texts: Map<number, string>;
}

/** Bits of a small integer. */
const MOST_ARRAYS = 30;

const known = new Map<string, Written>();

/** Texts are long: each is kept as one string, which is looked through once. */
function writtenOf(text: string): Written {
  const found = known.get(text);
  if (found) return found;
  const arrays = [...text.matchAll(ARRAYS)]
    .slice(0, MOST_ARRAYS)
    .map(([, byId, cast]) => Number(byId ?? cast) - 1);
  const written = { text, arrays, texts: new Map([[0, text]]) };
  if (known.size >= COUNTED) known.clear();
  known.set(text, written);
  return written;
}

const isOne = (value: unknown): value is [unknown] => Array.isArray(value) && value.length === 1;

/**
 * The same statement with arrays of one id written as that id. PostgreSQL takes an array it does not know for ten items:
 * for one it would find its kept plan too dear, and plan anew each time. Each placeholder stands once in the text.
 */
export function oneWrittenOut(text: string, values: readonly unknown[]): { text: string; values: unknown[] } {
  const written = writtenOf(text);
  const given = [...values];
  let bits = 0;
  for (const [bit, index] of written.arrays.entries()) {
    const value = values[index];
    if (!isOne(value)) continue;
    bits |= 1 << bit;
    given[index] = value[0];
  }
  return { text: textWith(written, bits), values: given };
}

function textWith({ text, arrays, texts }: Written, bits: number): string {
  const made =
    texts.get(bits) ??
    text.replace(ARRAYS, (match, byId?: string, cast?: string) => {
      const bit = arrays.indexOf(Number(byId ?? cast) - 1);
      if (bit < 0 || !(bits & (1 << bit))) return match;
      return byId ? `.id = $${byId}` : `ARRAY[$${cast}::text]`;
    });
  texts.set(bits, made);
  return made;
}
