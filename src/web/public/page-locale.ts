import { parseAccept } from 'hono/utils/accept';

const DEFAULT_LOCALE = 'en-US';

/** The language that the reader of a page prefers (RFC 9110 §12.5.4), of those that Intl knows. */
export function localeOf(acceptLanguage: string | undefined): string {
  const tags = parseAccept(acceptLanguage ?? '').map(({ type }) => type);
  return tags.find(isKnown) ?? DEFAULT_LOCALE;
}

function isKnown(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false; // not a language tag, such as `*`
  }
}
