import type { MiddlewareHandler } from 'hono';
import { crossOrigin } from '../lib/cross-origin.ts';

const API = {
  allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowHeaders: [
    'Authorization',
    'Content-Type',
    'Accept',
    'Idempotency-Key',
    'If-Match',
    'If-None-Match',
    'DPoP',
    'Last-Event-ID',
  ],
  exposed: [
    'WWW-Authenticate',
    'Retry-After',
    'X-Request-Id',
    'RateLimit',
    'RateLimit-Policy',
    'ETag',
    'Idempotency-Replayed',
    'DPoP-Nonce',
  ],
  maxAge: 7_200,
};

/** CORS for browser clients of GraphQL and REST with bearer tokens: from these origins, or from all if undefined. */
export const apiCors = (origins: readonly string[] | undefined): MiddlewareHandler =>
  crossOrigin({ origins, ...API });
