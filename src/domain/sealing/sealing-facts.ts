import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { dayIn } from '../../lib/local-time.ts';
import { toHex } from '../../lib/text/hex.ts';
import type { ActiveContent, SigningCopy } from '../../pdf/copy/signing-copy.ts';
import type { DrawnField } from '../../pdf/draw/drawn-field.ts';
import type { AuditFacts, SealJob } from '../../pdf/seal/job.ts';

/** What is needed to seal a session: the signed file, the fields to draw and the audit page. */
export interface SealingFacts {
  organizationId: string;
  blobId: string;
  size: number;
  contentType: string;
  /** Whether that file is the copy of a PDF on which people signed, and what this leaves out. */
  isCopy: boolean;
  removed: ActiveContent[];
  /** The PDF of which the copy was made: the revision as it was uploaded, or the rendition of an office file. */
  original: { blobId: string; size: number };
  fields: DrawnField[];
  /** But for the address of the check, which depends on the server. */
  audit: Omit<AuditFacts, 'checkUrl'>;
}

interface SessionRow {
  organizationId: string;
  organizationName: string;
  documentId: string;
  documentName: string;
  completedAt: Date;
  revisionNumber: number;
  revisionName: string;
  contentType: string;
  size: bigint;
  blobId: string;
  sha256: Uint8Array;
  copySha256: Uint8Array | null;
  renditionSha256: Uint8Array | null;
  removed: ActiveContent[];
  originalBlobId: string;
  originalSize: bigint;
  sequence: bigint;
  hash: Uint8Array;
}

/** Reads what is needed to seal a session; undefined if the session does not exist any more. */
export async function readSealingFacts(db: Database, sessionId: string): Promise<SealingFacts | undefined> {
  const [row] = await db.query<SessionRow>(sql`
    SELECT g.organization_id, o.name AS organization_name, d.id AS document_id, d.name AS document_name,
      g.completed_at, v.number AS revision_number, v.name AS revision_name,
      CASE WHEN g.rendition_sha256 IS NULL THEN v.content_type ELSE 'application/pdf' END AS content_type,
      f.size, f.id AS blob_id, b.sha256, g.copy_sha256, g.rendition_sha256, g.seal_removed AS removed,
      u.id AS original_blob_id, u.size AS original_size, e.sequence, e.hash
    FROM signature_sessions g
    JOIN organizations o ON o.id = g.organization_id
    JOIN documents d ON d.organization_id = g.organization_id AND d.id = g.document_id
    JOIN revisions v ON v.organization_id = g.organization_id AND v.id = g.revision_id
    JOIN blobs b ON b.organization_id = v.organization_id AND b.id = v.blob_id
    LEFT JOIN renditions x ON x.organization_id = g.organization_id AND x.revision_id = v.id AND x.sha256 = g.rendition_sha256
    JOIN blobs u ON u.organization_id = v.organization_id AND u.id = coalesce(x.blob_id, v.blob_id)
    JOIN blobs f ON f.organization_id = g.organization_id AND f.id = coalesce(g.copy_blob_id, v.blob_id)
    JOIN events e ON e.organization_id = g.organization_id AND e.subject_id = g.document_id
      AND e.kind = 'document.signingCompleted' AND e.data ->> 'sessionId' = g.id
    WHERE g.id = ${sessionId}`);
  if (!row) return undefined;
  const { blobId, contentType, removed } = row;
  const [fields, signers] = await Promise.all([
    db.query<DrawnField>(sql`SELECT w.type::text AS type, w.label, w.value, w.page_index, w.x, w.y, w.width, w.height
      FROM signature_recipients r
      JOIN signature_fields w ON w.organization_id = r.organization_id AND w.recipient_id = r.id
      WHERE r.session_id = ${sessionId} AND w.value <> '' ORDER BY w.rank, w.id`),
    db.query<SignerRow>(sql`SELECT r.rank, r.full_name, r.email, r.requested_at, r.request_sent_at,
      r.completed_at, r.ip_address, r.user_agent, r.time_zone
      FROM signature_recipients r WHERE r.session_id = ${sessionId} ORDER BY r.rank, r.completed_at, r.id`),
  ]);
  return {
    organizationId: row.organizationId,
    blobId,
    contentType,
    isCopy: row.copySha256 !== null,
    removed,
    original: { blobId: row.originalBlobId, size: Number(row.originalSize) },
    size: Number(row.size),
    fields,
    audit: auditFacts(sessionId, row, signers.map(auditSigner)),
  };
}

type AuditSigner = AuditFacts['signers'][number];
type SignerRow = Omit<AuditSigner, 'day'> & { timeZone: string | null };

const auditSigner = ({ timeZone, ...signer }: SignerRow): AuditSigner => ({
  ...signer,
  day: signer.completedAt && `${dayIn(timeZone ?? 'UTC', signer.completedAt)} (${timeZone ?? 'UTC'})`,
});

const auditFacts = (
  sessionId: string,
  row: SessionRow,
  signers: AuditFacts['signers'],
): SealingFacts['audit'] => ({
  sessionId,
  documentId: row.documentId,
  documentName: row.documentName,
  organizationName: row.organizationName,
  completedAt: row.completedAt,
  revision: { number: row.revisionNumber, name: row.revisionName, sha256: toHex(row.sha256) },
  copySha256: row.copySha256 && toHex(row.copySha256),
  renditionSha256: row.renditionSha256 && toHex(row.renditionSha256),
  signers,
  chain: { sequence: String(row.sequence), hash: toHex(row.hash) },
});

/**
 * Returns the job of the sealing worker. The reason names the event of the chain, so that the file can be checked
 * later. `checkUrl`: see AuditFacts.
 */
export const toSealJob = (
  { organizationId, contentType, fields, audit }: SealingFacts,
  { bytes: content, removed }: Pick<SigningCopy, 'bytes' | 'removed'>,
  checkUrl: string,
): Omit<SealJob, 'signatureBytes'> => ({
  organizationId,
  content,
  contentType,
  removed,
  fields,
  audit: { ...audit, checkUrl },
  signedAt: new Date(),
  reason: `Session ${audit.sessionId} completed with event ${audit.chain.sequence} of the chain, SHA-256 ${audit.chain.hash}`,
});
