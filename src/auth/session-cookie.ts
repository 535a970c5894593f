import { parse, serialize } from 'hono/utils/cookie';

/** A cookie with a secret of the browser. */
export interface SessionCookie {
  readonly name: string;
  /** The secret, if the request has the cookie. */
  read(headers: Headers): string | undefined;
  /** A Set-Cookie header; the lifetime is in milliseconds. */
  set(secret: string, lifetime: number): string;
  clear(): string;
}

/** Of a browser session. */
export const sessionCookie = (publicUrl: string): SessionCookie =>
  secretCookie(publicUrl, 'docgraph_session');

/** Of a sign-in that a second factor has to complete. It opens nothing else. */
export const pendingCookie = (publicUrl: string): SessionCookie =>
  secretCookie(publicUrl, 'docgraph_sign_in');

/** Of a browser that has asked for the challenge of a passkey. */
export const passkeyCookie = (publicUrl: string): SessionCookie =>
  secretCookie(publicUrl, 'docgraph_passkey');

/** Of a browser, by which it is recognised when it signs in again. It opens nothing. */
export const deviceCookie = (publicUrl: string): SessionCookie => secretCookie(publicUrl, 'docgraph_device');

/** Of a sign-in at the identity provider. It opens nothing else. */
export const oidcCookie = (publicUrl: string): SessionCookie => secretCookie(publicUrl, 'docgraph_oidc');

/** Over https, the name prefix keeps other hosts of the domain from setting the cookie (RFC 6265bis §4.1.3.2). */
function secretCookie(publicUrl: string, baseName: string): SessionCookie {
  const secure = publicUrl.startsWith('https:');
  const name = secure ? `__Host-${baseName}` : baseName;
  const header = (value: string, maxAge: number) =>
    serialize(name, value, { path: '/', httpOnly: true, sameSite: 'Lax', secure, maxAge });
  return {
    name,
    read: (headers) => parse(headers.get('cookie') ?? '', name)[name],
    set: (secret, lifetime) => header(secret, Math.floor(lifetime / 1000)),
    clear: () => header('', 0),
  };
}
