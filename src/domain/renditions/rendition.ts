import { sql } from '../../db/sql/sql.ts';
import type { RenditionState } from '../../generated/prisma/client.ts';
import { revisionUrl } from '../downloads/download.ts';
import type { Context } from '../kernel/context.ts';

/** The PDF of a revision that is an office file. `blobId`, `sha256`, `size` and `pageCount` are null unless it is READY. */
export interface Rendition {
  /** Of the revision. */
  id: string;
  state: RenditionState;
  blobId: string | null;
  sha256: Uint8Array | null;
  size: bigint | null;
  pageCount: number | null;
  /** Why it FAILED. */
  error: string | null;
  /** Of the revision. */
  name: string;
  documentId: string;
}

/** Reads renditions by the ids of revisions. The caller has checked that these are visible. */
export const findRenditions = ({ db }: Context, revisionIds: readonly string[]) =>
  db.query<Rendition>(sql`SELECT x.revision_id AS id, x.state::text AS state, x.blob_id, x.sha256, b.size, x.page_count,
      x.error, v.name, v.document_id
    FROM revisions v JOIN renditions x ON x.organization_id = v.organization_id AND x.revision_id = v.id
    LEFT JOIN blobs b ON b.organization_id = x.organization_id AND b.id = x.blob_id
    WHERE v.id ${sql.any(revisionIds)}`);

/** The file of a rendition, in place of that of its revision; undefined unless it is READY. */
export function renditionFile({ state, blobId, pageCount }: Rendition) {
  if (state !== 'READY' || blobId === null) return undefined;
  return { blobId, pageCount, contentType: 'application/pdf' };
}

/** As revisionUrl, for the PDF; null unless it is READY. */
export async function renditionUrl(
  ctx: Context,
  rendition: Rendition,
  inline: boolean,
): Promise<string | null> {
  const file = renditionFile(rendition);
  return file ? revisionUrl(ctx, { ...file, name: `${rendition.name}.pdf` }, inline) : null;
}
