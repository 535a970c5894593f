import type { Context as Call, MiddlewareHandler } from 'hono';
import type { RateLimiter } from '../auth/rate-limiter.ts';
import type { SessionCookie } from '../auth/session-cookie.ts';
import type { Database } from '../db/database.ts';
import type { Context } from '../domain/kernel/context.ts';
import type { Viewer } from '../domain/kernel/viewer.ts';
import type { TokenContext } from '../domain/oauth/token.ts';
import type { TokenLimits } from '../domain/oauth/token-limits.ts';
import type { ClientDocuments } from './request/client-documents.ts';

/** What the endpoints of the authorization server need. */
export interface AuthorizationServer {
  db: Database;
  /** The issuer: https, without a trailing slash (RFC 8414 §2). */
  publicUrl: string;
  limits: TokenLimits & {
    authorizationCode: number;
    pushedRequest: number;
    /** Failed authentications a minute from one network, for one client and for all of them. */
    clientTries: number;
    clientTriesAddress: number;
    /** Authorization requests a minute from one network. */
    authorizeRequests: number;
  };
  /** With a window of a minute. */
  rateLimiter: RateLimiter;
  cookie: SessionCookie;
  /** Applications that documents on the web describe; undefined where they are refused. */
  documents: ClientDocuments | undefined;
  /** Origins that count as ours in the headers Origin and Sec-Fetch-Site. */
  ownOrigins: (call: Call) => string[];
  addressOf: (call: Call) => string;
  contextFor: (viewer: Viewer, requestId: string) => Context;
  requestIdOf: (call: Call) => string;
  /** Calls `tooLarge`, which throws, for a body of more than `maxBytes`. */
  bodyWithin: (maxBytes: number, tooLarge: () => never) => MiddlewareHandler;
  /** Counts that an application used something that is deprecated, by its names. */
  countDeprecated: (clientId: string, names: readonly string[]) => void;
  report: (error: unknown, requestId: string) => void;
}

/** The context of the domain's token functions. */
export const tokenContext = (server: AuthorizationServer, call: Call): TokenContext => ({
  db: server.db,
  limits: server.limits,
  issuer: server.publicUrl,
  ipAddress: server.addressOf(call),
});
