/**
 * What the Content-Range of an upload request says: a piece of the file from `start` up to, not including, `end`, or
 * no piece at all but a question how far things are. `total` is undefined where the client does not know it yet.
 */
export type UploadRange =
  | { piece: true; start: number; end: number; total?: number }
  | { piece: false; total?: number };

const SHAPE = /^bytes[ ]+(?:(\d{1,15})-(\d{1,15})|\*)[ ]*\/[ ]*(?:(\d{1,15})|\*)$/i;

/**
 * Reads RFC 9110 §14.4, and the `*` in place of a piece. Undefined for anything else. `0-0/0` asks whether the empty
 * file is whole: the header has no way to say "no bytes", so clients write it so.
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
