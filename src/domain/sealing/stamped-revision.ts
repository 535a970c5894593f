import type { Database, Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Document } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { toHex } from '../../lib/text/hex.ts';
import { recordEvents } from '../kernel/audit.ts';
import type { ArchivedFile } from './archive-stamp.ts';
import type { SealTimeStamp } from './seal-stamp.ts';
import { addRevision } from './sealed-revision.ts';
import { SERVER_ACTOR, type SealingAttempt } from './sealing-state.ts';
import { scheduleStamp, VALIDATION_DELAY } from './stamp-schedule.ts';

/** The newest revision of a document, which is sealed. `stampedAt`: null without a time-stamp. */
export interface SealedRevision {
  number: number;
  name: string;
  blobId: string;
  size: bigint;
  sha256: Uint8Array<ArrayBuffer>;
  pageCount: number | null;
  createdById: string;
  stampedAt: Date | null;
}

/**
 * Why nothing is added to a sealed revision. `LATER`: the document is in the recycle bin, or signed again. `NEVER`: it has a
 * newer revision. `LOST`: it was purged, or another attempt has taken over.
 */
export type StampObstacle = 'LATER' | 'NEVER' | 'LOST';

interface StampRow extends SealedRevision {
  isActive: boolean;
  newest: number;
  isSigned: boolean;
}

/** The sealed revision of an attempt if something may be added to it now. */
export async function findStampable(
  reader: Reader,
  { organizationId, sessionId, blobId }: SealingAttempt,
): Promise<SealedRevision | StampObstacle> {
  const [row] = await reader.query<StampRow>(sql`
    SELECT v.number, v.name, v.blob_id, v.size, v.page_count, v.created_by_id, b.sha256, g.seal_stamped_at AS stamped_at, d.state = 'ACTIVE' AS is_active,
      d.revision_number AS newest, EXISTS (SELECT FROM signature_sessions o
        WHERE o.organization_id = d.organization_id AND o.document_id = d.id AND (o.state = 'ACTIVE' OR o.state = 'COMPLETED'
          AND (o.sealing = 'PENDING' OR o.sealing = 'FAILED' AND o.revision_id = v.id))) AS is_signed
    FROM signature_sessions g
    JOIN documents d ON d.organization_id = g.organization_id AND d.id = g.document_id
    JOIN revisions v ON v.organization_id = g.organization_id AND v.id = g.seal_revision_id
    JOIN blobs b ON b.organization_id = v.organization_id AND b.id = v.blob_id
    WHERE g.organization_id = ${organizationId} AND g.id = ${sessionId} AND g.state = 'COMPLETED'
      AND g.sealing = 'SEALED' AND g.seal_validated_at IS NULL AND g.sealing_blob_id = ${blobId}`);
  if (!row) return 'LOST';
  const { isActive, newest, isSigned, ...sealed } = row;
  if (sealed.number < newest) return 'NEVER';
  return isActive && !isSigned ? sealed : 'LATER';
}

/** What was added to a sealed file. */
export interface Addition {
  timeStamp: SealTimeStamp;
  /** Counts of what is in the validation data, if the time-stamp is over such data. */
  validation?: ArchivedFile['validation'];
  /** Whether validation data can be added after it. */
  isValidatable?: boolean;
}

/** The file that the attempt stored as its blob. */
interface StampedFile extends Addition {
  sha256: Uint8Array<ArrayBuffer>;
  size: number;
}

/** Adds the time-stamped file as the newest revision of its document. Otherwise the caller removes the blob. */
export function addStampedRevision(
  db: Database,
  attempt: SealingAttempt,
  stamped: StampedFile,
): Promise<'ADDED' | StampObstacle> {
  const { organizationId, documentId, sessionId, blobId } = attempt;
  return inTransaction(db, async (tx) => {
    const [document] = await tx.query<Document>(
      sql`SELECT d.* FROM documents d WHERE d.organization_id = ${organizationId} AND d.id = ${documentId} FOR UPDATE`,
    );
    if (!document) return 'LOST';
    const sealed = await findStampable(tx, attempt);
    if (typeof sealed === 'string') return sealed;
    const revisionId = newId('Revision');
    const { name, pageCount, createdById } = sealed;
    const { sha256, size } = stamped;
    await addRevision(tx, { blobId, document, revisionId, name, sha256, size, pageCount, createdById });
    const { count } = await tx.prisma.signatureSession.updateMany({
      where: { organizationId, id: sessionId, sealingBlobId: blobId },
      data: {
        sealRevisionId: revisionId,
        ...stampColumns(stamped),
        sealingBlobId: null,
        stampNextAt: null,
        version: { increment: 1 },
      },
    });
    if (count === 0) throw new Error(`the lease on ${sessionId} was taken while its document was locked`);
    if (stamped.isValidatable) await scheduleStamp(tx, attempt, VALIDATION_DELAY);
    tx.wake('text');
    await recordEvents(SERVER_ACTOR, tx, [stampedEvent(attempt, document, sealed, stamped)]);
    return 'ADDED';
  });
}

const stampColumns = ({ timeStamp: { time, authority }, validation }: Addition) =>
  validation ? { sealValidatedAt: time } : { sealStampedAt: time, sealAuthority: authority };

const stampedEvent = (
  { organizationId, projectId, documentId, sessionId }: SealingAttempt,
  { revisionNumber }: Document,
  sealed: SealedRevision,
  { sha256, size, timeStamp, validation }: StampedFile,
) => ({
  organizationId,
  projectId,
  subjectId: documentId,
  kind: validation ? 'document.validationDataAdded' : 'document.timeStamped',
  data: {
    sessionId,
    sealed: { revision: sealed.number, sha256: toHex(sealed.sha256), size: Number(sealed.size) },
    timeStamp: { time: timeStamp.time.toISOString(), authority: timeStamp.authority },
    ...(validation && { validation }),
    after: { revision: revisionNumber + 1, contentType: 'application/pdf', size, sha256: toHex(sha256) },
  },
});
