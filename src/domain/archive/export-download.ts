import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { BlobStore, StreamedBytes } from '../../files/store/store.ts';
import type { ArchiveTicket } from '../../files/transfer/signed-url.ts';
import { type TarFile, TarMap } from '../../lib/tar/tar-map.ts';
import { toHex } from '../../lib/text/hex.ts';
import { startedByOwner } from '../access/access-export.ts';
import { isWithdrawn } from '../exports/export.ts';
import { tables } from '../kernel/tables.ts';
import { rowsPath } from './bag.ts';
import type { StoredPart } from './export-claim.ts';
import { storedFile } from './organization-export.ts';

interface ReadyExport {
  organizationId: string;
  blobId: string;
  parts: readonly StoredPart[];
  size: bigint;
  sha256: Uint8Array;
  readAt: Date;
}

/**
 * The archive of a ticket. Undefined if it is not there any more: also after a purge, a redaction or an
 * erasure of something that it has, and when whoever started it is no owner any more.
 */
export async function openExport(
  { db, store }: { db: Database; store: BlobStore },
  { organizationId, id }: ArchiveTicket,
): Promise<(StreamedBytes & { filename: string }) | undefined> {
  const [ready] =
    await db.query<ReadyExport>(sql`SELECT ox.organization_id, ox.blob_id, ox.parts, ox.size, ox.sha256, ox.read_at
    FROM ${tables.organizationExports.from} WHERE ox.organization_id = ${organizationId} AND ox.id = ${id} AND ox.state = 'READY'
      AND ox.expires_at > now() AND ${startedByOwner(tables.organizationExports)} AND NOT ${isWithdrawn(tables.organizationExports)}`);
  if (!ready) return undefined;
  return {
    size: Number(ready.size),
    etag: `"${toHex(ready.sha256)}-${ready.readAt.getTime()}"`,
    filename: `${organizationId}.tar`,
    read: async ({ start, end }) => {
      const map = await mapOf(store, ready);
      return Readable.from(map.read(start, end), { objectMode: false, highWaterMark: 1 });
    },
  };
}

/** The archive as it was written: the sizes of all files are stored, so that each byte has its position. */
export const exportMap = (parts: readonly TarFile[], files: readonly TarFile[], readAt: Date): TarMap =>
  new TarMap([...parts, ...files], readAt);

async function mapOf(
  store: BlobStore,
  { organizationId, blobId, parts, readAt }: ReadyExport,
): Promise<TarMap> {
  const stored = parts.map((part) => partOf(store, blobId, part));
  const list = stored.find(({ path }) => path === `${organizationId}/${rowsPath('blobs')}`) as TarFile;
  const files: TarFile[] = [];
  if (list.size > 0)
    for await (const line of linesOf(await list.open({ start: 0, end: list.size - 1 }))) {
      const file = storedFile(store, line);
      files.push({ ...file, path: `${organizationId}/${file.path}` });
    }
  return exportMap(stored, files, readAt);
}

const linesOf = (chunks: AsyncIterable<Uint8Array>): AsyncIterable<string> =>
  createInterface({ input: Readable.from(chunks), crlfDelay: Number.POSITIVE_INFINITY });

const partOf = (store: BlobStore, key: string, { path, size, offset }: StoredPart): TarFile => ({
  path,
  size,
  open: ({ start, end }) => store.read(key, { start: offset + start, end: offset + end }),
});
