import { extname } from 'node:path';
import type { Database, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Document } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { toHex } from '../../lib/text/hex.ts';
import { shorten } from '../../lib/text/shorten.js';
import type { ActiveContent } from '../../pdf/copy/signing-copy.ts';
import type { EarlierSignature } from '../../pdf/seal/job.ts';
import { recordEvents } from '../kernel/audit.ts';
import type { SealTimeStamp } from './seal-stamp.ts';
import { queueSealingMails } from './sealed-mail.ts';
import type { SealingFacts } from './sealing-facts.ts';
import { SERVER_ACTOR, type SealingAttempt } from './sealing-state.ts';
import { STAMP_DELAY, scheduleStamp, VALIDATION_DELAY } from './stamp-schedule.ts';

/** The file that the attempt stored as its blob. */
interface SealedFile {
  sha256: Uint8Array<ArrayBuffer>;
  size: number;
  pageCount: number;
  removed: ActiveContent[];
  earlier: EarlierSignature[];
  timeStamp: SealTimeStamp | undefined;
  /** Whether a time-stamp was to be in it that no authority gave; a document time-stamp follows. */
  lacksStamp: boolean;
  /** Whether it has a time-stamp, and answers about the revocation of its certificate are published. */
  isValidatable: boolean;
}

/**
 * Adds the sealed file as the newest revision of its document. Returns false if the document was deleted or another
 * attempt has taken over; the caller then removes the blob.
 */
export function addSealedRevision(
  db: Database,
  attempt: SealingAttempt,
  facts: SealingFacts,
  sealed: SealedFile,
): Promise<boolean> {
  const { organizationId, documentId, sessionId, blobId } = attempt;
  return inTransaction(db, async (tx) => {
    const [document] = await tx.query<Document>(
      sql`SELECT d.* FROM documents d WHERE d.organization_id = ${organizationId} AND d.id = ${documentId} FOR UPDATE`,
    );
    if (!document) return false;
    const revisionId = newId('Revision');
    const where = { id: sessionId, sealing: 'PENDING', sealingBlobId: blobId } as const;
    const session = await tx.prisma.signatureSession.findFirst({ where });
    if (!session) return false;
    const { sha256, size, pageCount } = sealed;
    const row = { revisionId, name: pdfName(document.name), createdById: session.createdById };
    await addRevision(tx, { ...row, blobId, document, sha256, size, pageCount });
    const { count } = await tx.prisma.signatureSession.updateMany({
      where,
      data: sealColumns(sealed, revisionId),
    });
    if (count === 0) throw new Error(`the lease on ${sessionId} was taken while its document was locked`);
    const delay = delayOf(sealed);
    if (delay !== undefined) await scheduleStamp(tx, attempt, delay);
    await queueSealingMails(tx, 'SIGNATURE_COMPLETED', attempt);
    tx.wake('text');
    await recordEvents(SERVER_ACTOR, tx, [sealedEvent(attempt, document, facts, sealed)]);
    return true;
  });
}

const sealColumns = ({ timeStamp, removed }: SealedFile, sealRevisionId: string) => ({
  sealing: 'SEALED' as const,
  sealedAt: new Date(),
  sealStampedAt: timeStamp?.time ?? null,
  sealAuthority: timeStamp?.authority ?? null,
  sealRemoved: removed,
  sealingError: null,
  sealingNextAt: null,
  sealingBlobId: null,
  sealRevisionId,
  version: { increment: 1 },
});

/** Milliseconds until something is added to the file; undefined where nothing will be. */
function delayOf({ lacksStamp, isValidatable }: SealedFile): number | undefined {
  if (lacksStamp) return STAMP_DELAY;
  return isValidatable ? VALIDATION_DELAY : undefined;
}

interface NewRevision extends Pick<SealedFile, 'sha256' | 'size'> {
  pageCount: number | null;
  blobId: string;
  /** Its row is locked. */
  document: Document;
  revisionId: string;
  name: string;
  /** The creator of the session. */
  createdById: string;
}

/** Adds a PDF that the server wrote as the newest revision of a document. */
export async function addRevision(
  tx: Transaction,
  { document, revisionId, name, createdById, blobId, sha256, size, pageCount }: NewRevision,
): Promise<void> {
  const { organizationId, id: documentId } = document;
  const content = { contentType: 'application/pdf', pageCount, size: BigInt(size) };
  await tx.prisma.blob.create({ data: { organizationId, id: blobId, sha256, ...content } });
  const number = document.revisionNumber + 1;
  await tx.prisma.revision.create({
    data: { organizationId, id: revisionId, documentId, number, blobId, name, ...content, createdById },
  });
  await tx.prisma.document.update({
    where: { id: documentId },
    data: {
      ...content,
      revisionNumber: number,
      origin: 'SEAL',
      modifiedAt: new Date(),
      modifiedById: createdById,
      version: { increment: 1 },
    },
  });
}

/** Earlier signatures in an event. */
const MAX_EARLIER = 20;

const pdfName = (name: string): string =>
  extname(name).toLowerCase() === '.pdf' ? name : `${shorten(name, 251)}.pdf`;

const sealedEvent = (
  { organizationId, projectId, documentId, sessionId }: SealingAttempt,
  { revisionNumber }: Document,
  { audit }: SealingFacts,
  { sha256, size, removed, earlier, timeStamp }: SealedFile,
) => ({
  organizationId,
  projectId,
  subjectId: documentId,
  kind: 'document.sealed',
  data: {
    sessionId,
    signed: {
      revision: audit.revision.number,
      sha256: audit.revision.sha256,
      ...(audit.renditionSha256 && { renditionSha256: audit.renditionSha256 }),
      ...(audit.copySha256 && { copySha256: audit.copySha256 }),
    },
    chain: audit.chain,
    ...(timeStamp && {
      timeStamp: { time: timeStamp.time.toISOString(), authority: timeStamp.authority },
    }),
    ...(removed.length > 0 && { removed }),
    ...(earlier.length > 0 && {
      earlierSignatures: earlier.slice(0, MAX_EARLIER).map((each) => ({ ...each })),
    }),
    after: { revision: revisionNumber + 1, contentType: 'application/pdf', size, sha256: toHex(sha256) },
  },
});
