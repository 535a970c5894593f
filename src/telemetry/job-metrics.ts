import { Counter, Gauge, type Registry } from 'prom-client';
import type { Database } from '../db/database.ts';
import { type Sql, sql } from '../db/sql/sql.ts';

/**
 * `created`: work that is due. `retry`: it failed, and waits for its next attempt. `failed`: it was given up. `age`: seconds
 * since the oldest of it became due.
 */
interface JobCount {
  queue: string;
  state: string;
  count: number;
  age: number;
}

const countOf = (queue: Sql, due: Sql): Sql =>
  sql`SELECT ${queue} AS queue, 'created' AS state, count(*)::int AS count,
    coalesce(greatest(extract(epoch FROM now() - min(${due})), 0), 0)::float8 AS age`;

/** Each of them reads a partial index. */
const JOB_COUNTS = sql`
  ${countOf(sql`CASE text_step WHEN 'READ' THEN 'text' ELSE 'recognize' END`, sql`text_next_at`)}
    FROM blobs WHERE text_status = 'PENDING' AND text_next_at <= now() GROUP BY 1
  UNION ALL ${countOf(sql`'pages'`, sql`page_next_at`)} FROM blobs
    WHERE page_status = 'PENDING' AND page_next_at <= now()
  UNION ALL ${countOf(sql`'render'`, sql`next_at`)} FROM renditions
    WHERE state = 'PENDING' AND next_at <= now()
  UNION ALL ${countOf(sql`'seal'`, sql`sealing_next_at`)} FROM signature_sessions
    WHERE sealing = 'PENDING' AND sealing_next_at <= now()
  UNION ALL ${countOf(sql`'stamp'`, sql`stamp_next_at`)} FROM signature_sessions
    WHERE stamp_next_at <= now()
  UNION ALL ${countOf(sql`'fileForm'`, sql`filing_next_at`)} FROM form_submissions
    WHERE document_id IS NULL AND filing_next_at <= now()
  UNION ALL ${countOf(sql`'copyProject'`, sql`next_at`)} FROM project_copies
    WHERE state = 'RUNNING' AND next_at <= now()
  UNION ALL ${countOf(sql`'bulk'`, sql`next_at`)} FROM bulk_operations
    WHERE next_at <= now()
  UNION ALL ${countOf(sql`'webhook'`, sql`next_try_at`)} FROM webhook_deliveries
    WHERE state = 'PENDING' AND next_try_at <= now()
  UNION ALL ${countOf(sql`'mail'`, sql`next_at`)} FROM mails
    WHERE state IN ('WAITING', 'SENDING') AND next_at <= now()
  UNION ALL SELECT 'mail', 'retry', count(*)::int, 0 FROM mails
    WHERE state = 'WAITING' AND next_at > now() AND attempts > 0 AND answer IS NOT NULL
  UNION ALL SELECT 'seal', 'retry', count(*)::int, 0 FROM signature_sessions
    WHERE sealing = 'PENDING' AND sealing_error IS NOT NULL
  UNION ALL SELECT 'stamp', 'retry', count(*)::int, 0 FROM signature_sessions
    WHERE stamp_next_at > now() AND (stamp_attempts > 0 OR seal_stamped_at IS NULL)
  UNION ALL SELECT f.work, CASE WHEN f.next_at IS NULL THEN 'failed' ELSE 'retry' END, count(*)::int, 0 FROM failed_work f
    GROUP BY 1, 2`;

/** Undefined when the database did not say. */
type ReadJobs = () => Promise<JobCount[] | undefined>;

/** The gauges of one scrape share a statement. */
function jobReader(registry: Registry, db: Database): ReadJobs {
  const failures = new Counter({
    name: 'docgraph_metrics_failures_total',
    help: 'Times the database did not say how many jobs there are',
    registers: [registry],
  });
  const countFailure = (): undefined => void failures.inc();
  let reading: ReturnType<ReadJobs> | undefined;
  return () => {
    reading ??= db
      .query<JobCount>(JOB_COUNTS)
      .catch(countFailure)
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
}

/** The jobs of all processes, and whether the database says how many there are: without it, the other metrics are still served. */
export function jobGauges(registry: Registry, db: Database): void {
  const registers = [registry];
  const read = jobReader(registry, db);
  new Gauge({
    name: 'docgraph_database_up',
    help: 'Whether the database responded to this scrape',
    registers,
    async collect() {
      this.set((await read()) ? 1 : 0);
    },
  });
  new Gauge({
    name: 'docgraph_jobs',
    help: 'Jobs by queue and state',
    labelNames: ['queue', 'state'] as const,
    registers,
    async collect() {
      const rows = (await read()) ?? [];
      this.reset();
      for (const { queue, state, count } of rows) this.set({ queue, state }, count);
    },
  });
  new Gauge({
    name: 'docgraph_job_age_seconds',
    help: 'How long the oldest job of a queue has been due',
    labelNames: ['queue'] as const,
    registers,
    async collect() {
      const due = ((await read()) ?? []).filter(({ state }) => state === 'created');
      this.reset();
      for (const { queue, age } of due) this.set({ queue }, age);
    },
  });
}
