import type { Transaction } from '../../db/database.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import type { Document } from '../documents/document.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, notFound, staleVersion } from '../kernel/errors.ts';
import { changedBy } from '../kernel/version.ts';
import { findCurrentSessions, type SignatureSession } from './signature-session.ts';
import { type SessionProgress, type SessionVerb, transition } from './signature-state.ts';

/** A document whose signatures a command changes, held until the transaction ends. */
export interface LockedDocument {
  ctx: Context;
  tx: Transaction;
  document: Document;
}

/** The id of the newest revision. */
export async function currentRevisionId(
  tx: Transaction,
  { organizationId, id: documentId, revisionNumber: number }: Document,
): Promise<string> {
  const where = { organizationId_documentId_number: { organizationId, documentId, number } };
  return (await tx.prisma.revision.findUniqueOrThrow({ where, select: { id: true } })).id;
}

export async function requireSession({ ctx, tx, document }: LockedDocument): Promise<SignatureSession> {
  const [session] = await findCurrentSessions(ctx, [document.id], tx);
  if (!session) throw notFound('Signature session');
  return session;
}

const SAYS: Record<SignatureSession['state'], string> = {
  DRAFT: 'The session has not begun.',
  ACTIVE: 'The session is under way.',
  COMPLETED: 'The session is completed.',
  STOPPED: 'The session was stopped; reset it to begin anew.',
};

/** Throws CONFLICT where no such transition is drawn. */
export function requireTransition(standing: SessionProgress, verb: SessionVerb): SessionProgress {
  const after = transition(standing, { verb });
  if (after) return after;
  throw conflict(
    verb === 'BEGIN' && standing.state === 'DRAFT' ? 'The session has no signers.' : SAYS[standing.state],
  );
}

/** Writes a change of a session, whose state must be what it was. */
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
