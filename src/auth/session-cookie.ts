import { parse, serialize } from 'hono/utils/cookie';

/** The cookie with the secret of a browser session. */
export interface SessionCookie {
  readonly name: string;
  /** The secret, if the request has the cookie. */
  read(headers: Headers): string | undefined;
  /** A Set-Cookie header; the lifetime is in milliseconds. */
  set(secret: string, lifetime: number): string;
  clear(): string;
}

/** Over https, the name prefix keeps other hosts of the domain from setting the cookie (RFC 6265bis §4.1.3.2). */
export function sessionCookie(publicUrl: string): SessionCookie {
  const secure = publicUrl.startsWith('https:');
  const name = secure ? '__Host-docgraph_session' : 'docgraph_session';
  const header = (value: string, maxAge: number) =>
    serialize(name, value, { path: '/', httpOnly: true, sameSite: 'Lax', secure, maxAge });
  return {
    name,
    read: (headers) => parse(headers.get('cookie') ?? '', name)[name],
    set: (secret, lifetime) => header(secret, Math.floor(lifetime / 1000)),
    clear: () => header('', 0),
  };
}
