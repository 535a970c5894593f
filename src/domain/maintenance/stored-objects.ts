import type { Database, Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { type BlobStat, type BlobStore, StoreError } from '../../files/store/store.ts';
import { isStoreLocked } from './store-lock.ts';

/** Objects that are looked up at once. */
const BATCH = 500;

type StoredFile = BlobStat & { key: string };

/** Of one batch of stored files. */
interface SurplusBatch {
  surplus: StoredFile[];
  /** The key of the last file, behind which a later search continues. */
  last: string;
}

/**
 * The stored files that no row names, in batches, in the order of the store. Files of uploads in progress have a row before
 * their first byte, and are none of them. Memory does not depend on the number of files, except for one folder of a disk.
 */
export async function* findSurplusFiles(
  db: Database,
  store: BlobStore,
  after?: string,
): AsyncGenerator<SurplusBatch> {
  let batch: StoredFile[] = [];
  for await (const file of store.list(after)) {
    batch.push(file);
    if (batch.length < BATCH) continue;
    yield surplusOf(db, batch);
    batch = [];
  }
  if (batch.length > 0) yield surplusOf(db, batch);
}

async function surplusOf(db: Database, batch: StoredFile[]): Promise<SurplusBatch> {
  const keys = batch.map(({ key }) => key);
  const referenced = await findReferencedKeys(db, keys);
  return { surplus: batch.filter(({ key }) => !referenced.has(key)), last: keys.at(-1) as string };
}

/** Removes the files that no row names, unless a transaction is storing some. Resolves to their number. */
export async function removeUnreferencedObjects(db: Database, store: BlobStore): Promise<number> {
  let total = 0;
  for await (const { surplus } of findSurplusFiles(db, store)) {
    if (surplus.length === 0) continue;
    if (await isStoreLocked(db)) return total;
    // Again: it may have committed since they were looked up.
    const referenced = await findReferencedKeys(
      db,
      surplus.map(({ key }) => key),
    );
    for (const { key } of surplus) if (!referenced.has(key) && (await removeUnlessBusy(store, key))) total++;
  }
  return total;
}

/** Returns false for an object that is being written: the next sweep removes it. */
async function removeUnlessBusy(store: BlobStore, key: string): Promise<boolean> {
  try {
    await store.remove(key);
    return true;
  } catch (error) {
    if (error instanceof StoreError && error.code === 'busy') return false;
    throw error;
  }
}

/**
 * Those of these keys that the database needs. An object has a reservation, or an attempt to render, export or seal, before its first byte, and a
 * blob before either ends.
 */
export async function findReferencedKeys(db: Reader, keys: string[]): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(sql`
    SELECT id FROM blobs WHERE id = ANY(${keys})
    UNION ALL SELECT blob_id FROM uploads WHERE blob_id = ANY(${keys}) AND state IN ('RESERVED', 'RECEIVED')
    UNION ALL SELECT attempt_blob_id FROM renditions WHERE attempt_blob_id = ANY(${keys})
    UNION ALL SELECT blob_id FROM organization_exports WHERE blob_id = ANY(${keys})
    UNION ALL SELECT sealing_blob_id FROM signature_sessions WHERE sealing_blob_id = ANY(${keys})`);
  return new Set(rows.map(({ id }) => id));
}
