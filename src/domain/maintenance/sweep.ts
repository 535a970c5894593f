import type { Database, Transaction } from '../../db/database.ts';
import { isDatabaseUnreachable } from '../../db/postgres/unreachable.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { BlobStore } from '../../files/store/store.ts';
import { runAll } from '../../lib/run-all.ts';
import { DAY } from '../../lib/time.ts';
import { type DueWork, doAllDueWork } from '../due-work/due-work.ts';
import { type DueRow, mayBeTried } from '../due-work/failed-work.ts';
import { recordEvents } from '../kernel/audit.ts';
import { tables } from '../kernel/tables.ts';
import { TOKEN_SWEEPS } from '../oauth/token-sweep.ts';
import { deleteUnusedWords } from '../search/search-vocabulary.ts';
import { deleteOldUsage } from '../usage/usage-sweep.ts';
import { requireOwnStore } from './store-owner.ts';
import { removeUnreferencedObjects } from './stored-objects.ts';

/** Rows per transaction. */
const BATCH = 500;

/** How many rows and objects a sweep removed. */
export interface SweepCounts {
  documents: number;
  uploads: number;
  blobs: number;
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
    documents: () => purgeDocuments(db),
    uploads: () => repeatWhileFull(() => inTransaction(db, expireUploads)),
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

type DueDocument = DueRow & { projectId: string; name: string };

/** Many at a time or, where that fails, one by one. */
async function purgeDocuments(db: Database): Promise<number> {
  try {
    return await repeatWhileFull(() =>
      inTransaction(db, async (tx) => {
        const due = await lockDueDocuments(tx, { limit: BATCH });
        await purge(tx, due);
        return due.length;
      }),
    );
  } catch (error) {
    if (isDatabaseUnreachable(error)) throw error;
    return doAllDueWork(db, purging);
  }
}

const purging: DueWork<DueDocument> = {
  work: 'purgeDocument',
  claim: async (tx, idCondition) => (await lockDueDocuments(tx, { idCondition, limit: 1 }))[0],
  run: (tx, document) => purge(tx, [document]),
};

const lockDueDocuments = (
  tx: Transaction,
  { idCondition, limit }: { idCondition?: Sql; limit: number },
): Promise<DueDocument[]> =>
  tx.query<DueDocument>(sql`
    SELECT d.organization_id, d.project_id, d.id, d.name FROM ${tables.documents.from}
    WHERE d.state = 'RECYCLED' AND d.purge_at <= now() AND NOT d.legal_hold
      AND ${idCondition ? sql`d.organization_id ${idCondition}` : sql`true`}
      AND ${mayBeTried('purgeDocument', tables.documents)}
    ORDER BY ${idCondition ? sql`d.organization_id, d.id` : sql`d.id`} LIMIT ${limit} FOR UPDATE SKIP LOCKED`);

async function purge(tx: Transaction, due: readonly DueDocument[]): Promise<void> {
  await tx.prisma.document.deleteMany({ where: { id: { in: due.map(({ id }) => id) } } });
  await recordEvents(
    { viewer: { userId: null, credentialId: null }, requestId: 'sweep' },
    tx,
    due.map(({ id, name, ...projectPath }) => ({
      ...projectPath,
      subjectId: id,
      kind: 'document.purged',
      data: { before: { name } },
    })),
  );
}

async function expireUploads(tx: Transaction): Promise<number> {
  const expired = await tx.query(sql`
    UPDATE uploads SET state = 'EXPIRED' WHERE id IN (
      SELECT id FROM uploads WHERE state IN ('RESERVED', 'RECEIVED') AND expires_at <= now()
      LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING id`);
  return expired.length;
}

/** Two statements: the second sees references committed before the first obtained its locks. */
async function deleteUnusedBlobs(tx: Transaction): Promise<number> {
  const unused = sql`NOT EXISTS (SELECT FROM revisions r WHERE r.organization_id = b.organization_id AND r.blob_id = b.id)
    AND NOT EXISTS (SELECT FROM form_templates t WHERE t.organization_id = b.organization_id AND t.blob_id = b.id)
    AND NOT EXISTS (SELECT FROM signature_sessions g WHERE g.organization_id = b.organization_id AND g.copy_blob_id = b.id)
    AND NOT EXISTS (SELECT FROM renditions x WHERE x.organization_id = b.organization_id AND x.blob_id = b.id)`;
  const locked = await tx.query<{ id: string }>(
    sql`SELECT b.id FROM blobs b WHERE ${unused} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`,
  );
  const ids = locked.map(({ id }) => id);
  await tx.query(sql`DELETE FROM blobs b WHERE b.id ${sql.any(ids)} AND ${unused}`);
  return locked.length;
}
