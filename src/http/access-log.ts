import { randomUUID } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Context, MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Logger } from 'pino';
import { networkOf } from '../auth/client-address.ts';
import { problemReply } from '../rest/wire/problem.ts';
import { sendReply } from '../rest/wire/reply.ts';
import type { Lifecycle } from '../telemetry/lifecycle.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { incomingTrace, traceIdOf } from '../telemetry/trace-context.ts';
import type { RequestSlots } from './request-slots.ts';
import { countUsage } from './usage/count-usage.ts';
import type { UsageRecorder } from './usage/usage-recorder.ts';

export interface AccessLogOptions {
  log: Logger;
  metrics: Metrics;
  lifecycle: Lifecycle;
  publicUrl: string;
  addressOf: (call: Context) => string;
  /** A request without a slot is refused with 503 before any work. */
  slots: RequestSlots;
  usage: UsageRecorder;
}

/** Served even under overload. */
const ALWAYS_SERVED = new Set(['/healthz', '/readyz', '/metrics']);

const tracer = trace.getTracer('docgraph');

/**
 * Assigns the request id (also sent as X-Request-Id), refuses requests under overload, and writes one log line, one
 * measurement and one span for each request. They contain the route's pattern, never the path, which may hold a secret.
 */
export const accessLog =
  (options: AccessLogOptions): MiddlewareHandler =>
  async (call, next) => {
    const { slots, addressOf } = options;
    const requestId = randomUUID();
    call.set('requestId', requestId);
    const finish = startRequest(options, call, requestId);
    if (!ALWAYS_SERVED.has(call.req.path) && !slots.enter(call, networkOf(addressOf(call)))) {
      call.res = refuseOverload(options, call, requestId);
      return finish(routePath(call));
    }
    const parent = incomingTrace(call.req.raw.headers);
    await tracer.startActiveSpan(call.req.method, { kind: SpanKind.SERVER }, parent, async (span) => {
      call.set('traceId', traceIdOf(span));
      await next();
      if (isEventStream(call.res)) slots.leave(call);
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
      finish(route);
    });
  };

/** Returns the function that logs the request when its response has been sent (at once, for a request without a socket). */
function startRequest(options: AccessLogOptions, call: Context, requestId: string) {
  const { log, metrics, lifecycle, slots, usage } = options;
  lifecycle.underWay++;
  const startTime = performance.now();
  const { outgoing, incoming } = (call.env ?? {}) as Partial<HttpBindings>;
  const { socket } = incoming ?? {};
  const bytesBefore = socket?.bytesWritten ?? 0;
  const { method } = call.req;
  return (route: string) => {
    const { status, headers } = call.res;
    headers.set('X-Request-Id', requestId);
    if (lifecycle.stopping) headers.set('Connection', 'close');
    const caller = callerOf(options, call);
    countUsage(usage, call, performance.now() - startTime);
    const finish = () => {
      lifecycle.underWay--;
      slots.leave(call);
      const ms = performance.now() - startTime;
      metrics.request({ method, route, status }, ms / 1_000);
      const bytes = socket ? socket.bytesWritten - bytesBefore : undefined;
      const request = { requestId, method, route, status, ms: Math.round(ms * 10) / 10, bytes };
      log.info({ ...request, ...caller }, 'request');
    };
    if (outgoing && !outgoing.closed) outgoing.once('close', finish);
    else finish();
  };
}

/** Subscriptions last for hours, and have limits of their own. */
const isEventStream = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') ?? false;

/** Characters of what callers choose that are logged. */
const MAX_USER_AGENT = 200;
const MAX_OPERATION = 100;

/** Who sent a request, as the log has it. */
const callerOf = ({ addressOf }: AccessLogOptions, call: Context) => ({
  credentialId: call.get('credentialId'),
  address: addressOf(call) || undefined,
  userAgent: call.req
    .header('user-agent')
    ?.slice(0, MAX_USER_AGENT)
    .replace(/\p{Cc}/gu, ' '),
  operation: call.get('operation')?.slice(0, MAX_OPERATION),
  traceId: call.get('traceId'),
});

function refuseOverload({ publicUrl }: AccessLogOptions, call: Context, requestId: string): Response {
  const code = 'UNAVAILABLE';
  const message = 'There is too much to do at the moment. Try again.';
  const headers = { 'Retry-After': '1' };
  if (call.req.path.startsWith('/graphql'))
    return call.json({ errors: [{ message, extensions: { code, requestId } }] }, 503, headers);
  return sendReply(call, { ...problemReply(publicUrl, { code, message, requestId }), headers });
}
