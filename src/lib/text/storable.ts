/** What a text has to be, as a requirement. PostgreSQL rejects NUL, and lone surrogates would silently become U+FFFD. */
export const STORABLE = 'text without NUL characters and lone surrogates';

export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

interface UnstorableText {
  path: (string | number)[];
  text: string;
}

/** The first text in a value that cannot be stored, with its path; `value` as JSON has it. Keys are not looked at. */
export function findUnstorable(value: unknown): UnstorableText | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : { path: [], text: value };
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, each] of Object.entries(value)) {
    const below = findUnstorable(each);
    if (below) return { ...below, path: [Array.isArray(value) ? Number(key) : key, ...below.path] };
  }
  return undefined;
}
