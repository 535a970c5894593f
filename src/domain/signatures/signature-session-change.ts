import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import type { Document } from '../documents/document.ts';
import { newEvent, projectPath } from '../documents/document-batch.ts';
import { type NewEvent, recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { parse } from '../kernel/input.ts';
import { requireVersion } from '../kernel/version.ts';
import { requireSealer } from '../sealing/sealable.ts';
import { hashAccessCode } from './access-code.ts';
import {
  changeSession,
  currentRevisionId,
  type LockedDocument,
  requireSession,
  requireTransition,
} from './signature-command.ts';
import {
  optionsInput,
  optionsToSave,
  recipientsInput,
  type SessionOptions,
  saveRecipients,
} from './signature-draft.ts';
import { requireSignable } from './signature-form-change.ts';
import { findCurrentSessions, type SignatureSession } from './signature-session.ts';
import { beginSession, resetSession } from './signature-start.ts';

const opening = z.strictObject({ ...projectPath, documentId: z.string() });

/** The session of a document that is open, or else its newest; a draft is made when there is none. Takes the role EDITOR. */
export function ensureSignatureSession(
  ctx: Context,
  input: z.input<typeof opening>,
): Promise<SignatureSession> {
  const { documentId, ...within } = parse(opening, input);
  return inTransaction(ctx.db, async (tx) => {
    const document = await requireSignable(ctx, tx, documentId, within);
    const { session, created } = await currentSession(ctx, tx, document);
    if (created.length > 0) await recordEvents(ctx, tx, created);
    return session;
  });
}

/** Of a document that the transaction holds; with the event to record when it was made just now. */
async function currentSession(
  ctx: Context,
  tx: Transaction,
  document: Document,
): Promise<{ session: SignatureSession; created: NewEvent[] }> {
  const [known] = await findCurrentSessions(ctx, [document.id], tx);
  if (known) return { session: known, created: [] };
  const id = newId('SignatureSession');
  await tx.prisma.signatureSession.create({
    data: {
      organizationId: document.organizationId,
      id,
      documentId: document.id,
      revisionId: await currentRevisionId(tx, document),
      createdById: ctx.viewer.userId,
    },
  });
  const [session] = (await findCurrentSessions(ctx, [document.id], tx)) as [SignatureSession];
  return { session, created: [newEvent(document, 'document.signatureSessionCreated', { sessionId: id })] };
}

/** Where a caller says a session is: sessionId pins it to the one they saw. */
const sessionPlace = {
  ...projectPath,
  documentId: z.string(),
  sessionId: z.string().nullish(),
  expectedVersion: z.int().nullish(),
};

const update = z.strictObject({
  ...sessionPlace,
  reset: z.boolean().nullish(),
  ...optionsInput,
  recipients: recipientsInput.nullish(),
  begin: z.boolean().nullish(),
});

/**
 * Resets the session of a document if so asked, saves its options and signers, and begins it if so asked: all of it, or
 * nothing. Members left out, or null, stay as they are; recipients replaces the list. Throws CONFLICT for what the
 * state does not allow.
 */
export async function updateSignatureSession(
  ctx: Context,
  input: z.input<typeof update>,
): Promise<SignatureSession> {
  const { documentId, organizationId, projectId, ...said } = parse(update, input);
  if (said.begin) await requireSealer(ctx);
  const codeHash = said.accessCode ? await hashAccessCode(said.accessCode) : undefined;
  return inTransaction(ctx.db, async (tx) => {
    const document = await requireSignable(ctx, tx, documentId, { organizationId, projectId });
    const { session, created } = await currentSession(ctx, tx, document);
    requireSame(session, said);
    const events = await carryOut({ ctx, tx, document }, session, { ...said, codeHash });
    if (created.length + events.length > 0) await recordEvents(ctx, tx, [...created, ...events]);
    return (await findCurrentSessions(ctx, [documentId], tx))[0] as SignatureSession;
  });
}

interface Wish extends SessionOptions {
  reset?: boolean | null;
  recipients?: z.output<typeof recipientsInput> | null;
  begin?: boolean | null;
}

async function carryOut(desk: LockedDocument, before: SignatureSession, wish: Wish): Promise<NewEvent[]> {
  const events: NewEvent[] = [];
  let session = before;
  let successors = new Map<string, string>();
  if (wish.reset) {
    const fresh = await resetSession(desk, session);
    events.push(...fresh.events);
    successors = fresh.successors;
    session = fresh.session;
  }
  const options = optionsToSave(session, wish);
  if (options || wish.recipients) {
    requireTransition({ state: session.state, signers: [] }, 'SAVE');
    await changeSession(desk, session, options ?? {});
    if (wish.recipients) await saveRecipients(desk, session, wish.recipients, successors);
    events.push(saved(desk.document, session, options, wish.recipients));
  }
  if (wish.begin) events.push(...(await beginSession(desk, { ...session, ...options } as SignatureSession)));
  return events;
}

const saved = (
  document: Document,
  { id: sessionId }: SignatureSession,
  options: Prisma.SignatureSessionUncheckedUpdateManyInput | undefined,
  recipients: Wish['recipients'],
): NewEvent => {
  const { accessCode: _, ...shown } = options ?? {};
  return newEvent(document, 'document.signatureSessionUpdated', {
    sessionId,
    after: { ...(shown as Prisma.InputJsonObject), ...(recipients && { recipients }) },
  });
};

function requireSame(
  session: SignatureSession,
  { sessionId, expectedVersion }: { sessionId?: string | null; expectedVersion?: number | null },
): void {
  if (sessionId && sessionId !== session.id) throw notFound('Signature session', 'sessionId');
  requireVersion(session, expectedVersion);
}

const stopping = z.strictObject(sessionPlace);

/** Ends a session that is under way: nobody signs any more, and all of its links are dead. CONFLICT for any other. */
export function stopSignatureSession(
  ctx: Context,
  input: z.input<typeof stopping>,
): Promise<SignatureSession> {
  const { documentId, organizationId, projectId, ...said } = parse(stopping, input);
  return inTransaction(ctx.db, async (tx) => {
    const document = await requireSignable(ctx, tx, documentId, { organizationId, projectId });
    const session = await requireSession({ ctx, tx, document });
    requireSame(session, said);
    const { state } = requireTransition({ state: session.state, signers: [] }, 'STOP');
    await changeSession({ ctx, tx, document }, session, {
      state,
      stoppedAt: new Date(),
      stopReason: 'SENDER',
    });
    await recordEvents(ctx, tx, [newEvent(document, 'document.signingStopped', { sessionId: session.id })]);
    return requireSession({ ctx, tx, document });
  });
}
