import type { Database, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { BlobStore } from '../../files/store/store.ts';
import { runAll } from '../../lib/run-all.ts';
import { DAY } from '../../lib/time.ts';
import { isExported } from '../exports/export.ts';
import { deleteOldExports } from '../exports/export-change.ts';
import { tables } from '../kernel/tables.ts';
import { TOKEN_SWEEPS } from '../oauth/token-sweep.ts';
import { deleteUnusedWords } from '../search/search-vocabulary.ts';
import { deleteOldUsage } from '../usage/usage-sweep.ts';
import { purgeDueDocuments } from './purge-due.ts';
import { requireOwnStore } from './store-owner.ts';
import { removeUnreferencedObjects } from './stored-objects.ts';

/** Rows per transaction. */
const BATCH = 500;

/** How many rows and objects a sweep removed. */
export interface SweepCounts {
  documents: number;
  uploads: number;
  blobs: number;
  /** Archives that are not downloaded any more. */
  exports: number;
  objects: number;
  words: number;
  /** Days of the use of API keys and applications that are not shown any more. */
  usage: number;
  /** Access tokens, refresh tokens, codes, grants, pushed requests, browser sign-ins and idempotency keys. */
  credentials: number;
}

/**
 * Removes documents past their purge date, expired reservations, blobs and stored objects without references, ended
 * credentials, and unused words of the search index. Safe to run concurrently with requests and other sweeps; an
 * interrupted sweep is completed by the next. Throws ForeignStore before anything is removed, and an AggregateError in the
 * end if some of it failed.
 */
export async function sweep(db: Database, store: BlobStore): Promise<SweepCounts> {
  await requireOwnStore(db, store);
  return runAll({
    documents: () => purgeDueDocuments(db),
    uploads: () => repeatWhileFull(() => inTransaction(db, expireUploads)),
    exports: () => repeatWhileFull(() => inTransaction(db, (tx) => deleteOldExports(tx, BATCH))),
    blobs: () => repeatWhileFull(() => inTransaction(db, deleteUnusedBlobs)),
    objects: async () =>
      (await removeUnreferencedObjects(db, store)) + (await store.tidy(new Date(Date.now() - DAY))),
    credentials: () => deleteEndedCredentials(db),
    words: () => deleteUnusedWords(db),
    usage: () => repeatWhileFull(() => inTransaction(db, (tx) => deleteOldUsage(tx, BATCH))),
  });
}

async function deleteEndedCredentials(db: Database): Promise<number> {
  let total = 0;
  for (const drop of Object.values(TOKEN_SWEEPS))
    total += await repeatWhileFull(() => inTransaction(db, (tx) => drop(tx, BATCH)));
  return total;
}

async function repeatWhileFull(runBatch: () => Promise<number>): Promise<number> {
  for (let total = 0; ; ) {
    const count = await runBatch();
    total += count;
    if (count < BATCH) return total;
  }
}

async function expireUploads(tx: Transaction): Promise<number> {
  const expired = await tx.query(sql`
    UPDATE uploads SET state = 'EXPIRED' WHERE id IN (
      SELECT id FROM uploads WHERE state IN ('RESERVED', 'RECEIVED') AND expires_at <= now()
      LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING id`);
  return expired.length;
}

/** A condition on blobs of alias `b`: nothing in the organization refers to them, nor does an archive that is being downloaded. */
const IS_UNUSED: Sql = sql`NOT EXISTS (SELECT FROM revisions r WHERE r.organization_id = b.organization_id AND r.blob_id = b.id)
    AND NOT EXISTS (SELECT FROM form_templates t WHERE t.organization_id = b.organization_id AND t.blob_id = b.id)
    AND NOT EXISTS (SELECT FROM signature_sessions g WHERE g.organization_id = b.organization_id AND g.copy_blob_id = b.id)
    AND NOT EXISTS (SELECT FROM renditions x WHERE x.organization_id = b.organization_id AND x.blob_id = b.id)
    AND NOT EXISTS (SELECT FROM ${tables.organizationExports.from} WHERE ox.organization_id = b.organization_id AND ${isExported(tables.organizationExports)})`;

/** Two statements: the second sees references committed before the first obtained its locks. */
async function deleteUnusedBlobs(tx: Transaction): Promise<number> {
  const locked = await tx.query<{ id: string }>(
    sql`SELECT b.id FROM blobs b WHERE ${IS_UNUSED} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`,
  );
  const ids = locked.map(({ id }) => id);
  await tx.query(sql`DELETE FROM blobs b WHERE b.id ${sql.any(ids)} AND ${IS_UNUSED}`);
  return locked.length;
}
