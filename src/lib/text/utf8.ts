const strict = new TextDecoder('utf-8', { fatal: true });

/** Decodes UTF-8 without a byte order mark; undefined if invalid, where lenient decoders would insert U+FFFD. */
export function utf8(bytes: ArrayBuffer): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}
