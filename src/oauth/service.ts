import type { Context as Call, MiddlewareHandler } from 'hono';
import type { RateLimiter } from '../auth/rate-limiter.ts';
import type { SessionCookie } from '../auth/session-cookie.ts';
import type { Database } from '../db/database.ts';
import type { Context } from '../domain/kernel/context.ts';
import type { Viewer } from '../domain/kernel/viewer.ts';
import type { TokenContext } from '../domain/oauth/token.ts';
import type { TokenLimits } from '../domain/oauth/token-limits.ts';

/** What the endpoints are made of. */
export interface AuthorizationServer {
  db: Database;
  /** The issuer: https, without a slash at the end (RFC 8414 §2). */
  publicUrl: string;
  limits: TokenLimits & {
    authorizationCode: number;
    pushedRequest: number;
    /** Wrong secrets a minute for one client from one network, and for all of them. */
    clientTries: number;
    clientTriesAddress: number;
    /** Authorization requests a minute from one network. */
    authorizeRequests: number;
  };
  /** Of a minute. */
  rateLimiter: RateLimiter;
  cookie: SessionCookie;
  /** The origins that the page of a form may have to be one of ours. */
  ownOrigins: (call: Call) => string[];
  addressOf: (call: Call) => string;
  contextFor: (viewer: Viewer, requestId: string) => Context;
  requestIdOf: (call: Call) => string;
  /** Calls `tooLarge`, which throws, for a body of more bytes. */
  bodyWithin: (most: number, tooLarge: () => never) => MiddlewareHandler;
  report: (error: unknown, requestId: string) => void;
}

export const tokenContext = (parts: AuthorizationServer, call: Call): TokenContext => ({
  db: parts.db,
  limits: parts.limits,
  issuer: parts.publicUrl,
  ipAddress: parts.addressOf(call),
});
