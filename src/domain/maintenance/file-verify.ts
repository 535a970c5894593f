import { createHash } from 'node:crypto';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { type BlobStore, StoreError } from '../../files/store/store.ts';

/** Rows per statement. */
const BATCH = 500;
/** Files that are read at once. */
const CONCURRENCY = 4;

interface BlobRow {
  id: string;
  organizationId: string;
  size: bigint;
  sha256: Uint8Array;
}

/** Of one batch; sizes in bytes. */
export interface FileVerification {
  files: number;
  bytes: bigint;
  /** What is wrong with files, one line each. */
  findings: string[];
}

/**
 * Compares the stored files of all organizations, or of one, with their rows: whether they exist, their size and SHA-256.
 * Every byte is read. Yields a result for each batch of files; safe while the server runs.
 */
export async function* verifyFiles(
  db: Database,
  store: BlobStore,
  organizationId?: string,
): AsyncGenerator<FileVerification> {
  const ofOrganization = organizationId ? sql`AND organization_id = ${organizationId}` : sql``;
  for (let after = ''; ; ) {
    const rows = await db.query<BlobRow>(sql`
      SELECT id, organization_id, size, sha256 FROM blobs
      WHERE id > ${after} ${ofOrganization} ORDER BY id LIMIT ${BATCH}`);
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
    const bytes = rows.reduce((sum, { size }) => sum + BigInt(size), 0n);
    yield { files: rows.length, bytes, findings: await findingsOf(db, store, rows) };
  }
}

async function findingsOf(db: Database, store: BlobStore, rows: readonly BlobRow[]): Promise<string[]> {
  const findings: string[] = [];
  const iterator = rows.values();
  const next = async () => {
    for (const row of iterator) {
      const problem = await problemOf(store, row);
      if (problem && (await exists(db, row))) findings.push(`${row.id} of ${row.organizationId}: ${problem}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, next));
  return findings.sort();
}

/** What differs between a stored file and its row; undefined if nothing does. */
async function problemOf(store: BlobStore, { id, size, sha256 }: BlobRow): Promise<string | undefined> {
  const stat = await store.stat(id);
  if (!stat) return 'the file is missing';
  if (!stat.finished) return 'the file is not complete';
  if (BigInt(stat.size) !== BigInt(size)) return `the file has ${stat.size} bytes instead of ${size}`;
  const digest = await digestOf(store, id);
  if (!digest) return 'the file is missing';
  return digest.equals(sha256) ? undefined : 'the content of the file has changed (SHA-256)';
}

/** Undefined if the file was removed meanwhile. */
async function digestOf(store: BlobStore, id: string): Promise<Buffer | undefined> {
  try {
    const hash = createHash('sha256');
    for await (const chunk of await store.read(id)) hash.update(chunk);
    return hash.digest();
  } catch (error) {
    if (error instanceof StoreError && error.code === 'missing') return undefined;
    throw error;
  }
}

/** False for a blob that a sweep has deleted since it was listed. */
const exists = async (db: Database, { id, organizationId }: BlobRow): Promise<boolean> =>
  (await db.query(sql`SELECT FROM blobs WHERE organization_id = ${organizationId} AND id = ${id}`)).length >
  0;
