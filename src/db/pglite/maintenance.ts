import type { PGlite } from '@electric-sql/pglite';
import { MINUTE } from '../../lib/time.ts';

/** As often as a PostgreSQL server makes a checkpoint. */
export const MAINTENANCE_INTERVAL = 5 * MINUTE;

/** Tables that a server's autovacuum would take up, by its own measure: 50 rows and a fifth (a tenth) of the table. */
const TABLES_DUE = `
  SELECT format('%I.%I', s.schemaname, s.relname) AS name
  FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
  WHERE s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0) OR s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0)`;

/** Bytes of the write-ahead log since the last checkpoint: what is kept, and gone through again after a kill. */
const WAL_BYTES =
  'SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::int8 AS bytes FROM pg_control_checkpoint()';

const WAL_SEGMENT_BYTES = 16 * 2 ** 20;

/**
 * Does what PostgreSQL has processes of its own for, and the embedded database has not: without it the room of deleted
 * rows is never used again, plans know nothing of the tables, and the write-ahead log grows until the database is closed.
 * A table at a time, so that others get their turn.
 */
export async function maintain(pglite: PGlite): Promise<void> {
  const { rows: due } = await pglite.query<{ name: string }>(TABLES_DUE);
  for (const { name } of due) await pglite.exec(`VACUUM ANALYZE ${name}`);
  const { rows } = await pglite.query<{ bytes: number }>(WAL_BYTES);
  if (Number(rows[0]?.bytes) > WAL_SEGMENT_BYTES) await pglite.exec('CHECKPOINT');
}

/** Keeps up again and again, never twice at once. Gives what ends that, once nothing of it is under way. */
export function maintainEvery(
  ms: number,
  pglite: PGlite,
  onError: (error: Error) => void,
): () => Promise<void> {
  let underWay = Promise.resolve();
  const timer = setInterval(() => {
    underWay = underWay.then(() => maintain(pglite)).catch(onError);
  }, ms).unref();
  return () => {
    clearInterval(timer);
    return underWay;
  };
}
