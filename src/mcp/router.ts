import { type Context as Call, Hono, type MiddlewareHandler } from 'hono';
import type { Context } from '../domain/kernel/context.ts';
import { forbidden, notUtf8 } from '../domain/kernel/errors.ts';
import { crossOrigin } from '../lib/cross-origin.ts';
import { excessOf, jsonBounds } from '../lib/json-bounds.ts';
import { utf8 } from '../lib/text/utf8.ts';
import type { AgentCall } from './call.ts';

/** What the router needs of the server. */
export interface AgentServer {
  /** Counts a request and returns the context of its bearer credential. Throws RATE_LIMITED and UNAUTHENTICATED. */
  contextOf: (call: Call) => Promise<Context>;
  /** What a call of a tool uses of the server. */
  callOf: (call: Call, ctx: Context) => AgentCall;
  /** Origins of web pages that may call. */
  origins: readonly string[];
  bodyWithin: MiddlewareHandler;
}

interface Env {
  Variables: { ctx: Context };
}

const HEADERS = ['WWW-Authenticate', 'Retry-After', 'X-Request-Id', 'RateLimit', 'RateLimit-Policy'];

/**
 * `/mcp`: Streamable HTTP of the Model Context Protocol, without sessions. Every request has a bearer credential; a token has to be
 * issued for this address (RFC 8707).
 */
export function mcpRouter(server: AgentServer): Hono<Env> {
  const app = new Hono<Env>();
  app.use(requireOrigin(server.origins));
  app.use(crossOrigin({ origins: server.origins, allowMethods: ['POST'], exposed: HEADERS, maxAge: 7_200 }));
  app.post('/', authenticate(server), server.bodyWithin, (call) => respond(server, call));
  app.all('/', () => methodNotAllowed());
  return app;
}

/** A page of another origin may have resolved its own name to this server (MCP, Streamable HTTP, Security Warning). */
const requireOrigin =
  (origins: readonly string[]): MiddlewareHandler =>
  async (call, next) => {
    const origin = call.req.header('origin');
    if (origin !== undefined && !origins.includes(origin))
      throw forbidden("Pages of this origin may not call agents' tools; CORS_ORIGINS names those that may.");
    await next();
  };

const authenticate =
  ({ contextOf }: AgentServer): MiddlewareHandler<Env> =>
  async (call, next) => {
    call.set('ctx', await contextOf(call));
    await next();
  };

async function respond(server: AgentServer, call: Call<Env>): Promise<Response> {
  const text = utf8(await call.req.arrayBuffer());
  if (text === undefined) throw notUtf8();
  const message = messageOf(text);
  if (message instanceof Response) return message;
  // At the first request: most servers are never asked.
  const { answer } = await import('./server.ts');
  return answer(call.req.raw, message, server.callOf(call, call.get('ctx')));
}

/** Batches are refused, as revision 2025-06-18 does: each of their calls would cost a request. */
function messageOf(text: string): object | Response {
  const excess = excessOf(text, BOUNDS);
  if (excess) return rpcError(-32600, `A message may have at most ${excess}.`);
  try {
    const message: unknown = JSON.parse(text);
    if (message === null || typeof message !== 'object') return rpcError(-32600, 'A message is an object.');
    return Array.isArray(message) ? rpcError(-32600, 'Send one message at a time.') : message;
  } catch {
    return rpcError(-32700, 'The body is not JSON.');
  }
}

const BOUNDS = jsonBounds(1_000);

const rpcError = (code: number, message: string, status = 400, headers?: Record<string, string>): Response =>
  Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status, headers });

const methodNotAllowed = (): Response =>
  rpcError(-32600, 'This address takes POST: there are no sessions, and no streams to listen to.', 405, {
    Allow: 'POST',
  });
