import { sql } from '../../db/sql/sql.ts';
import { type BlobStore, StoreError } from '../../files/store/store.ts';
import { toHex } from '../../lib/text/hex.ts';
import type { Context } from '../kernel/context.ts';
import { DomainError } from '../kernel/errors.ts';
import type { ReceivedFile } from './upload-inspect.ts';

/**
 * Bytes that an organization has already are stored once, under the key that they got first. Where the store has lost that
 * object, it is written again from the upload, so that what is confirmed can be read. Throws UNAVAILABLE while another call
 * writes it.
 */
export async function restoreLostObjects(
  { db, storage: { store } }: Context,
  files: readonly ReceivedFile[],
): Promise<void> {
  const uploads = files.map(({ upload }) => upload).filter(({ state }) => state === 'RECEIVED');
  if (uploads.length === 0) return;
  const rows = uploads.map(({ organizationId, blobId, sha256 }) => ({
    organizationId,
    blobId,
    sha256: toHex(sha256),
  }));
  const earlier = await db.query<{ key: string; source: string }>(sql`
    SELECT DISTINCT ON (b.id) b.id AS key, row."blobId" AS source
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row("organizationId" text, "blobId" text, sha256 text)
    JOIN blobs b ON b.organization_id = row."organizationId" AND b.sha256 = decode(row.sha256, 'hex')
    WHERE b.id <> row."blobId"`);
  for (const { key, source } of earlier)
    if (!(await store.stat(key))?.finished) await copyObject(store, source, key).catch(nameConcurrent);
}

async function copyObject(store: BlobStore, source: string, target: string): Promise<void> {
  await store.discard(target);
  const bytes = await store.read(source);
  await store.write(target, bytes).finally(() => bytes.destroy());
}

function nameConcurrent(error: unknown): never {
  const isConcurrent = error instanceof StoreError && ['busy', 'finished', 'offset'].includes(error.code);
  throw isConcurrent
    ? new DomainError('UNAVAILABLE', 'The file is just being stored. Confirm it again.')
    : error;
}
