/**
 * The Content-Range of an upload request: a piece of the file from `start` to `end` (exclusive), or a status query without a
 * piece. `total` is undefined if the client does not know it yet.
 */
export type UploadRange =
  | { piece: true; start: number; end: number; total?: number }
  | { piece: false; total?: number };

const SHAPE = /^bytes[ ]+(?:(\d{1,15})-(\d{1,15})|\*)[ ]*\/[ ]*(?:(\d{1,15})|\*)$/i;

/**
 * Reads RFC 9110 §14.4, and `*` for a status query. Undefined for anything else. `0-0/0` is the status query for an
 * empty file: the header has no syntax for an empty range.
 */
export function parseUploadRange(header: string): UploadRange | undefined {
  const [whole, first, last, size] = SHAPE.exec(header.trim()) ?? [];
  if (!whole) return undefined;
  const total = size === undefined ? undefined : Number(size);
  const [start, end] = [Number(first), Number(last) + 1];
  if (first === undefined || (end === 1 && total === 0)) return { piece: false, total };
  if (start >= end || (total !== undefined && end > total)) return undefined;
  return { piece: true, start, end, total };
}
