import type { Client } from '../../generated/prisma/client.ts';

/** What RFC 3986 allows in a URI; everything else would be rewritten by a browser, or break a header. */
const URI = /^[\w\-.~:/?[\]@!$&'()*+,;=%]+$/;
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\])(?::([1-9]\d{0,4}))?(?=[/?]|$)(.*)$/;
const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Parameters of our answer: one of the same name in the address would be sent twice (RFC 6749 §3.1). */
const OURS = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri'];

/** Why an address cannot be registered, or undefined. Fragments: RFC 6749 §3.1.2; schemes: RFC 8252 §7, RFC 9700 §2.1. */
export function redirectUriFault(uri: string, native: boolean): string | undefined {
  if (uri.length > 2_000) return 'must not be longer than 2000 characters';
  if (!URI.test(uri) || !URL.canParse(uri)) return 'must be an absolute URI without a fragment';
  const { protocol, username, password, hostname, searchParams } = new URL(uri);
  if (username || password) return 'must not hold a user name or password';
  if (hostname.includes('*')) return 'must not hold a wildcard';
  if (OURS.some((name) => searchParams.has(name)))
    return 'must not hold a parameter of the authorization response';
  if (protocol === 'https:') return undefined;
  if (protocol === 'http:')
    return LOCAL.has(hostname) ? undefined : 'must use https, except on the local machine';
  if (!native) return 'must use https; only native clients have a scheme of their own';
  return protocol.includes('.')
    ? undefined
    : 'must use a scheme that is a domain name in reverse, such as com.example.app';
}

/**
 * Character for character (RFC 9700 §2.1). A native client may listen on any port of a loopback address it registered
 * (RFC 8252 §7.3); `localhost` is a name, and no such address.
 */
export function isRedirectUriOf(
  { native, redirectUris }: Pick<Client, 'native' | 'redirectUris'>,
  uri: string,
): boolean {
  if (redirectUris.includes(uri)) return true;
  const asked = native ? LOOPBACK.exec(uri) : null;
  if (!asked || Number(asked[2] ?? 80) > 65_535) return false;
  return redirectUris.some((each) => {
    const known = LOOPBACK.exec(each);
    return known?.[1] === asked[1] && known?.[3] === asked[3];
  });
}
