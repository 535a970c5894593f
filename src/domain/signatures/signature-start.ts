import { databaseTime } from '../../db/clock.ts';
import { sql } from '../../db/sql/sql.ts';
import type { SignatureField, SignatureFieldType } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { DAY } from '../../lib/time.ts';
import type { NewEvent } from '../kernel/audit.ts';
import { subjectEvent } from '../kernel/audit.ts';
import { badValue, conflict } from '../kernel/errors.ts';
import { changedNow } from '../kernel/version.ts';
import { requireSealable } from '../sealing/sealable.ts';
import { claimCopy, type StoredCopy } from '../sealing/signing-copy.ts';
import {
  changeSession,
  currentRevisionId,
  type LockedDocument,
  requireSession,
  requireTransition,
} from './signature-command.ts';
import { findSigners } from './signature-field.ts';
import { requestSignatures } from './signature-request.ts';
import type { SignatureSession } from './signature-session.ts';
import type { SessionProgress, Signer } from './signature-state.ts';

/** Returns the ids of the signers whose signature the transition requests. Both lists are in the same order. */
export const newlyRequested = (before: SessionProgress, after: SessionProgress): string[] =>
  after.signers
    .filter(({ state }, index) => state === 'REQUESTED' && before.signers[index]?.state !== 'REQUESTED')
    .map(({ id }) => id);

/**
 * Begins a draft on the newest revision and returns the events to record. Throws CONFLICT unless it is a draft in which
 * each signer has a field and each field a signer and a page; as requireSealable for a document that cannot be sealed; as claimCopy.
 */
export async function beginSession(
  target: LockedDocument,
  session: SignatureSession,
  copy: StoredCopy | undefined,
): Promise<NewEvent[]> {
  const { ctx, tx, document } = target;
  const before: SessionProgress = { state: session.state, signers: await findSigners(tx, session) };
  const after = requireTransition(before, 'BEGIN');
  const signed = await requireSealable(tx, document);
  const signedTarget = { ...target, document: signed };
  if (session.formDesignType === 'Quick') await placeQuickFields(signedTarget, session, before.signers);
  await requireFieldForEachSigner(signedTarget, before.signers);
  await requireOpenEnd(target, session);
  const revisionId = await currentRevisionId(tx, document);
  const { columns, data } = await claimCopy(tx, signed, revisionId, copy);
  const recipientIds = newlyRequested(before, after);
  await requestSignatures(ctx, tx, recipientIds, ctx.viewer.userId);
  await changeSession(target, session, { state: after.state, revisionId, ...columns });
  const began = { sessionId: session.id, revisionId, recipientIds, ...data };
  return [subjectEvent(document, 'document.signingBegan', began)];
}

/** A session may be open for this long at most. */
const MAX_DURATION = 365 * DAY;

/** Throws BAD_USER_INPUT if the end that its sender chose has passed, or is too far away. */
async function requireOpenEnd({ tx }: LockedDocument, { endsAt }: SignatureSession): Promise<void> {
  if (!endsAt) return;
  const now = await databaseTime(tx);
  if (endsAt <= now) throw badValue('expiresAt', 'has passed');
  if (endsAt.getTime() > now.getTime() + MAX_DURATION) throw badValue('expiresAt', 'must be within a year');
}

async function requireFieldForEachSigner(
  { tx, document }: LockedDocument,
  signers: readonly Signer[],
): Promise<void> {
  const { organizationId, id: documentId, pageCount } = document;
  const fields = await tx.prisma.signatureField.findMany({
    where: { organizationId, form: { documentId } },
    select: { recipientId: true, pageIndex: true },
  });
  for (const { pageIndex } of fields)
    if (pageCount !== null && pageIndex >= Math.max(pageCount, 1))
      throw conflict(`A field is on page ${pageIndex + 1}, but the document has ${pageCount}.`);
  if (fields.some(({ recipientId }) => recipientId === null)) throw conflict('A field is for no signer.');
  if (signers.some(({ id }) => !fields.some(({ recipientId }) => recipientId === id)))
    throw conflict('A signer has no field to fill in.');
}

/** In percent of the page. */
const QUICK_ROW_HEIGHT = 6;

/**
 * Quick design: replaces the fields of the form. Each signer gets a signature and the fields that the options ask for,
 * in a row of their own at the foot of the last page.
 */
async function placeQuickFields(
  { ctx, tx, document }: LockedDocument,
  session: SignatureSession,
  signers: readonly Signer[],
): Promise<void> {
  const { organizationId, projectId, id: documentId } = document;
  const created = { organizationId, projectId, documentId, createdById: ctx.viewer.userId };
  const form = await tx.prisma.signatureForm.upsert({
    where: { organizationId_documentId: { organizationId, documentId } },
    create: { ...created, id: newId('SignatureForm') },
    update: changedNow(),
  });
  await tx.prisma.signatureField.deleteMany({ where: { organizationId, formId: form.id } });
  const types = quickTypes(session);
  const rows = signers.flatMap((signer, row) =>
    types.map((type, column) => ({
      organizationId,
      id: newId('SignatureField'),
      formId: form.id,
      recipientId: signer.id,
      type,
      rank: row * types.length + column,
      pageIndex: Math.max((document.pageCount ?? 1) - 1, 0),
      x: 5 + (column * 90) / types.length,
      y: 100 - QUICK_ROW_HEIGHT * (1 + ((signers.length - 1 - row) % 15)),
      width: 85 / types.length,
      height: QUICK_ROW_HEIGHT - 1,
    })),
  );
  await tx.prisma.signatureField.createMany({ data: rows });
}

const quickTypes = (session: SignatureSession): SignatureFieldType[] => [
  'SIGNATURE',
  ...(session.placeInitials ? (['INITIALS'] as const) : []),
  ...(session.placeFullName ? (['FULL_NAME'] as const) : []),
  ...(session.placeEmail ? (['EMAIL'] as const) : []),
  ...(session.placeTitle ? (['TITLE'] as const) : []),
];

interface SessionReset {
  session: SignatureSession;
  /** The id of each signer's copy, by the id of the signer. */
  successors: Map<string, string>;
  events: NewEvent[];
}

/**
 * Stops an active session and creates a draft with the same signers and options, its fields empty. A draft is returned
 * unchanged. Throws CONFLICT for a completed session.
 */
export async function resetSession(target: LockedDocument, old: SignatureSession): Promise<SessionReset> {
  const { tx, document } = target;
  const { state } = requireTransition({ state: old.state, signers: [] }, 'RESET');
  if (state === 'DRAFT') return { session: old, successors: new Map(), events: [] };
  if (old.state === 'ACTIVE')
    await changeSession(target, old, { state, stoppedAt: new Date(), stopReason: 'SENDER' });
  const id = newId('SignatureSession');
  await tx.prisma.signatureSession.create({ data: { ...(await successorColumns(target, old)), id } });
  const successors = await copyRecipients(target, old, id);
  await moveFields(target, successors);
  const data = { sessionId: old.id, successorId: id };
  return {
    session: await requireSession(target),
    successors,
    events: [subjectEvent(document, 'document.signingReset', data)],
  };
}

/** The columns that a draft copies from the session it replaces. */
const successorColumns = async ({ ctx, tx, document }: LockedDocument, old: SignatureSession) => ({
  organizationId: old.organizationId,
  documentId: old.documentId,
  projectId: old.projectId,
  revisionId: await currentRevisionId(tx, document),
  formDesignType: old.formDesignType,
  useAccessCode: old.useAccessCode,
  accessCode: old.accessCode,
  useCustomMail: old.useCustomMail,
  customSubject: old.customSubject,
  customBody: old.customBody,
  placeInitials: old.placeInitials,
  placeFullName: old.placeFullName,
  placeEmail: old.placeEmail,
  placeTitle: old.placeTitle,
  createdById: ctx.viewer.userId,
});

async function copyRecipients({ tx }: LockedDocument, old: SignatureSession, sessionId: string) {
  const signers = await findSigners(tx, old);
  const copies = signers.map(({ organizationId, userId, rank, email, fullName }) => ({
    organizationId,
    id: newId('SignatureRecipient'),
    sessionId,
    userId,
    rank,
    email,
    fullName,
  }));
  await tx.prisma.signatureRecipient.createMany({ data: copies });
  return new Map(signers.map(({ id }, index) => [id, copies[index]?.id as string]));
}

/** Assigns the fields to the copies of their signers, and empties them. */
async function moveFields({ tx, document }: LockedDocument, successors: Map<string, string>): Promise<void> {
  await tx.query<Pick<SignatureField, 'id'>>(sql`UPDATE signature_fields w
    SET recipient_id = x.successor, value = NULL, completed_at = NULL
    FROM unnest(${sql.texts([...successors.keys()])}, ${sql.texts([...successors.values()])}) AS x(id, successor)
    WHERE w.organization_id = ${document.organizationId} AND w.recipient_id = x.id RETURNING w.id`);
}
