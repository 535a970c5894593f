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
  bagOf,
  DESCRIPTION,
  filePath,
  rowsPath,
  type Spool,
  TAGS,
} from './bag.ts';
import { readCatalog } from './catalog.ts';
import { lastMigration, rowLines } from './export-rows.ts';

/** How long rows are read at most. */
export const ARCHIVE_TIMEOUT = 12 * HOUR;

/** An archive whose rows are stored apart, and whose files are those of the store. */
export interface OrganizationArchive {
  description: ArchiveDescription;
  /** In the order of the archive; their paths begin with the name of the bag. */
  files: BagFile[];
}

/** What rows are written to, and files are read from. */
interface Site {
  db: Database;
  store: BlobStore;
  spool: Spool;
}

/**
 * Writes all rows of an organization to the spool, as they are at one moment, and records that it was exported. No secrets
 * (excluded.ts). The transaction reads alone, so that it may write files. Throws NOT_FOUND.
 */
export async function exportOrganization(
  { db, store, spool }: Site,
  actor: Actor,
  organizationId: string,
): Promise<OrganizationArchive> {
  const { description, payload } = await inTransaction(
    db,
    (tx) => exportRows(tx, { store, spool }, organizationId),
    { timeout: ARCHIVE_TIMEOUT },
  );
  const files = await bagOf(spool, description, payload);
  const sha256 = files.find(({ path }) => path === TAGS.tagManifest)?.sha256 as string;
  const { sequence } = description.head;
  await inTransaction(db, async (tx) => {
    await recordEvents(actor, tx, [
      {
        organizationId,
        subjectId: organizationId,
        kind: 'organization.exported',
        data: { after: { sequence, tagManifestSha256: sha256 } },
      },
    ]);
  });
  return { description, files: files.map((file) => ({ ...file, path: `${organizationId}/${file.path}` })) };
}

async function exportRows(tx: Transaction, { store, spool }: Omit<Site, 'db'>, organizationId: string) {
  await tx.query(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`);
  const description = await describe(tx, organizationId);
  const payload = [await spool(DESCRIPTION, once(`${JSON.stringify(description)}\n`))];
  const blobs: BagFile[] = [];
  for (const table of await readCatalog(tx)) {
    const batches = rowLines(tx, table, organizationId);
    const texts =
      table.name === 'blobs' ? collect(batches, (line) => blobs.push(blobFile(store, line))) : batches;
    payload.push(await spool(rowsPath(table.name), joined(texts)));
  }
  return { description, payload: [...payload, ...blobs] };
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

/** The file of a row of blobs. */
function blobFile(store: BlobStore, line: string): BagFile {
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
