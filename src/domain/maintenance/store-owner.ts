import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { BlobStore } from '../../files/store/store.ts';
import { findReferencedKeys } from './stored-objects.ts';

/** Objects that are looked at in a store without an owner. */
const SAMPLE = 500;

/** The files belong to another database: a sweep of this one would delete them. The message is one line for the operator. */
export class ForeignStore extends Error {
  constructor() {
    const advice = 'Set DATA_DIR, S3_BUCKET or S3_PREFIX to a place for the files of this one';
    super(
      `The stored files belong to another database. ${advice}, or, if they are its own after all, run: npm run admin -- adopt-files`,
    );
  }
}

/**
 * Makes this database the owner of the files, if they have none. Files that were stored before owners were recorded are
 * its own if it knows any of them. Throws ForeignStore.
 */
export async function requireOwnStore(db: Database, store: BlobStore): Promise<void> {
  const database = await databaseName(db);
  const owner = (await store.owner()) ?? (await firstOwner(db, store, database));
  if (owner !== database) throw new ForeignStore();
}

/** Makes this database the owner of the files, whoever was it before. */
export async function adoptStore(db: Database, store: BlobStore): Promise<void> {
  await store.own(await databaseName(db), true);
}

async function firstOwner(db: Database, store: BlobStore, database: string): Promise<string | undefined> {
  const keys: string[] = [];
  for await (const { key } of store.list()) if (keys.push(key) === SAMPLE) break;
  const isForeign = keys.length > 0 && (await findReferencedKeys(db, keys)).size === 0;
  return isForeign ? undefined : store.own(database);
}

/** The id of its first key of signed URLs, which is created before the first file and never deleted. */
async function databaseName(db: Database): Promise<string> {
  const [key] = await db.query<{ id: string }>(
    sql`SELECT id FROM signing_keys WHERE purpose = 'ADDRESS' ORDER BY created_at, id LIMIT 1`,
  );
  if (!key) throw new Error('the database has no key of signed URLs yet');
  return key.id;
}
