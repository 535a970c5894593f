import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { DomainError } from '../domain/kernel/errors.ts';
import { isUpload } from './arrival.ts';
import { nodeBindings } from './node-request.ts';

/**
 * Closes the connection of a request that has not arrived completely after `ms`, as a slow sender would occupy it. Uploads have
 * a least rate instead. In arrival.ts a request waits for its first bytes; here, a large one for the others.
 */
export const receivedWithin =
  (ms: number): MiddlewareHandler =>
  async (call, next) => {
    const { incoming } = nodeBindings(call);
    if (!incoming || incoming.complete || isUpload({ url: call.req.path })) return next();
    const timer = setTimeout(() => {
      if (!incoming.complete) incoming.destroy();
    }, ms);
    await next().finally(() => clearTimeout(timer));
  };

/**
 * Calls `tooLarge`, which throws, for a body of more than `maxBytes`. A declared Content-Length is enforced by Node, so
 * nothing is read for it; a body without one is counted while it is read.
 */
export function bodyWithin(maxBytes: number, tooLarge = () => refuseBody(maxBytes)): MiddlewareHandler {
  const counting = bodyLimit({ maxSize: maxBytes, onError: tooLarge });
  return async (call, next) => {
    const { headers, method } = call.req.raw;
    if (method === 'GET' || method === 'HEAD') return next();
    const length = headers.get('content-length');
    if (length === null || headers.has('transfer-encoding')) return counting(call, next);
    if (Number(length) > maxBytes) tooLarge();
    return next();
  };
}

function refuseBody(maxBytes: number): never {
  throw new DomainError('TOO_LARGE', `A body holds at most ${maxBytes} bytes.`);
}
