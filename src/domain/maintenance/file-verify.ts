import { createHash } from 'node:crypto';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { type BlobStore, StoreError } from '../../files/store/store.ts';

/** Files per batch; those that are read take longer, and an interrupted batch is repeated. */
const BATCH = 500;
const BATCH_OF_HASHES = 20;
/** Files that are looked at once, most of which wait for the store; and files that are read at once. */
const CONCURRENCY = 32;
const CONCURRENT_HASHES = 4;

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
  /** The id of the last file, behind which a later verification continues. */
  last: string;
}

export interface VerifyOptions {
  /** Of one organization; of all if not set. */
  organizationId?: string | undefined;
  /** Continues behind this id. */
  after?: string | undefined;
  /** Reads every byte, and compares the SHA-256 too. */
  hashes?: boolean;
  /** Called with the number of bytes after each read; the next read waits for it. */
  pace?: (bytes: number) => Promise<void>;
  /** Ends the verification: the batch under way is dropped, and the signal's reason thrown. */
  signal?: AbortSignal;
}

/**
 * Compares the stored files with their rows: whether they exist, and their size. Yields a result for each batch of files;
 * memory does not depend on their number. Safe while the server runs.
 */
export async function* verifyFiles(
  db: Database,
  store: BlobStore,
  options: VerifyOptions = {},
): AsyncGenerator<FileVerification> {
  const { organizationId, hashes } = options;
  const ofOrganization = organizationId ? sql`AND organization_id = ${organizationId}` : sql``;
  for (let after = options.after ?? ''; ; ) {
    options.signal?.throwIfAborted();
    const rows = await db.query<BlobRow>(sql`
      SELECT id, organization_id, size, sha256 FROM blobs
      WHERE id > ${after} ${ofOrganization} ORDER BY id LIMIT ${hashes ? BATCH_OF_HASHES : BATCH}`);
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
    const bytes = rows.reduce((sum, { size }) => sum + BigInt(size), 0n);
    const findings = await findingsOf(db, store, rows, options);
    yield { files: rows.length, bytes, findings, last: last.id };
  }
}

async function findingsOf(
  db: Database,
  store: BlobStore,
  rows: readonly BlobRow[],
  options: VerifyOptions,
): Promise<string[]> {
  const findings: string[] = [];
  const iterator = rows.values();
  const next = async () => {
    for (const row of iterator) {
      options.signal?.throwIfAborted();
      const problem = await problemOf(store, row, options);
      if (problem && (await exists(db, row))) findings.push(`${row.id} of ${row.organizationId}: ${problem}`);
    }
  };
  const count = options.hashes ? CONCURRENT_HASHES : CONCURRENCY;
  await Promise.all(Array.from({ length: count }, next));
  return findings.sort();
}

/** What differs between a stored file and its row; undefined if nothing does. */
async function problemOf(
  store: BlobStore,
  { id, size, sha256 }: BlobRow,
  options: VerifyOptions,
): Promise<string | undefined> {
  const stat = await store.stat(id);
  if (!stat) return 'the file is missing';
  if (!stat.finished) return 'the file is not complete';
  if (BigInt(stat.size) !== BigInt(size)) return `the file has ${stat.size} bytes instead of ${size}`;
  if (!options.hashes) return undefined;
  const digest = await digestOf(store, id, options);
  if (!digest) return 'the file is missing';
  return digest.equals(sha256) ? undefined : 'the content of the file has changed (SHA-256)';
}

/** Undefined if the file was removed meanwhile. */
async function digestOf(
  store: BlobStore,
  id: string,
  { pace, signal }: VerifyOptions,
): Promise<Buffer | undefined> {
  try {
    const hash = createHash('sha256');
    for await (const chunk of await store.read(id)) {
      signal?.throwIfAborted();
      hash.update(chunk);
      await pace?.(chunk.length);
    }
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
