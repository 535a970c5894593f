import type { ByteSource } from '../store/byte-source.ts';

/** Converts office files to PDF. */
export interface OfficeConverter {
  /** What converts them, for the log and `/readyz`. */
  readonly description: string;
  /** Why it cannot be used at the moment; undefined where it can. Without this function, it was tried at the start. */
  fault?(): Promise<string | undefined>;
  /**
   * The file as a PDF, which nobody has checked yet. `extension`: by its type, such as `docx`. Throws NotConvertible, TryLater where
   * there was no capacity, the reason of `signal`, what the source throws, and other errors where the converter itself fails.
   */
  convert(source: ByteSource, extension: string, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
}

/** A file cannot be converted, for a reason that is meant for its owner. `retries`: how many more attempts may help. */
export class NotConvertible extends Error {
  constructor(
    publicText: string,
    readonly retries: number,
  ) {
    super(publicText);
  }
}

/** Bytes of a file that is converted, and of the PDF. */
const MAX_INPUT = 100 * 2 ** 20;
export const MAX_OUTPUT = 100 * 2 ** 20;

/** Throws NotConvertible for a file that is empty or too large. */
export function requireSize({ size }: ByteSource): void {
  if (size === 0) throw new NotConvertible('It is empty.', 0);
  if (size > MAX_INPUT) throw new NotConvertible('It is larger than 100 MB.', 0);
}

export const TOO_LARGE = 'Its PDF would be larger than 100 MB.';
export const TOO_LONG = 'It takes too long to convert.';
export const UNREADABLE = 'It cannot be opened: it is broken, or locked with a password.';
