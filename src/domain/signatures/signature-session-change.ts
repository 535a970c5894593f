import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/id.ts';
import type { Document } from '../documents/document.ts';
import { changes, type NewEvent, recordEvents, subjectEvent } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { parse } from '../kernel/input.ts';
import { projectPath } from '../kernel/project-path.ts';
import { requireVersion } from '../kernel/version.ts';
import { requireSealer } from '../sealing/sealable.ts';
import { type StoredCopy, withSigningCopy } from '../sealing/signing-copy.ts';
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
import { findSigners } from './signature-field.ts';
import { requireSignable } from './signature-form-change.ts';
import { findCurrentSessions, type SignatureSession } from './signature-session.ts';
import { beginSession, resetSession } from './signature-start.ts';

const opening = z.strictObject({ ...projectPath, documentId: z.string() });

/**
 * Returns the open session of a document, else its newest, creating a draft if there is none. Requires the role EDITOR.
 */
export function ensureSignatureSession(
  ctx: Context,
  input: z.input<typeof opening>,
): Promise<SignatureSession> {
  const { documentId, ...path } = parse(opening, input);
  return inTransaction(ctx.db, async (tx) => {
    const document = await requireSignable(ctx, tx, documentId, path);
    const { session, created } = await currentSession(ctx, tx, document);
    if (created.length > 0) await recordEvents(ctx, tx, created);
    return session;
  });
}

/** The current session of a locked document. `created` has the event to record if a draft was created. */
async function currentSession(
  ctx: Context,
  tx: Transaction,
  document: Document,
): Promise<{ session: SignatureSession; created: NewEvent[] }> {
  const [existing] = await findCurrentSessions(ctx, [document.id], tx);
  if (existing) return { session: existing, created: [] };
  const id = newId('SignatureSession');
  await tx.prisma.signatureSession.create({
    data: {
      organizationId: document.organizationId,
      id,
      documentId: document.id,
      projectId: document.projectId,
      revisionId: await currentRevisionId(tx, document),
      createdById: ctx.viewer.userId,
    },
  });
  const [session] = (await findCurrentSessions(ctx, [document.id], tx)) as [SignatureSession];
  return {
    session,
    created: [subjectEvent(document, 'document.signatureSessionCreated', { sessionId: id })],
  };
}

/** Input that identifies a session. sessionId: throws NOT_FOUND if the current session is another one. */
const sessionPath = {
  ...projectPath,
  documentId: z.string(),
  sessionId: z.string().nullish(),
  expectedVersion: z.int().nullish(),
};

const update = z.strictObject({
  ...sessionPath,
  reset: z.boolean().nullish(),
  ...optionsInput,
  recipients: recipientsInput.nullish(),
  begin: z.boolean().nullish(),
});

/**
 * Resets the session (`reset`), saves its options and signers, and begins it (`begin`), in this order, all or nothing.
 * Members that are absent or null keep their value; recipients replaces the list. Throws CONFLICT where the state does
 * not allow it, UNAVAILABLE to begin without a sealing certificate, and as withSigningCopy.
 */
export async function updateSignatureSession(
  ctx: Context,
  input: z.input<typeof update>,
): Promise<SignatureSession> {
  const { documentId, organizationId, projectId, ...change } = parse(update, input);
  if (change.begin) await requireSealer(ctx);
  const codeHash = change.accessCode ? await hashAccessCode(change.accessCode) : undefined;
  return withSigningCopy(ctx, (copy) =>
    inTransaction(ctx.db, async (tx) => {
      const document = await requireSignable(ctx, tx, documentId, { organizationId, projectId });
      const { session, created } = await currentSession(ctx, tx, document);
      requireSameSession(session, change);
      const events = await applySessionUpdate({ ctx, tx, document }, session, { ...change, codeHash, copy });
      if (created.length + events.length > 0) await recordEvents(ctx, tx, [...created, ...events]);
      return (await findCurrentSessions(ctx, [documentId], tx))[0] as SignatureSession;
    }),
  );
}

interface SessionUpdate extends SessionOptions {
  reset?: boolean | null;
  recipients?: z.output<typeof recipientsInput> | null;
  begin?: boolean | null;
  copy?: StoredCopy;
}

/** Returns the events to record. */
async function applySessionUpdate(
  target: LockedDocument,
  before: SignatureSession,
  update: SessionUpdate,
): Promise<NewEvent[]> {
  const events: NewEvent[] = [];
  let session = before;
  let successors = new Map<string, string>();
  if (update.reset) {
    const result = await resetSession(target, session);
    events.push(...result.events);
    successors = result.successors;
    session = result.session;
  }
  const options = optionsToSave(session, update);
  if (options || update.recipients) {
    requireTransition({ state: session.state, signers: [] }, 'SAVE');
    await changeSession(target, session, options ?? {});
    const replaced =
      update.recipients && (await changeRecipients(target, session, update.recipients, successors));
    const data = changes(
      { ...shownOptions(session), ...replaced?.before },
      { ...shownOptions((options ?? {}) as Partial<SignatureSession>), ...replaced?.after },
    );
    events.push(
      subjectEvent(target.document, 'document.signatureSessionUpdated', { sessionId: session.id, ...data }),
    );
  }
  if (update.begin)
    events.push(...(await beginSession(target, { ...session, ...options } as SignatureSession, update.copy)));
  return events;
}

/** Options as events show them: never the access code, nor its hash. */
function shownOptions(options: Partial<SignatureSession>) {
  const { accessCode: _, endsAt, ...shown } = options;
  return endsAt === undefined ? shown : { ...shown, expiresAt: endsAt };
}

/** Replaces the signers of a draft, and returns them before and after. */
async function changeRecipients(
  target: LockedDocument,
  session: SignatureSession,
  recipients: NonNullable<SessionUpdate['recipients']>,
  successors: ReadonlyMap<string, string>,
) {
  const read = async () => ({
    recipients: (await findSigners(target.tx, session)).map(({ id, rank, email, fullName }) => ({
      id,
      rank,
      email,
      fullName,
    })),
  });
  const before = await read();
  await saveRecipients(target, session, recipients, successors);
  return { before, after: await read() };
}

function requireSameSession(
  session: SignatureSession,
  { sessionId, expectedVersion }: { sessionId?: string | null; expectedVersion?: number | null },
): void {
  if (sessionId && sessionId !== session.id) throw notFound('Signature session', 'sessionId');
  requireVersion(session, expectedVersion);
}

const stopping = z.strictObject(sessionPath);

/** Stops an active session: nobody can sign, and its links stop working. Throws CONFLICT in any other state. */
export function stopSignatureSession(
  ctx: Context,
  input: z.input<typeof stopping>,
): Promise<SignatureSession> {
  const { documentId, organizationId, projectId, ...expected } = parse(stopping, input);
  return inTransaction(ctx.db, async (tx) => {
    const document = await requireSignable(ctx, tx, documentId, { organizationId, projectId });
    const session = await requireSession({ ctx, tx, document });
    requireSameSession(session, expected);
    const { state } = requireTransition({ state: session.state, signers: [] }, 'STOP');
    await changeSession({ ctx, tx, document }, session, {
      state,
      stoppedAt: new Date(),
      stopReason: 'SENDER',
    });
    await recordEvents(ctx, tx, [
      subjectEvent(document, 'document.signingStopped', { sessionId: session.id }),
    ]);
    return requireSession({ ctx, tx, document });
  });
}
