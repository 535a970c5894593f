import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { toHex } from '../../lib/text/hex.ts';

interface RevisionKey {
  documentId: string;
  number: number;
}

/** What a revision holds, as events show it. */
export interface RevisionContent {
  revision: number;
  contentType: string;
  size: number;
  sha256: string;
  /** The number of the earlier revision that it restored. */
  restoredFrom: number | null;
}

/** Returns the content of existing revisions, by document: one number of each. */
export async function readContents(
  tx: Transaction,
  organizationId: string,
  keys: readonly RevisionKey[],
): Promise<Map<string, RevisionContent>> {
  if (keys.length === 0) return new Map();
  const rows = await tx.query<RevisionRow>(sql`
    SELECT r.document_id, r.number, r.content_type, r.size, r.restored_from, b.sha256 FROM jsonb_to_recordset(${JSON.stringify(keys)}::jsonb)
      AS key("documentId" text, number int)
    JOIN revisions r ON r.organization_id = ${organizationId} AND r.document_id = key."documentId" AND r.number = key.number
    JOIN blobs b ON b.organization_id = r.organization_id AND b.id = r.blob_id`);
  return new Map(
    rows.map(({ documentId, number: revision, size, sha256, contentType, restoredFrom }) => [
      documentId,
      { revision, contentType, size: Number(size), sha256: toHex(sha256), restoredFrom },
    ]),
  );
}

type RevisionRow = RevisionKey &
  Pick<RevisionContent, 'contentType' | 'restoredFrom'> & { size: bigint; sha256: Uint8Array };
