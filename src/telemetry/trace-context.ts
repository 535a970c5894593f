import {
  type Context,
  context,
  isSpanContextValid,
  propagation,
  type Span,
  type SpanContext,
  trace,
} from '@opentelemetry/api';

/** `traceparent` (W3C Trace Context §3.2); versions after 00 may append members. */
const TRACEPARENT = /^(?!ff|00.{53}-)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-.*)?$/;

/**
 * The context of the caller's trace, which spans of this request continue: by the propagator of an OpenTelemetry SDK if one
 * is loaded, else by the header `traceparent`.
 */
export function incomingTrace(headers: Headers): Context {
  const current = context.active();
  const header = headers.get('traceparent');
  if (header === null && propagation.fields().length === 0) return current;
  const extracted = propagation.extract(current, Object.fromEntries(headers));
  const parent = header === null ? undefined : parse(header);
  return trace.getSpanContext(extracted) || !parent ? extracted : trace.setSpanContext(current, parent);
}

function parse(header: string): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(header) ?? [];
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(parent) ? parent : undefined;
}

/** Undefined without an SDK and without a trace of the caller. */
export function traceIdOf(span: Span): string | undefined {
  const spanContext = span.spanContext();
  return isSpanContextValid(spanContext) ? spanContext.traceId : undefined;
}
