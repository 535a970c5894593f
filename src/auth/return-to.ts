/** Placeholder origin; a URL that resolves elsewhere is off-site. */
const PLACEHOLDER_ORIGIN = 'http://here.invalid';

/**
 * Where to redirect after signing in: a path of this site with its query, else `fallback`. Browsers read `\` as `/`, drop
 * tabs and line breaks, and resolve `/.//host` to `//host`, so the path is checked as they resolve it.
 */
export function returnTo(requested: string | null | undefined, fallback: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
  if (!requested || requested.length > 6_000 || !/^\/(?![/\\])[^\\\u0000-\u0020\u007f]*$/.test(requested))
    return fallback;
  const { origin, pathname, search, hash } = new URL(requested, PLACEHOLDER_ORIGIN);
  return origin === PLACEHOLDER_ORIGIN && !pathname.startsWith('//') ? pathname + search + hash : fallback;
}
