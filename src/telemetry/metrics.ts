import { createHash, timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from '../db/database.ts';
import { jobGauges } from './job-metrics.ts';
import type { Lifecycle } from './lifecycle.ts';

const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Bytes of responses that wait to be read, and responses that were dropped before they were. */
interface UnreadState {
  readonly bytes: number;
  readonly dropped: number;
}

/** Bytes of rows whose responses are not built yet. */
interface RowState {
  readonly total: number;
}

export interface Metrics {
  readonly registry: Registry;
  request(labels: { method: string; route: string; status: number }, seconds: number): void;
  /** Reads what responses hold that wait to be read, or are being built. */
  follow(unread: UnreadState, rows: RowState): void;
  operation(labels: { kind: string; outcome: string }, seconds: number): void;
  /** Counts an attempt to hand over a mail. */
  mail(outcome: string): void;
}

/** The metrics, in their own registry. Gauges that need the database query it at each scrape. */
export function openMetrics({ db, lifecycle }: { db: Database; lifecycle: Lifecycle }): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Histogram({
    name: 'docgraph_http_request_duration_seconds',
    help: 'From the arrival of a request to the end of its answer, by method, route and status',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: SECONDS,
    registers,
  });
  const operations = new Histogram({
    name: 'docgraph_graphql_operation_duration_seconds',
    help: 'Operations that reached the graph, by kind and outcome (ok, or the code of the first error)',
    labelNames: ['kind', 'outcome'] as const,
    buckets: SECONDS,
    registers,
  });
  const follow = connectionGauges(registry, lifecycle);
  poolGauge(registry, db);
  jobGauges(registry, db);
  const mails = new Counter({
    name: 'docgraph_mails_total',
    help: 'Attempts to hand over a mail, by outcome: accepted, deferred, refused, uncertain, …',
    labelNames: ['outcome'] as const,
    registers,
  });
  return {
    registry,
    follow,
    request: (labels, seconds) => requests.observe({ ...labels, status: String(labels.status) }, seconds),
    mail: (outcome) => mails.inc({ outcome: outcome.toLowerCase() }),
    operation: (labels, seconds) => operations.observe(labels, seconds),
  };
}

/** Requests, connections and what waits on them. The returned function sets where the last of these are read. */
function connectionGauges(registry: Registry, lifecycle: Lifecycle): Metrics['follow'] {
  gauge(registry, 'docgraph_http_requests_under_way', 'Requests under way', () => lifecycle.underWay);
  gauge(registry, 'docgraph_http_sockets', 'Open connections of clients', () => lifecycle.sockets);
  gauge(
    registry,
    'docgraph_http_requests_arriving',
    'Requests on these whose body has not arrived; uploads count as under way',
    () => lifecycle.arriving,
  );
  gauge(
    registry,
    'docgraph_http_requests_refused_early',
    'Requests whose body did not arrive in time, or for which their network had too many under way, since the start',
    () => lifecycle.refused,
  );
  let unread: UnreadState = { bytes: 0, dropped: 0 };
  let rows: RowState = { total: 0 };
  gauge(
    registry,
    'docgraph_http_row_bytes',
    'Bytes of rows whose responses are not built yet',
    () => rows.total,
  );
  gauge(
    registry,
    'docgraph_http_unread_bytes',
    'Bytes of responses that wait to be read',
    () => unread.bytes,
  );
  gauge(
    registry,
    'docgraph_http_unread_dropped',
    'Responses whose connection was closed before they were read, since the start',
    () => unread.dropped,
  );
  return (...states) => {
    [unread, rows] = states;
  };
}

/** Default metrics (memory, CPU, garbage collection, event loop lag); they are per process, so to be called once. */
export const measureProcess = ({ registry }: Metrics): void => collectDefaultMetrics({ register: registry });

function gauge(registry: Registry, name: string, help: string, value: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(value());
    },
  });
}

function poolGauge(registry: Registry, { connections }: Database): void {
  if (!connections) return;
  new Gauge({
    name: 'docgraph_database_connections',
    help: 'Connections to the database by state; waiting: those who wait for one',
    labelNames: ['state'] as const,
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(connections())) this.set({ state }, count);
    },
  });
}

/** `/metrics` for callers with the token; without a configured token it does not exist. */
export function metricsRouter({ registry }: Metrics, token: string | undefined): Hono {
  const app = new Hono();
  if (token === undefined) return app;
  const expected = digest(`Bearer ${token}`);
  app.get('/metrics', async (call) => {
    if (!timingSafeEqual(digest(call.req.header('authorization') ?? ''), expected))
      return call.text('This takes the token of the metrics.', 401, { 'WWW-Authenticate': 'Bearer' });
    return call.body(await registry.metrics(), 200, { 'Content-Type': registry.contentType });
  });
  return app;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
