import { z } from 'zod';
import { databaseTime } from '../../db/clock.ts';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Prisma, SignatureRecipient } from '../../generated/prisma/client.ts';
import { type NewEvent, recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { conflict } from '../kernel/errors.ts';
import { parse, text } from '../kernel/input.ts';
import { requestSealing } from '../sealing/sealing-state.ts';
import { queueDeclinedMail } from '../signatures/signature-outcome.ts';
import { requestSignatures } from '../signatures/signature-request.ts';
import { newlyRequested } from '../signatures/signature-start.ts';
import { type SessionProgress, type SignerVerb, transition } from '../signatures/signature-state.ts';
import { resolveValues, valuesInput, withDrawableValues, writeValues } from './sign-values.ts';
import { clientOrigin, requireSigning, type Signing, type SigningKey, signingEvent } from './signing.ts';
import { accountTimeZone, dayOfSigning, timeZoneInput } from './signing-day.ts';
import { requireUnlocked, type SigningProof } from './signing-open.ts';

const signingPath = {
  sessionId: z.string(),
  recipientId: z.string(),
  accessCode: text(100).nullish(),
  pass: z.string().nullish(),
};

const signature = z.strictObject({
  ...signingPath,
  values: valuesInput,
  consent: text(2_000).nullish(),
  timeZone: timeZoneInput,
});

/**
 * Fills in the fields of a signer, which signs, once. `consent`: the text they agreed to; `timeZone`: of the day that is
 * written into dates left empty, by default that of their account, else UTC. Requests the next rank after
 * the last signer of this one; the last signature completes the session. Throws NOT_FOUND, FORBIDDEN without the access
 * code, BAD_USER_INPUT for values, CONFLICT for a signer whose signature is not requested now.
 */
export function signDocument(ctx: Context, input: z.input<typeof signature>): Promise<Signing> {
  const { values, consent, timeZone: given, ...signer } = parse(signature, input);
  return applySignerVerb(ctx, signer, 'SIGN', async (unlocked) => {
    const stored = await withDrawableValues(ctx, unlocked, values);
    return async (tx, signing) => {
      const completedAt = new Date();
      const timeZone = given ?? (await accountTimeZone(tx, ctx.viewer, signing));
      const fields = await resolveValues(tx, signing, stored, dayOfSigning(completedAt, timeZone));
      await writeValues(tx, fields);
      return { completedAt, timeZone, fieldIds: fields.map(({ id }) => id), consent };
    };
  });
}

const refusal = z.strictObject({ ...signingPath, reason: text(2_000).nullish() });

/** Refuses to sign, which stops the session for all signers. Throws as signDocument does. */
export function declineSignature(ctx: Context, input: z.input<typeof refusal>): Promise<Signing> {
  const { reason, ...signer } = parse(refusal, input);
  return applySignerVerb(ctx, signer, 'DECLINE', async () => async () => ({
    declinedReason: reason || null,
  }));
}

type SignerInput = SigningKey & SigningProof;

interface SignerChange
  extends Pick<Partial<SignatureRecipient>, 'completedAt' | 'declinedReason' | 'timeZone'> {
  fieldIds?: string[];
  consent?: string | null;
}

type WriteChange = (tx: Transaction, signing: Signing) => Promise<SignerChange>;

/** Signs or declines. `prepare` runs before the transaction; what it returns writes the change within it. */
async function applySignerVerb(
  ctx: Context,
  { accessCode, pass, ...key }: SignerInput,
  verb: SignerVerb,
  prepare: (unlocked: Signing) => Promise<WriteChange>,
): Promise<Signing> {
  const unlocked = await requireSigning(ctx, key);
  await requireUnlocked(ctx, unlocked, { accessCode, pass });
  const write = await prepare(unlocked);
  return inTransaction(ctx.db, async (tx) => {
    const { signing, before } = await lockSigning(ctx, tx, key);
    const after = requireTransition(before, verb, signing);
    const { fieldIds, consent, ...written } = await write(tx, signing);
    await claimRequest(ctx, tx, signing, { ...written, state: stateOf(after, signing) });
    const next = newlyRequested(before, after);
    await requestSignatures(ctx, tx, next, null);
    if (verb === 'DECLINE') await queueDeclinedMail(ctx, tx, signing);
    if (after.state !== 'ACTIVE') await endSession(tx, signing, after.state);
    const kind = verb === 'SIGN' ? 'document.signed' : 'document.signatureDeclined';
    const data = {
      ...(fieldIds && { fieldIds }),
      ...(consent && { consent }),
      ...(written.timeZone && { timeZone: written.timeZone }),
      ...(written.declinedReason && { reason: written.declinedReason }),
      ...(next.length > 0 && { nextRecipientIds: next }),
    };
    await recordEvents(ctx, tx, [
      signingEvent(ctx, signing, kind, data),
      ...sessionEndEvents(signing, after.state),
    ]);
    return { ...signing, ...written, state: stateOf(after, signing), sessionState: after.state };
  });
}

/** Returns the signing with its document's row locked, so that the signers of one document are serialized. */
async function lockSigning(
  ctx: Context,
  tx: Transaction,
  key: SigningKey,
): Promise<{ signing: Signing; before: SessionProgress }> {
  const { documentId } = await requireSigning(ctx, key, tx);
  await tx.query(sql`SELECT d.id FROM documents d WHERE d.id = ${documentId} FOR NO KEY UPDATE`);
  const signing = await requireSigning(ctx, key, tx);
  if (signing.projectDisabledAt) throw conflict('The project is disabled.');
  const signers = await tx.prisma.signatureRecipient.findMany({
    where: { organizationId: signing.organizationId, sessionId: signing.sessionId },
    orderBy: { id: 'asc' },
  });
  return { signing, before: { state: signing.sessionState, signers } };
}

const NOT_REQUESTED = 'No signature of this signer is requested now.';

/** Throws CONFLICT with what became of the request for this signature. */
function requireTransition(before: SessionProgress, verb: SignerVerb, signing: Signing): SessionProgress {
  const after = transition(before, { verb, by: signing.id });
  if (!after) throw conflict(whyNot(verb, signing));
  return after;
}

function whyNot(verb: SignerVerb, { state, completedAt }: Signing): string {
  if (state === 'DECLINED') return 'This signer declined to sign already.';
  if (state === 'WAITING') return 'It is not the turn of this signer yet.';
  if (state !== 'COMPLETED' || !completedAt) return NOT_REQUESTED;
  const signed = `This signer signed already, at ${completedAt.toISOString()}.`;
  return verb === 'SIGN' ? `${signed} The values of this request were not used.` : signed;
}

const stateOf = ({ signers }: SessionProgress, { id }: Signing) =>
  signers.find((each) => each.id === id)?.state as SignatureRecipient['state'];

/** Moves the signer out of REQUESTED by one conditional update: each signs or declines once. Throws CONFLICT. */
async function claimRequest(
  ctx: Context,
  tx: Transaction,
  { id }: Signing,
  data: Prisma.SignatureRecipientUncheckedUpdateManyInput,
): Promise<void> {
  const { count } = await tx.prisma.signatureRecipient.updateMany({
    where: { id, state: 'REQUESTED' },
    data: { ...data, ...clientOrigin(ctx) },
  });
  if (count === 0) throw conflict(NOT_REQUESTED);
}

/** Writes the end of a session; a completed one is scheduled for sealing. */
async function endSession(
  tx: Transaction,
  { sessionId, documentId }: Signing,
  state: 'DRAFT' | 'COMPLETED' | 'STOPPED',
): Promise<void> {
  const now = await databaseTime(tx);
  const { count } = await tx.prisma.signatureSession.updateMany({
    where: { id: sessionId, state: 'ACTIVE' },
    data: {
      state,
      version: { increment: 1 },
      ...(state === 'COMPLETED' ? { completedAt: now } : { stoppedAt: now, stopReason: 'DECLINED' as const }),
    },
  });
  if (count === 0) throw conflict(NOT_REQUESTED);
  if (state !== 'COMPLETED') return;
  await requestSealing(tx, sessionId);
  await tx.prisma.document.update({
    where: { id: documentId },
    data: { signedAt: now, version: { increment: 1 } },
  });
}

const END_EVENTS = { COMPLETED: 'document.signingCompleted', STOPPED: 'document.signingStopped' } as const;

const sessionEndEvents = (signing: Signing, state: SessionProgress['state']): NewEvent[] =>
  state === 'COMPLETED' || state === 'STOPPED'
    ? [
        {
          organizationId: signing.organizationId,
          projectId: signing.projectId,
          subjectId: signing.documentId,
          kind: END_EVENTS[state],
          data: { sessionId: signing.sessionId },
        },
      ]
    : [];
