import { type Context as Call, Hono } from 'hono';
import type { Context } from '../domain/kernel/context.ts';
import { DomainError, notUtf8 } from '../domain/kernel/errors.ts';
import { requireScopesOf, runStored, withResponse } from '../graph/http/execute.ts';
import { jsonPieces } from '../lib/json-pieces.ts';
import { readWithin } from '../lib/request-body.ts';
import { utf8 } from '../lib/text/utf8.ts';
import { restRoutes } from './routes.ts';
import { Body, parseBody } from './wire/body.ts';
import { conditionalExecution, matchingTag } from './wire/conditional.ts';
import { announceDeprecation } from './wire/deprecated.ts';
import { Members, notATerm } from './wire/members.ts';
import { inNamesOfRequest, withValue } from './wire/names.ts';
import { END_CURSOR } from './wire/pages.ts';
import { type ErrorReporting, errorReply, isFinal, unknownMethodReply } from './wire/problem.ts';
import { inOnePiece, type Reply, replyOf, sendReply } from './wire/reply.ts';
import type { RestRequest } from './wire/request.ts';
import type { Route } from './wire/route.ts';
import { StreamedText } from './wire/text-reply.ts';

/** Sizes in bytes. */
interface Delivery {
  /** Throws UNAVAILABLE if a response of this size would be more than the caller may leave unread. */
  requireRoom(bytes: number): void;
  /** Counts a response until the connection has taken or dropped it. */
  hold(bytes: number): void;
}

/** What the router needs of the server. */
export interface RestServer extends ErrorReporting {
  /**
   * Counts a request against the limits and returns its context: that of the public link with the secret `link`, of the
   * bearer token, or of a browser session. Undefined without a valid credential. Throws RATE_LIMITED.
   */
  contextOf: (call: Call, link?: string, allowance?: 'content') => Promise<Context | undefined>;
  /** UNAUTHENTICATED, with the reason why the request has no caller. */
  refusalOf: (call: Call) => Promise<DomainError>;
  /** The context of a public link whose secret is in the body of a request that is already counted. */
  contextOfLink: (call: Call, link: string) => Promise<Context>;
  clientOf: (call: Call) => Context['client'];
  /** Does `work` at most once for an Idempotency-Key, and returns the first answer to repeated requests. */
  once: (
    ctx: Context,
    named: { key: string; request: string },
    work: (ctx: Context) => Promise<{ answer: string; keep: boolean }>,
  ) => Promise<{ answer: string; replayed: boolean }>;
  /** Accounts for a response until it is read. */
  deliveryOf: (call: Call) => Delivery;
  limits: { pageSize: number; batchMax: number; jsonBodyBytes: number };
}

/** REST v1 over stored operations of the graph. */
export function restRouter(server: RestServer, routes: Route[] = restRoutes): Hono {
  const app = new Hono();
  for (const route of routes)
    for (const path of [route.path, ...(route.aliases ?? [])])
      app.on(route.method, path, (call) => {
        announceDeprecation(server, call, route, path);
        return respond(server, route, call);
      });
  for (const [path, allowed] of methodsByPath(routes))
    app.all(path, (call) => sendReply(call, unknownMethodReply(server, call, allowed)));
  app.onError((error, call) => sendReply(call, errorReply(server, call, error)));
  return app;
}

/** The methods of each path, with HEAD where GET changes nothing. */
function methodsByPath(routes: Route[]): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  for (const { method, path, aliases = [], operations } of routes)
    for (const each of [path, ...aliases]) {
      const head = method === 'GET' && !operations.writes ? ['HEAD'] : [];
      methods.set(each, [...(methods.get(each) ?? []), method, ...head]);
    }
  return methods;
}

interface AdmittedRequest {
  request: RestRequest;
  ctx: Context;
}

async function respond(server: RestServer, route: Route, call: Call): Promise<Response> {
  // Hono answers HEAD as GET, but HEAD must be safe (RFC 9110 §9.2.1).
  if (call.req.method === 'HEAD' && route.operations.writes)
    return sendReply(call, unknownMethodReply(server, call, ['GET'], 'Ask with GET: it changes something.'));
  const { text, ...admitted } = await admitRequest(server, route, call);
  const key = route.method === 'GET' ? undefined : call.req.header('idempotency-key');
  if (key === undefined) return sendReply(call, await perform(server, route, call, admitted));
  const idempotent = { key, request: fingerprint(call, text) };
  const { answer, replayed } = await server.once(admitted.ctx, idempotent, async (ctx) => {
    try {
      const reply = await perform(server, route, call, { ...admitted, ctx });
      return { answer: JSON.stringify(await inOnePiece(reply)), keep: true };
    } catch (error) {
      return { answer: JSON.stringify(errorReply(server, call, error)), keep: isFinal(error) };
    }
  });
  if (replayed) call.header('Idempotency-Replayed', 'true');
  return sendReply(call, JSON.parse(answer));
}

/**
 * Reads a request and finds its context. The caller is counted and checked before the body is read, and the length of the
 * body before it is parsed; only where the body may hold a public link does the check wait for it.
 */
async function admitRequest(
  server: RestServer,
  route: Route,
  call: Call,
): Promise<AdmittedRequest & { text: string }> {
  const { required } = route.operations;
  const withoutBody = { ...headOf(server, call), body: NO_BODY };
  requireKnownOrder(route, withoutBody);
  const linkInUrl = route.link?.(withoutBody);
  const caller = await server.contextOf(call, linkInUrl, route.allowance);
  const linkMayFollow = route.link !== undefined && route.method !== 'GET' && !linkInUrl;
  if (!linkMayFollow) requireScopesOf(caller ?? (await refused(server, call)), required);
  const head = headOf(server, call);
  const text = await readText(server, call, caller);
  const body = route.takesText?.(head.query) ? new Body(text) : parseBody(text, server.limits.batchMax);
  const request = { ...head, body };
  const linkInBody = linkMayFollow ? route.link?.(request) : undefined;
  const ctx = linkInBody
    ? await server.contextOfLink(call, linkInBody)
    : (caller ?? (await refused(server, call)));
  requireScopesOf(ctx, required);
  return { request, text, ctx: { ...ctx, client: server.clientOf(call) } };
}

/** Throws BAD_USER_INPUT for a sortType that the route does not read. */
function requireKnownOrder({ takesSortType }: Route, request: RestRequest): void {
  const sortType = !takesSortType && request.query.text('sortType');
  if (sortType) throw withValue(notATerm('sortType', []), request);
}

async function refused({ refusalOf }: RestServer, call: Call): Promise<never> {
  throw await refusalOf(call);
}

async function perform(
  server: RestServer,
  { method, operations, names = {} }: Route,
  call: Call,
  { request, ctx }: AdmittedRequest,
): Promise<Reply> {
  const { req } = call;
  const whole = withResponse(ctx);
  let current: Context = whole;
  const { execute, tag } = conditionalExecution(
    (operation, variables) => {
      if (current !== whole) ctx.releaseRows?.();
      return runStored(operation, variables, current).catch((error) => {
        throw inNamesOfRequest(error, typeof names === 'function' ? names(request) : names, request);
      });
    },
    {
      ifMatch: method === 'GET' ? undefined : req.header('if-match'),
      pathIds: Object.values(request.path),
    },
  );
  const result = await operations.run(request, execute).catch((error) => {
    throw withValue(error, request);
  });
  if (result instanceof StreamedText) {
    // What is still to be read is sent page by page.
    current = ctx;
    return replyOf(result);
  }
  const { bytes } = whole.response;
  deliver(server.deliveryOf(call), bytes, operations.writes);
  const reply = replyOf(result, bytes);
  if (method !== 'GET' || operations.writes) return reply;
  const ETag = await tag(reply.pieces ? jsonPieces(result) : [reply.content]);
  const matching = matchingTag(req.header('if-none-match'), ETag);
  return matching
    ? { status: 304 as 200, content: '', headers: { ETag: matching } }
    : { ...reply, headers: { ETag } };
}

/** Throws UNAVAILABLE for a read while too much of the caller's is unread; what was changed is answered. */
function deliver(delivery: Delivery, bytes: number, isChange: boolean): void {
  if (!isChange) delivery.requireRoom(bytes);
  delivery.hold(bytes);
}

/** A shorter limit for bodies without a credential, whose sender cannot be held to account. */
const ANONYMOUS_BODY_BYTES = 2 ** 16;

/** Throws TOO_LARGE, and BAD_USER_INPUT for a body that is not UTF-8. */
async function readText({ limits }: RestServer, { req }: Call, caller: Context | undefined): Promise<string> {
  const isAnonymous = !caller || caller.viewer.link !== undefined;
  const maxBytes = isAnonymous ? Math.min(limits.jsonBodyBytes, ANONYMOUS_BODY_BYTES) : limits.jsonBodyBytes;
  const bytes = await readWithin(req.raw, maxBytes, () => {
    throw new DomainError('TOO_LARGE', `A body holds at most ${maxBytes} bytes.`);
  });
  const text = utf8(bytes);
  if (text === undefined) throw notUtf8();
  return text;
}

/** Identifies a repeated request: everything that determines its effect but the caller. */
function fingerprint({ req }: Call, body: string): string {
  const { pathname, search } = new URL(req.url);
  return JSON.stringify([req.method, pathname + search, req.header('if-match'), body]);
}

const NO_BODY = new Body(undefined);

/** What a request says without its body. */
function headOf({ limits }: RestServer, call: Call): Omit<RestRequest, 'body'> {
  const query = new Members(new URL(call.req.url).searchParams);
  const cursor = query.text('cursor') || null;
  const isAfterEnd = cursor === END_CURSOR;
  return {
    path: call.req.param(),
    query,
    page: { first: isAfterEnd ? 0 : limits.pageSize, after: isAfterEnd ? null : cursor },
  };
}
