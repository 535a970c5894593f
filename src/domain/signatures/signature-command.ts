import type { Transaction } from '../../db/database.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import type { Document } from '../documents/document.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, notFound, staleVersion } from '../kernel/errors.ts';
import { changedBy } from '../kernel/version.ts';
import { findCurrentSessions, type SignatureSession } from './signature-session.ts';
import { type SessionProgress, type SessionVerb, transition } from './signature-state.ts';

/**
 * A document whose signatures a command changes, with the command's context. Its row is locked until the transaction
 * ends.
 */
export interface LockedDocument {
  ctx: Context;
  tx: Transaction;
  document: Document;
}

/** Returns the id of the document's newest revision. */
export async function currentRevisionId(
  tx: Transaction,
  { organizationId, id: documentId, revisionNumber: number }: Document,
): Promise<string> {
  const where = { organizationId_documentId_number: { organizationId, documentId, number } };
  return (await tx.prisma.revision.findUniqueOrThrow({ where, select: { id: true } })).id;
}

/** Returns the current session: the open one, else the newest. Throws NOT_FOUND if the document has none. */
export async function requireSession({ ctx, tx, document }: LockedDocument): Promise<SignatureSession> {
  const [session] = await findCurrentSessions(ctx, [document.id], tx);
  if (!session) throw notFound('Signature session');
  return session;
}

const CONFLICT_TEXT: Record<SignatureSession['state'], string> = {
  DRAFT: 'The session has not begun.',
  ACTIVE: 'The session is under way.',
  COMPLETED: 'The session is completed.',
  STOPPED: 'The session was stopped; reset it to begin anew.',
};

/** Returns the session after `verb`. Throws CONFLICT if its state does not allow that. */
export function requireTransition(session: SessionProgress, verb: SessionVerb): SessionProgress {
  const after = transition(session, { verb });
  if (after) return after;
  throw conflict(
    verb === 'BEGIN' && session.state === 'DRAFT'
      ? 'The session has no signers.'
      : CONFLICT_TEXT[session.state],
  );
}

/** Updates a session and its version. Throws CONFLICT if its state is no longer the one that was read. */
export async function changeSession(
  { ctx, tx }: LockedDocument,
  { id, state, version }: SignatureSession,
  data: Prisma.SignatureSessionUncheckedUpdateManyInput,
): Promise<void> {
  const by = changedBy(ctx);
  const { count } = await tx.prisma.signatureSession.updateMany({
    where: { id, state },
    data: { ...data, ...by },
  });
  if (count === 0) throw staleVersion(version);
}
