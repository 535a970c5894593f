import type { Context as Call, Hono } from 'hono';
import { type ErrorReporting, unknownMethodReply, unknownPathReply } from '../rest/wire/problem.ts';
import type { Reply } from '../rest/wire/reply.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The reply where no route answered: 405 if the path has other methods, otherwise 404. */
export function unknownReply(app: Hono, errors: ErrorReporting, call: Call): Reply {
  const method = call.req.method === 'HEAD' ? 'GET' : call.req.method;
  const allowed = METHODS.filter((each) => hasRoute(app, each, call.req.path));
  if (allowed.length === 0 || allowed.includes(method)) return unknownPathReply(errors, call);
  const message = `This address takes ${allowed.join(' and ')} requests, not ${method}.`;
  return unknownMethodReply(errors, call, allowed, message);
}

/** Whether a route of this method matches; routes of all methods are middleware. */
const hasRoute = (app: Hono, method: string, path: string): boolean =>
  app.router.match(method, path)[0].some(([[, route]]) => route.method !== 'ALL');
