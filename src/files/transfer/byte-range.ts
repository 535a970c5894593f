/** The requested part of an object, both ends included. */
export interface ByteRange {
  start: number;
  end: number;
}

const SHAPE = /^bytes[ \t]*=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/**
 * Reads the Range header of a download (RFC 9110 §14.2). Undefined for the whole object: no header, an
 * invalid one, or several ranges, which a server need not serve. 'unsatisfiable' when no byte of the object is in it.
 */
export function parseByteRange(
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  const [whole, first, last] = SHAPE.exec(header ?? '') ?? [];
  if (!whole || (!first && !last)) return undefined;
  if (!first) return suffix(Number(last), size);
  const start = Number(first);
  const end = last ? Number(last) : Number.POSITIVE_INFINITY;
  if (start > end) return undefined;
  return start < size ? { start, end: Math.min(end, size - 1) } : 'unsatisfiable';
}

/** All of an empty object is satisfiable (RFC 9110 §14.1.2), though a Content-Range cannot express it. */
function suffix(length: number, size: number): ByteRange | 'unsatisfiable' | undefined {
  if (length === 0) return 'unsatisfiable';
  return size === 0 ? undefined : { start: Math.max(0, size - length), end: size - 1 };
}
