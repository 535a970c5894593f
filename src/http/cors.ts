import type { MiddlewareHandler } from 'hono';
import { crossOrigin } from '../lib/cross-origin.ts';

const API = {
  allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
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

/**
 * CORS for browser clients of GraphQL and REST with bearer tokens: from these origins, or from all if undefined. Every request
 * header is allowed, such as those of tracing: cookies never authenticate a request from another origin.
 */
export const apiCors = (origins: readonly string[] | undefined): MiddlewareHandler =>
  crossOrigin({ origins, ...API });
