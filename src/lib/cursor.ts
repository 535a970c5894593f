import { isStorable } from './text/storable.ts';

/** A position in an ordered list: the values of the sort key of one row, its id last. */
export type Position = readonly (string | number | null)[];

/** Opaque to clients: base64url of a JSON array. */
export const encodeCursor = (position: Position): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');

/** Undefined if the text is not a cursor of `length` values. A cursor grants nothing: the query checks access to each row. */
export function decodeCursor(cursor: string, length: number): Position | undefined {
  if (cursor.length > 2_000) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) && value.length === length && value.every(isKey) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isKey = (value: unknown): boolean =>
  value === null || typeof value === 'number' || (typeof value === 'string' && isStorable(value));
