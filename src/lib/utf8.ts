const strict = new TextDecoder('utf-8', { fatal: true });

/** The text of these bytes, without a byte order mark; undefined where they are no UTF-8, which a lenient reader turns into U+FFFD unasked. */
export function utf8(bytes: ArrayBuffer): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}
