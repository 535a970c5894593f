import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { SignatureSession } from '../../generated/prisma/client.ts';
import { visibleSignatures } from '../access/access.ts';
import { requireDocument } from '../documents/document-batch.ts';
import { recordEvents, subjectEvent } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, notFound } from '../kernel/errors.ts';
import { parse } from '../kernel/input.ts';
import { projectPath } from '../kernel/project-path.ts';
import { tables } from '../kernel/tables.ts';
import { requestSealing } from './sealing-state.ts';

const retry = z.strictObject({ ...projectPath, sessionId: z.string() });

/** What the retry reads of a session. */
type Session = Pick<SignatureSession, 'organizationId' | 'documentId' | 'revisionId' | 'sealing'>;

const CONFLICT_TEXT: Record<Session['sealing'], string> = {
  NONE: 'There is nothing to seal before the last signer has signed.',
  PENDING: 'The session is being sealed.',
  SEALED: 'The session is sealed already.',
  FAILED: '',
};

/**
 * Schedules the sealing of a completed session now, with its failures counted from zero. Requires the role EDITOR.
 * Throws NOT_FOUND, or CONFLICT if the session is sealed, being sealed, or not signed by everyone yet, or if the
 * document was revised since. Returns the id of the session.
 */
export function retrySealing(ctx: Context, input: z.input<typeof retry>): Promise<string> {
  const { sessionId, ...path } = parse(retry, input);
  return inTransaction(ctx.db, async (tx) => {
    const session = await findSession(ctx, tx, sessionId);
    if (!session) throw notFound('Signature session', 'sessionId');
    const document = await requireDocument(
      ctx,
      tx,
      session.documentId,
      path,
      'requestSignatures',
      'sessionId',
    );
    if (session.sealing === 'FAILED') await requireNewestRevision(tx, session, document.revisionNumber);
    const { count } = await tx.prisma.signatureSession.updateMany({
      where: { id: sessionId, sealing: { in: ['FAILED', 'PENDING'] }, sealingBlobId: null },
      data: { sealing: 'PENDING', sealingAttempts: 0 },
    });
    if (count === 0) throw conflict(CONFLICT_TEXT[session.sealing] || CONFLICT_TEXT.PENDING);
    await requestSealing(tx, sessionId);
    await recordEvents(ctx, tx, [subjectEvent(document, 'document.sealingRetried', { sessionId })]);
    return sessionId;
  });
}

async function findSession({ viewer }: Context, tx: Transaction, id: string): Promise<Session | undefined> {
  const [session] = await tx.query<Session>(sql`
    SELECT g.organization_id, g.document_id, g.revision_id, g.sealing::text AS sealing FROM ${tables.signatureSessions.from}
    WHERE g.id = ${id} AND ${visibleSignatures(viewer, tables.signatureSessions)}`);
  return session;
}

/** The sealed file becomes the newest revision, and would hide one that was uploaded after the sealing had failed. */
async function requireNewestRevision(
  tx: Transaction,
  { organizationId, revisionId }: Session,
  newest: number,
): Promise<void> {
  const signed = await tx.prisma.revision.findFirstOrThrow({
    where: { organizationId, id: revisionId },
    select: { number: true },
  });
  if (signed.number < newest)
    throw conflict(
      `Revision ${signed.number} was signed, and revision ${newest} was uploaded since; the sealed file would hide it. Begin a new signing.`,
    );
}
