import { randomUUID } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Context, MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Logger } from 'pino';
import type { Lifecycle } from '../telemetry/lifecycle.ts';
import type { Metrics } from '../telemetry/metrics.ts';

export interface AccessLogOptions {
  log: Logger;
  metrics: Metrics;
  lifecycle: Lifecycle;
  /** Requests that may be under way at once; more are turned away before anything is done for them. */
  maxRequests: number;
}

/** These have to answer when nothing else does. */
const ALWAYS = new Set(['/healthz', '/readyz', '/metrics']);

const tracer = trace.getTracer('docgraph');

/**
 * Around everything: an id for the request, which the client gets as well, a bound on how many there are, and once the
 * answer is out one line in the log, one measurement and the end of the span. What is noted is the pattern of the route,
 * never the path, which may hold a secret.
 */
export const accessLog =
  (watch: AccessLogOptions): MiddlewareHandler =>
  async (call, next) => {
    const { lifecycle } = watch;
    const requestId = randomUUID();
    call.set('requestId', requestId);
    const done = startRequest(watch, call, requestId);
    if (lifecycle.underWay > watch.maxRequests && !ALWAYS.has(call.req.path)) {
      call.res = refuseOverload(call, requestId);
      return done(routePath(call));
    }
    await tracer.startActiveSpan(call.req.method, { kind: SpanKind.SERVER }, async (span) => {
      await next();
      const route = routePath(call);
      const { status } = call.res;
      span.updateName(`${call.req.method} ${route}`);
      span.setAttributes({
        'http.request.method': call.req.method,
        'http.route': route,
        'http.response.status_code': status,
        'docgraph.request_id': requestId,
      });
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
      done(route);
    });
  };

/** Gives what notes the end, which is where the answer is out; a request that a test hands in has no socket to wait for. */
function startRequest({ log, metrics, lifecycle }: AccessLogOptions, call: Context, requestId: string) {
  lifecycle.underWay++;
  const begin = performance.now();
  const { outgoing, incoming } = (call.env ?? {}) as Partial<HttpBindings>;
  const { socket } = incoming ?? {};
  const writtenBefore = socket?.bytesWritten ?? 0;
  const { method } = call.req;
  return (route: string) => {
    const { status, headers } = call.res;
    headers.set('X-Request-Id', requestId);
    if (lifecycle.stopping) headers.set('Connection', 'close');
    const credentialId = call.get('credentialId');
    const end = () => {
      lifecycle.underWay--;
      const ms = performance.now() - begin;
      metrics.request({ method, route, status }, ms / 1_000);
      const bytes = socket ? socket.bytesWritten - writtenBefore : undefined;
      log.info(
        { requestId, method, route, status, ms: Math.round(ms * 10) / 10, bytes, credentialId },
        'request',
      );
    };
    if (outgoing && !outgoing.closed) outgoing.once('close', end);
    else end();
  };
}

function refuseOverload(call: Context, requestId: string): Response {
  const message = 'There is too much to do at the moment. Try again.';
  const body = call.req.path.startsWith('/graphql')
    ? { errors: [{ message, extensions: { code: 'UNAVAILABLE', requestId } }] }
    : { message, type: 'about:blank', title: message, status: 503, detail: message, requestId };
  return call.json(body, 503, { 'Retry-After': '1' });
}
