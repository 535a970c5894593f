import type { Client } from '../../generated/prisma/client.ts';

/** The characters of RFC 3986; a browser would rewrite others, or they would break a header. */
const URI_CHARACTERS = /^[\w\-.~:/?[\]@!$&'()*+,;=%]+$/;
const LOOPBACK_URI = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::([1-9]\d{0,4}))?(?=[/?]|$)(.*)$/;

/** Host names of the local machine, for which http is accepted. */
export const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Parameters of the authorization response: one of the same name in the URI would be sent twice (RFC 6749 §3.1). */
const RESPONSE_PARAMETERS = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri'];

/**
 * Why a redirect URI cannot be registered, or undefined. Fragments: RFC 6749 §3.1.2; schemes: RFC 8252 §7 and RFC 9700
 * §2.1. `native`: the client is a native application.
 */
export function redirectUriError(uri: string, native: boolean): string | undefined {
  if (uri.length > 2_000) return 'must not be longer than 2000 characters';
  if (!URI_CHARACTERS.test(uri) || !URL.canParse(uri)) return 'must be an absolute URI without a fragment';
  const { protocol, username, password, hostname, searchParams } = new URL(uri);
  if (username || password) return 'must not hold a user name or password';
  if (hostname.includes('*')) return 'must not hold a wildcard';
  if (RESPONSE_PARAMETERS.some((name) => searchParams.has(name)))
    return 'must not hold a parameter of the authorization response';
  if (protocol === 'https:') return undefined;
  if (protocol === 'http:')
    return LOCAL_HOSTS.has(hostname) ? undefined : 'must use https, except on the local machine';
  if (!native) return 'must use https; only native clients have a scheme of their own';
  return protocol.includes('.')
    ? undefined
    : 'must use a scheme that is a domain name in reverse, such as com.example.app';
}

/**
 * Why people cannot be shown the URL of a page of the application, or undefined. In its normal form, the host that is read
 * from it is the one that a browser opens.
 */
export function pageUrlError(url: string): string | undefined {
  if (url.length > 300) return 'must not be longer than 300 characters';
  if (!url.startsWith('https://') || !URL.canParse(url)) return 'must be an absolute https URL';
  const { href, username, password } = new URL(url);
  if (username || password) return 'must not hold a user name or password';
  return href === url || href === `${url}/` ? undefined : `must be in its normal form: ${href}`;
}

/**
 * Whether the client has registered the URI: compared exactly (RFC 9700 §2.1), but for the port of a native client's
 * loopback address (RFC 8252 §7.3). So for `localhost`, which many native clients register although it is a name that
 * might be resolved elsewhere (§8.3); the consent page says that it is this computer which must be meant.
 */
export function isRedirectUriOf(
  { native, redirectUris }: Pick<Client, 'native' | 'redirectUris'>,
  uri: string,
): boolean {
  if (redirectUris.includes(uri)) return true;
  const requested = native ? LOOPBACK_URI.exec(uri) : null;
  if (!requested || Number(requested[2] ?? 80) > 65_535) return false;
  return redirectUris.some((redirectUri) => {
    const registered = LOOPBACK_URI.exec(redirectUri);
    return registered?.[1] === requested[1] && registered?.[3] === requested[3];
  });
}
