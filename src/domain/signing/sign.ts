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
import { newlyRequested, requestedColumns } from '../signatures/signature-start.ts';
import { type SessionProgress, type SignerVerb, transition } from '../signatures/signature-state.ts';
import { resolveValues, valuesInput, withNormalizedDrawings, writeValues } from './sign-values.ts';
import { clientOrigin, requireSigning, type Signing, type SigningKey, signingEvent } from './signing.ts';
import { requireUnlocked, type SigningProof } from './signing-open.ts';

const place = {
  sessionId: z.string(),
  recipientId: z.string(),
  accessCode: text(100).nullish(),
  pass: z.string().nullish(),
};

const signature = z.strictObject({ ...place, values: valuesInput, consent: text(2_000).nullish() });

/**
 * Fills in a signer's fields, and with that signs: once, and all at once. `consent` is what they agreed to. Asks the next rank when nobody of this one is
 * left; the last signature completes the session. Throws CONFLICT for who is not asked at this moment.
 */
export function signDocument(ctx: Context, input: z.input<typeof signature>): Promise<Signing> {
  const { values, consent, ...said } = parse(signature, input);
  return answer(ctx, said, 'SIGN', async (found) => {
    const kept = await withNormalizedDrawings(ctx, found, values);
    return async (tx, signing) => {
      const fields = await resolveValues(tx, signing, kept);
      await writeValues(tx, fields);
      return { completedAt: new Date(), fieldIds: fields.map(({ id }) => id), consent };
    };
  });
}

const refusal = z.strictObject({ ...place, reason: text(2_000).nullish() });

/** Refuses to sign, which stops the session: nobody signs any more. */
export function declineSignature(ctx: Context, input: z.input<typeof refusal>): Promise<Signing> {
  const { reason, ...said } = parse(refusal, input);
  return answer(ctx, said, 'DECLINE', async () => async () => ({ declinedReason: reason || null }));
}

type Said = SigningKey & SigningProof;

interface Written extends Pick<Partial<SignatureRecipient>, 'completedAt' | 'declinedReason'> {
  fieldIds?: string[];
  consent?: string | null;
}

type Write = (tx: Transaction, signing: Signing) => Promise<Written>;

/** `prepare` does what takes no transaction, once it is known who signs. */
async function answer(
  ctx: Context,
  { accessCode, pass, ...place }: Said,
  verb: SignerVerb,
  prepare: (found: Signing) => Promise<Write>,
): Promise<Signing> {
  const found = await requireSigning(ctx, place);
  await requireUnlocked(ctx, found, { accessCode, pass });
  const write = await prepare(found);
  return inTransaction(ctx.db, async (tx) => {
    const { signing, before } = await hold(ctx, tx, place);
    const after = move(before, verb, signing.id);
    const { fieldIds, consent, ...written } = await write(tx, signing);
    await claim(ctx, tx, signing, { ...written, state: stateOf(after, signing) });
    const next = newlyRequested(before, after);
    await tx.prisma.signatureRecipient.updateMany({
      where: { id: { in: next } },
      data: await requestedColumns(ctx, tx),
    });
    if (after.state !== 'ACTIVE') await end(tx, signing, after.state);
    const kind = verb === 'SIGN' ? 'document.signed' : 'document.signatureDeclined';
    const said = {
      ...(fieldIds && { fieldIds }),
      ...(consent && { consent }),
      ...(written.declinedReason && { reason: written.declinedReason }),
      ...(next.length > 0 && { nextRecipientIds: next }),
    };
    await recordEvents(ctx, tx, [signingEvent(ctx, signing, kind, said), ...ending(signing, after.state)]);
    return { ...signing, ...written, state: stateOf(after, signing), sessionState: after.state };
  });
}

/** The signing with its document held: the signers of one document come one after the other. */
async function hold(
  ctx: Context,
  tx: Transaction,
  place: SigningKey,
): Promise<{ signing: Signing; before: SessionProgress }> {
  const { documentId } = await requireSigning(ctx, place, tx);
  await tx.query(sql`SELECT d.id FROM documents d WHERE d.id = ${documentId} FOR NO KEY UPDATE`);
  const signing = await requireSigning(ctx, place, tx);
  if (signing.projectDisabledAt) throw conflict('The project is disabled.');
  const signers = await tx.prisma.signatureRecipient.findMany({
    where: { organizationId: signing.organizationId, sessionId: signing.sessionId },
    orderBy: { id: 'asc' },
  });
  return { signing, before: { state: signing.sessionState, signers } };
}

const NOT_ASKED =
  'This signer is not asked at this moment: they signed already, or it is not yet their turn.';

function move(before: SessionProgress, verb: SignerVerb, by: string): SessionProgress {
  const after = transition(before, { verb, by });
  if (!after) throw conflict(NOT_ASKED);
  return after;
}

const stateOf = ({ signers }: SessionProgress, { id }: Signing) =>
  signers.find((each) => each.id === id)?.state as SignatureRecipient['state'];

/** What a signer may do once is taken here. */
async function claim(
  ctx: Context,
  tx: Transaction,
  { id }: Signing,
  data: Prisma.SignatureRecipientUncheckedUpdateManyInput,
): Promise<void> {
  const { count } = await tx.prisma.signatureRecipient.updateMany({
    where: { id, state: 'REQUESTED' },
    data: { ...data, ...clientOrigin(ctx) },
  });
  if (count === 0) throw conflict(NOT_ASKED);
}

/** What was completed waits for its seal. */
async function end(
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
  if (count === 0) throw conflict(NOT_ASKED);
  if (state !== 'COMPLETED') return;
  await requestSealing(tx, sessionId);
  await tx.prisma.document.update({
    where: { id: documentId },
    data: { signedAt: now, version: { increment: 1 } },
  });
}

const ENDINGS = { COMPLETED: 'document.signingCompleted', STOPPED: 'document.signingStopped' } as const;

const ending = (signing: Signing, state: SessionProgress['state']): NewEvent[] =>
  state === 'COMPLETED' || state === 'STOPPED'
    ? [
        {
          organizationId: signing.organizationId,
          projectId: signing.projectId,
          subjectId: signing.documentId,
          kind: ENDINGS[state],
          data: { sessionId: signing.sessionId },
        },
      ]
    : [];
