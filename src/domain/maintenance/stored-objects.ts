import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { type BlobStore, StoreError } from '../../files/store/store.ts';

/** Objects that are looked up at once. */
const BATCH = 500;

/** Removes the objects that the database does not know. Resolves to their number. */
export async function removeUnreferencedObjects(db: Database, store: BlobStore): Promise<number> {
  let total = 0;
  let batch: string[] = [];
  const removeBatch = async () => {
    const referenced = await findReferencedKeys(db, batch);
    const unreferenced = batch.filter((key) => !referenced.has(key));
    for (const key of unreferenced) if (await removeUnlessBusy(store, key)) total++;
    batch = [];
  };
  for await (const { key } of store.list()) {
    batch.push(key);
    if (batch.length === BATCH) await removeBatch();
  }
  await removeBatch();
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
 * Those of these keys that the database needs. An object has a reservation or a sealing attempt before its first byte, and a
 * blob before either ends.
 */
export async function findReferencedKeys(db: Database, keys: string[]): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(sql`
    SELECT id FROM blobs WHERE id = ANY(${keys})
    UNION ALL SELECT blob_id FROM uploads WHERE blob_id = ANY(${keys}) AND state IN ('RESERVED', 'RECEIVED')
    UNION ALL SELECT sealing_blob_id FROM signature_sessions WHERE sealing_blob_id = ANY(${keys})`);
  return new Set(rows.map(({ id }) => id));
}
