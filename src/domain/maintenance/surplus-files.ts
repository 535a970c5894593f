import type { Database } from '../../db/database.ts';
import type { BlobStat, BlobStore } from '../../files/store/store.ts';
import { findReferencedKeys } from './stored-objects.ts';

/** Objects that are looked up at once. */
const BATCH = 500;

type StoredFile = BlobStat & { key: string };

/** Of one batch of stored files. */
export interface SurplusBatch {
  files: number;
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
  return {
    files: batch.length,
    surplus: batch.filter(({ key }) => !referenced.has(key)),
    last: keys.at(-1) as string,
  };
}
