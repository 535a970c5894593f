import { MINUTE } from '../../lib/time.ts';

/** Runs one statement, or several without values. */
// biome-ignore lint/suspicious/noExplicitAny: the rows of any statement
export type Execute = (text: string, values: unknown[]) => Promise<{ rows: any[] }>;

/** Milliseconds; a PostgreSQL server makes a checkpoint as often. */
export const MAINTENANCE_INTERVAL = 5 * MINUTE;

/** Tables that autovacuum would choose, by its default thresholds: 50 rows and a fifth (analyze: a tenth) of the table. */
const TABLES_DUE = `
  SELECT format('%I.%I', s.schemaname, s.relname) AS name
  FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
  WHERE s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0) OR s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0)`;

/** Bytes of the write-ahead log since the last checkpoint, which are kept, and replayed after a crash. */
const WAL_BYTES =
  'SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::float8 AS bytes FROM pg_control_checkpoint()';

const WAL_SEGMENT_BYTES = 16 * 2 ** 20;

/**
 * Does the work of PostgreSQL's background processes, which the embedded database lacks: otherwise the space of deleted
 * rows is never reused, the planner has no statistics, and the write-ahead log grows until the database is closed.
 * One table at a time, so that other statements run in between.
 */
export async function maintain(execute: Execute): Promise<void> {
  const { rows: due } = await execute(TABLES_DUE, []);
  for (const { name } of due) await execute(`VACUUM ANALYZE ${name}`, []);
  const { rows } = await execute(WAL_BYTES, []);
  if (rows[0]?.bytes > WAL_SEGMENT_BYTES) await execute('CHECKPOINT', []);
}

/** Runs maintenance every `ms` milliseconds, never twice at once. Returns a function that stops it and waits for its end. */
export function maintainEvery(
  ms: number,
  execute: Execute,
  onError: (error: Error) => void,
): () => Promise<void> {
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(() => maintain(execute)).catch(onError);
  }, ms).unref();
  return () => {
    clearInterval(timer);
    return running;
  };
}
