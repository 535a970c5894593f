import type { Context as Call } from 'hono';
import { requireOwnForm, senderOf } from '../../auth/same-origin.ts';
import { type Session, sessionOfRequest } from '../../auth/session.ts';
import type { SessionCookie } from '../../auth/session-cookie.ts';
import type { Database } from '../../db/database.ts';
import { isJson } from '../../graph/http/media-type.ts';

export interface SessionOptions {
  db: Database;
  cookie: SessionCookie;
  ownOrigins: (call: Call) => string[];
}

/**
 * The browser session that authenticates a GraphQL request. The cookie counts only for JSON posted from a page of ours
 * without a bearer credential, as no other site can send that.
 */
export async function ownPageSession(
  { db, cookie, ownOrigins }: SessionOptions,
  call: Call,
): Promise<Session | undefined> {
  const { headers, method } = call.req.raw;
  if (method !== 'POST' || headers.has('authorization') || !isJson(call.req.header('content-type')))
    return undefined;
  return senderOf(headers, ownOrigins(call)) === 'own' ? sessionOfRequest(db, cookie, headers) : undefined;
}

/** Request header with the `formToken` of the session that a page was rendered for. */
export const PAGE_TOKEN_HEADER = 'Docgraph-Page-Token';

/**
 * The browser session that authenticates a REST request. As a link or a form can send GET and POST too, the cookie counts only with the
 * token of a page that was rendered for this session. Throws FORBIDDEN for the token of another session.
 */
export async function pageTokenSession(
  { db, cookie, ownOrigins }: SessionOptions,
  call: Call,
): Promise<Session | undefined> {
  const { headers } = call.req.raw;
  const token = headers.get(PAGE_TOKEN_HEADER);
  const own = ownOrigins(call);
  if (token === null || headers.has('authorization') || senderOf(headers, own) !== 'own') return undefined;
  const session = await sessionOfRequest(db, cookie, headers);
  if (session) requireOwnForm(headers, own, { secret: session.secret, token });
  return session;
}
