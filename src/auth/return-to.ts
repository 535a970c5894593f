/** No origin of anybody: what leaves it leaves us. */
const PLACEHOLDER_ORIGIN = 'http://here.invalid';

/**
 * Where to go on after signing in: a path of ours with its query, else `fallback`. Browsers read `\` as `/`, drop tabs
 * and line breaks, and resolve `/.//host` to `//host`, so the path is judged as they will see it.
 */
export function returnTo(requested: string | null | undefined, fallback: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
  if (!requested || requested.length > 6_000 || !/^\/(?![/\\])[^\\\u0000-\u0020\u007f]*$/.test(requested))
    return fallback;
  const { origin, pathname, search, hash } = new URL(requested, PLACEHOLDER_ORIGIN);
  return origin === PLACEHOLDER_ORIGIN && !pathname.startsWith('//') ? pathname + search + hash : fallback;
}
