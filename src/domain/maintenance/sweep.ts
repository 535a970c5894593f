import type { Database, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type BlobStore, StoreError } from '../../files/store/store.ts';
import { DAY } from '../../lib/time.ts';
import { recordEvents } from '../kernel/audit.ts';
import { TOKEN_SWEEPS } from '../oauth/token-sweep.ts';
import { deleteUnusedWords } from '../search/search-vocabulary.ts';

const BATCH = 500;

/** What a sweep removed: counts. */
export interface Swept {
  documents: number;
  uploads: number;
  blobs: number;
  objects: number;
  words: number;
  /** Access tokens, refresh tokens, codes, grants, pushed requests, browser sign-ins and idempotency keys. */
  credentials: number;
}

/**
 * Removes what its time has come for: documents past their purge date, expired reservations, blobs that no revision
 * refers to any more, stored objects that nothing in the database knows, credentials that ended, and words of the search
 * index that stand in nothing any more. Safe beside everything else, and beside
 * another sweep; what one leaves behind when it is killed, the next finds.
 */
export async function sweep(db: Database, store: BlobStore): Promise<Swept> {
  const documents = await untilDone(() => inTransaction(db, purgeDue));
  const uploads = await untilDone(() => inTransaction(db, expireUploads));
  const blobs = await untilDone(() => inTransaction(db, dropBlobs));
  const objects = (await dropObjects(db, store)) + (await store.tidy(new Date(Date.now() - DAY)));
  return {
    documents,
    uploads,
    blobs,
    objects,
    credentials: await dropCredentials(db),
    words: await deleteUnusedWords(db),
  };
}

async function dropCredentials(db: Database): Promise<number> {
  let total = 0;
  for (const drop of Object.values(TOKEN_SWEEPS))
    total += await untilDone(() => inTransaction(db, (tx) => drop(tx, BATCH)));
  return total;
}

async function untilDone(once: () => Promise<number>): Promise<number> {
  for (let total = 0; ; ) {
    const count = await once();
    total += count;
    if (count < BATCH) return total;
  }
}

async function purgeDue(tx: Transaction): Promise<number> {
  const due = await tx.query<{ organizationId: string; projectId: string; id: string; name: string }>(sql`
    SELECT organization_id, project_id, id, name FROM documents
    WHERE state = 'RECYCLED' AND purge_at <= now() AND NOT legal_hold
    ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`);
  await tx.prisma.document.deleteMany({ where: { id: { in: due.map(({ id }) => id) } } });
  await recordEvents(
    { viewer: { userId: null, credentialId: null }, requestId: 'sweep' },
    tx,
    due.map(({ id, name, ...place }) => ({
      ...place,
      subjectId: id,
      kind: 'document.purged',
      data: { before: { name } },
    })),
  );
  return due.length;
}

async function expireUploads(tx: Transaction): Promise<number> {
  const late = await tx.query(sql`
    UPDATE uploads SET state = 'EXPIRED' WHERE id IN (
      SELECT id FROM uploads WHERE state IN ('RESERVED', 'RECEIVED') AND expires_at <= now()
      LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING id`);
  return late.length;
}

/** In two statements: the second one sees what committed before the first one had its locks. */
async function dropBlobs(tx: Transaction): Promise<number> {
  const unused = sql`NOT EXISTS (SELECT FROM revisions r WHERE r.organization_id = b.organization_id AND r.blob_id = b.id)
    AND NOT EXISTS (SELECT FROM form_templates t WHERE t.organization_id = b.organization_id AND t.blob_id = b.id)`;
  const held = await tx.query<{ id: string }>(
    sql`SELECT b.id FROM blobs b WHERE ${unused} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`,
  );
  const ids = held.map(({ id }) => id);
  await tx.query(sql`DELETE FROM blobs b WHERE b.id = ANY(${ids}) AND ${unused}`);
  return held.length;
}

async function dropObjects(db: Database, store: BlobStore): Promise<number> {
  let total = 0;
  let batch: string[] = [];
  const drop = async () => {
    const known = await knownKeys(db, batch);
    const unknown = batch.filter((key) => !known.has(key));
    for (const key of unknown) if (await removed(store, key)) total++;
    batch = [];
  };
  for await (const { key } of store.list()) {
    batch.push(key);
    if (batch.length === BATCH) await drop();
  }
  await drop();
  return total;
}

/** An object that is being written is left to the next sweep. */
async function removed(store: BlobStore, key: string): Promise<boolean> {
  try {
    await store.remove(key);
    return true;
  } catch (error) {
    if (error instanceof StoreError && error.code === 'busy') return false;
    throw error;
  }
}

/**
 * Every object has a reservation, or an attempt to seal, before its first byte, and a blob before that is closed.
 */
async function knownKeys(db: Database, keys: string[]): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(sql`
    SELECT id FROM blobs WHERE id = ANY(${keys})
    UNION ALL SELECT blob_id FROM uploads WHERE blob_id = ANY(${keys}) AND state IN ('RESERVED', 'RECEIVED')
    UNION ALL SELECT sealing_blob_id FROM signature_sessions WHERE sealing_blob_id = ANY(${keys})`);
  return new Set(rows.map(({ id }) => id));
}
