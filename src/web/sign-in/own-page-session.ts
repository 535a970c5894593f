import type { Context as Call } from 'hono';
import { senderOf } from '../../auth/same-origin.ts';
import type { SessionCookie } from '../../auth/session-cookie.ts';
import { type Session, sessionOfRequest } from '../../auth/sign-in.ts';
import type { Database } from '../../db/database.ts';
import { isJson } from '../../graph/http/http.ts';

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
