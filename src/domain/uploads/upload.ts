import { z } from 'zod';
import { nowPlus } from '../../db/clock.ts';
import type { Database, Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { FinishedBlob } from '../../files/store/store.ts';
import type { Upload as UploadRow } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import type { Context } from '../kernel/context.ts';
import { badValue, notFound } from '../kernel/errors.ts';
import { name, parse, requireBatchLimit } from '../kernel/input.ts';
import { inOrderOf, requireProject } from '../projects/project.ts';

export type Upload = UploadRow;

const reservation = z.strictObject({
  organizationId: z.string().nullish(),
  projectId: z.string(),
  count: z.int().min(1).nullish(),
  /** Checked as in a confirmation, before any bytes are sent; not stored. */
  names: z.array(name).min(1, 'must not be empty').nullish(),
});

/** Throws BAD_USER_INPUT for a count beyond the limit, and for one that is not the number of names. */
function sizeOf({ count, names }: z.output<typeof reservation>, max: number): number {
  if ((count ?? 1) > max) throw badValue('count', `at most ${max}`);
  requireBatchLimit(names ?? [], max, 'names');
  if (count != null && names && names.length !== count)
    throw badValue('names', `must be one for each of the ${count} files`);
  return count ?? names?.length ?? 1;
}

/**
 * Creates `count` reservations, by default one for each of `names`, or else one. Requires the role EDITOR in the project.
 * Records no event: a reservation has no visible effect until it is confirmed. Throws BAD_USER_INPUT for a name that
 * confirmUploads refuses.
 */
export function reserveUploads(ctx: Context, input: z.input<typeof reservation>): Promise<Upload[]> {
  const parsed = parse(reservation, input);
  const { organizationId: pathOrganizationId, projectId } = parsed;
  const count = sizeOf(parsed, ctx.limits.batchMax);
  return inTransaction(ctx.db, async (tx) => {
    const { organizationId } = await requireProject(ctx, tx, projectId, 'uploadFiles', pathOrganizationId);
    const rows = Array.from({ length: count }, () => ({ id: newId('Upload'), blobId: newId('Blob') }));
    const uploads = await tx.query<Upload>(sql`
      INSERT INTO uploads (organization_id, id, project_id, user_id, blob_id, expires_at)
      SELECT ${organizationId}, id, ${projectId}, ${ctx.viewer.userId}, "blobId", ${nowPlus(ctx.limits.reservation)}
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row(id text, "blobId" text) RETURNING *`);
    return inOrderOf(uploads, rows);
  });
}

/** Returns the signed URL to send the bytes of an upload to. */
export const uploadUrl = (
  { storage, limits }: Context,
  { blobId, organizationId }: Upload,
): Promise<string> =>
  storage.signedUrls.upload({ key: blobId, maxSize: limits.uploadBytes, organizationId }, limits.signedUrl);

/** Reads the viewer's own uploads in the order of the ids. Throws NOT_FOUND if one is missing. */
export async function requireUploads(
  { viewer }: Context,
  reader: Reader,
  ids: readonly string[],
  lock: 'FOR UPDATE' | '',
): Promise<Upload[]> {
  const rows = await reader.query<Upload>(sql`SELECT u.* FROM uploads u
    WHERE u.id ${sql.any(ids)} AND u.user_id = ${viewer.userId} ORDER BY u.id ${sql.raw(lock)}`);
  const foundIds = new Set(rows.map(({ id }) => id));
  const missing = ids.findIndex((id) => !foundIds.has(id));
  if (missing >= 0) throw notFound('Upload', `files.${missing}.uploadId`);
  return inOrderOf(
    rows,
    ids.map((id) => ({ id })),
  );
}

/**
 * Marks an upload as received; idempotent. Returns false if there is no reservation, or an expired one: the sweep then
 * removes the bytes.
 */
export async function receiveUpload(
  { prisma, query }: Pick<Database, 'prisma' | 'query'>,
  blobId: string,
  { size, sha256 }: FinishedBlob,
): Promise<boolean> {
  const received = await query(sql`UPDATE uploads
    SET state = 'RECEIVED', size = ${size}, sha256 = ${sha256}, received_at = now()
    WHERE blob_id = ${blobId} AND state = 'RESERVED' AND expires_at > now() RETURNING 1 AS received`);
  if (received.length === 1) return true;
  const upload = await prisma.upload.findUnique({ where: { blobId } });
  return upload?.state === 'RECEIVED' || upload?.state === 'CONFIRMED';
}

/** Ends the reservation of an upload; idempotent. Returns false if it is confirmed: its document stays. */
export async function cancelUpload({ query }: Pick<Database, 'query'>, blobId: string): Promise<boolean> {
  await query(sql`UPDATE uploads SET state = 'EXPIRED'
    WHERE blob_id = ${blobId} AND state IN ('RESERVED', 'RECEIVED') RETURNING 1 AS cancelled`);
  const confirmed = await query(sql`SELECT 1 AS confirmed FROM uploads
    WHERE blob_id = ${blobId} AND state = 'CONFIRMED'`);
  return confirmed.length === 0;
}
