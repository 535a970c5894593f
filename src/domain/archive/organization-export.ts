import type { Database, Reader, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { BlobStore } from '../../files/store/store.ts';
import { toHex } from '../../lib/text/hex.ts';
import { HOUR } from '../../lib/time.ts';
import { type Actor, recordEvents } from '../kernel/audit.ts';
import { notFound } from '../kernel/errors.ts';
import { IN_UTC } from '../kernel/record/state-write.ts';
import {
  type ArchiveDescription,
  type BagFile,
  DESCRIPTION,
  filePath,
  rowsPath,
  type Spool,
  TAGS,
  tagsOf,
} from './bag.ts';
import { readCatalog } from './catalog.ts';
import { lastMigration, rowLines } from './export-rows.ts';

/** How long rows are read at most. */
export const ARCHIVE_TIMEOUT = 12 * HOUR;

/** An archive whose rows are stored apart, and whose files are those of the store. Paths begin with the name of the bag. */
export interface OrganizationArchive {
  description: ArchiveDescription;
  /** SHA-256 of the tag manifest in hexadecimal, which stands for all of the archive. */
  sha256: string;
  /** What was written to the spool, in the order of the archive. */
  parts: BagFile[];
  /** The files of the store, which come behind them. */
  files: BagFile[];
}

/** What rows are written to, and files are read from. */
interface Site {
  db: Database;
  store: BlobStore;
  spool: Spool;
}

/**
 * Writes all rows of an organization to the spool, as they are at one moment. No secrets (excluded.ts). The transaction reads alone, so
 * that it may write files; what it writes to the spool again replaces what was there. Throws NOT_FOUND.
 */
export async function readOrganization(
  { db, store, spool }: Site,
  organizationId: string,
): Promise<OrganizationArchive> {
  const { description, rows, files } = await inTransaction(
    db,
    (tx) => exportRows(tx, { store, spool }, organizationId),
    { timeout: ARCHIVE_TIMEOUT },
  );
  const tags = await tagsOf(spool, description, [...rows, ...files]);
  const sha256 = tags.find(({ path }) => path === TAGS.tagManifest)?.sha256 as string;
  const inFolder = (file: BagFile) => ({ ...file, path: `${organizationId}/${file.path}` });
  return { description, sha256, parts: [...tags, ...rows].map(inFolder), files: files.map(inFolder) };
}

/** Records that an organization was exported. */
export const recordExported = (
  actor: Actor,
  tx: Transaction,
  { description: { organizationId, head }, sha256 }: Pick<OrganizationArchive, 'description' | 'sha256'>,
): Promise<unknown> =>
  recordEvents(actor, tx, [
    {
      organizationId,
      subjectId: organizationId,
      kind: 'organization.exported',
      data: { after: { sequence: head.sequence, tagManifestSha256: sha256 } },
    },
  ]);

async function exportRows(tx: Transaction, { store, spool }: Omit<Site, 'db'>, organizationId: string) {
  await tx.query(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`);
  const description = await describe(tx, organizationId);
  const rows = [await spool(DESCRIPTION, once(`${JSON.stringify(description)}\n`))];
  const files: BagFile[] = [];
  for (const table of await readCatalog(tx)) {
    const batches = rowLines(tx, table, organizationId);
    const texts =
      table.name === 'blobs' ? collect(batches, (line) => files.push(storedFile(store, line))) : batches;
    rows.push(await spool(rowsPath(table.name), joined(texts)));
  }
  return { description, rows, files };
}

async function describe(tx: Reader, organizationId: string): Promise<ArchiveDescription> {
  const [head] = await tx.query<{ sequence: bigint; hash: Uint8Array }>(
    sql`SELECT h.sequence, h.hash, ${IN_UTC} FROM event_heads h WHERE h.organization_id = ${organizationId}`,
  );
  if (!head) throw notFound('Organization');
  return {
    format: 1,
    organizationId,
    migration: await lastMigration(tx),
    head: { sequence: String(head.sequence), hash: toHex(head.hash) },
  };
}

/** The file of a line of blobs. */
export function storedFile(store: BlobStore, line: string): BagFile {
  const { id, size, sha256 } = JSON.parse(line) as { id: string; size: number; sha256: string };
  const open: BagFile['open'] = (range) => store.read(id, range);
  return { path: filePath(id), size, sha256: sha256.slice(2), open };
}

async function* collect(
  batches: AsyncIterable<string[]>,
  add: (line: string) => void,
): AsyncGenerator<string[]> {
  for await (const batch of batches) {
    for (const line of batch) add(line);
    yield batch;
  }
}

async function* joined(batches: AsyncIterable<string[]>): AsyncGenerator<string> {
  for await (const batch of batches) yield batch.join('');
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}
