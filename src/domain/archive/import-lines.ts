import { badInput } from '../kernel/errors.ts';
import { rowsPath } from './bag.ts';
import type { Bag } from './bag-check.ts';

/** A line of a file of rows, as it is, and parsed. */
export interface RowLine {
  text: string;
  row: Record<string, unknown>;
}

/** Lines and characters that are inserted at a time. */
const BATCH = 500;
const BATCH_LENGTH = 4 * 2 ** 20;

/** Characters of a line. */
const MAX_LINE = 64 * 2 ** 20;

/** Yields the rows of a table in batches. Throws BAD_USER_INPUT for what is no row. */
export async function* readRows(bag: Bag, table: string): AsyncGenerator<RowLine[]> {
  let [batch, length, number] = [[] as RowLine[], 0, 0];
  for await (const text of linesOf(bag, table)) {
    batch.push({ text, row: parseRow(text, `${rowsPath(table)}, line ${++number}`) });
    length += text.length;
    if (batch.length < BATCH && length < BATCH_LENGTH) continue;
    yield batch;
    [batch, length] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

function parseRow(text: string, at: string): Record<string, unknown> {
  let row: unknown;
  try {
    row = JSON.parse(text);
  } catch (cause) {
    throw badInput(`${at} is no JSON.`, undefined, cause);
  }
  if (typeof row !== 'object' || row === null || Array.isArray(row)) throw badInput(`${at} is no row.`);
  return row as Record<string, unknown>;
}

async function* linesOf(bag: Bag, table: string): AsyncGenerator<string> {
  const content = bag.payload.get(rowsPath(table));
  if (!content) throw badInput(`The archive has no ${rowsPath(table)}.`);
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let rest = '';
  for await (const bytes of bag.bytes(content)) {
    const lines = (rest + decode(decoder, bytes, table)).split('\n');
    rest = lines.pop() as string;
    if (rest.length > MAX_LINE) throw badInput(`${rowsPath(table)} has a line that is too long.`);
    yield* lines;
  }
  if (rest !== '') throw badInput(`${rowsPath(table)} does not end with its last line.`);
}

function decode(decoder: TextDecoder, bytes: Buffer, table: string): string {
  try {
    return decoder.decode(bytes, { stream: true });
  } catch (cause) {
    throw badInput(`${rowsPath(table)} is not UTF-8.`, undefined, cause);
  }
}
