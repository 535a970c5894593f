import { z } from 'zod';
import type { Database, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { SignatureRecipient, SignatureSession } from '../../generated/prisma/client.ts';
import { DAY, SECOND } from '../../lib/time.ts';
import { awaitedSignings, SIGNING_ROWS } from '../access/access-signing.ts';
import { type DueWork, doDueWork } from '../due-work/due-work.ts';
import { type DueRow, mayBeTried } from '../due-work/failed-work.ts';
import { recordEvents, serverActor, subjectEvent } from '../kernel/audit.ts';
import { type PathOf, positionIn, requireFound } from '../kernel/batch.ts';
import type { Context, Limits } from '../kernel/context.ts';
import { conflict } from '../kernel/errors.ts';
import { parse, requireBatchSize } from '../kernel/input.ts';
import { projectPath } from '../kernel/project-path.ts';
import { tables } from '../kernel/tables.ts';
import { queueMails } from '../mails/queue-mail.ts';
import { inOrderOf } from '../projects/project.ts';
import { requireSession } from './signature-command.ts';
import { requireSignable } from './signature-form-change.ts';
import { findSignatureRecipients, type SignatureRecipient as Recipient } from './signature-session.ts';

/** A signer to remind; `createdById` created the session. */
type Reminded = Pick<SignatureRecipient, 'organizationId' | 'id' | 'sessionId' | 'email' | 'reminders'> &
  Pick<SignatureSession, 'createdById' | 'documentId'> & { projectId: string };

const reminded = sql`r.organization_id, r.id, r.session_id, r.email, r.reminders, g.created_by_id, g.document_id, d.project_id`;

const joined = sql`signature_sessions g
  JOIN documents d ON d.organization_id = g.organization_id AND d.id = g.document_id
  JOIN projects p ON p.organization_id = d.organization_id AND p.id = d.project_id`;

/**
 * Reminds the signer whose reminder has been due longest, round-robin over the organizations; false if none is due. Of several
 * that became due while no server ran, one is left; none is sent while the project is disabled.
 */
export async function remindNextSigner(
  db: Database,
  { signatureReminders }: Pick<Limits, 'signatureReminders'>,
): Promise<boolean> {
  if (!signatureReminders) return false;
  const { interval } = signatureReminders;
  return doDueWork(db, { ...reminderWork, run: (tx, signer) => remindSigner(tx, signer, interval) });
}

const reminderWork: Omit<DueWork<DueRow>, 'run'> = {
  work: 'remindSigner',
  async claim(tx, idCondition) {
    const [signer] =
      await tx.query<DueRow>(sql`SELECT r.organization_id, r.id FROM ${tables.signatureRecipients.from}
      WHERE r.next_reminder_at <= now() AND r.organization_id ${idCondition}
        AND ${mayBeTried('remindSigner', tables.signatureRecipients)}
      ORDER BY r.organization_id, r.next_reminder_at LIMIT 1 FOR UPDATE SKIP LOCKED`);
    return signer;
  },
};

async function remindSigner(
  tx: Transaction,
  { organizationId, id }: DueRow,
  interval: number,
): Promise<void> {
  const seconds = sql`${interval / SECOND}::double precision`;
  const following = sql`r.next_reminder_at + make_interval(secs => ${seconds}
    * (1 + floor(extract(epoch FROM now() - r.next_reminder_at) / nullif(${seconds}, 0))))`;
  const [signer] = await tx.query<Reminded & { isAwaited: boolean }>(sql`WITH state AS (
      SELECT r.organization_id, r.id, ${awaitedSignings(SIGNING_ROWS)} AND p.disabled_at IS NULL AS is_awaited,
        ${following} AS following
      FROM ${SIGNING_ROWS.r.from} JOIN ${joined} ON g.organization_id = r.organization_id AND g.id = r.session_id
      WHERE r.organization_id = ${organizationId} AND r.id = ${id}
    )
    UPDATE signature_recipients r SET
      next_reminder_at = CASE WHEN state.following <= r.reminders_end_at THEN state.following END,
      reminders = r.reminders + state.is_awaited::int, mailed_at = CASE WHEN state.is_awaited THEN now() ELSE r.mailed_at END
    FROM state, ${joined} WHERE r.organization_id = state.organization_id AND r.id = state.id
      AND g.organization_id = r.organization_id AND g.id = r.session_id
    RETURNING ${reminded}, state.is_awaited`);
  if (!signer?.isAwaited) return;
  await mailReminders(tx, [signer]);
  await recordEvents(serverActor('reminder'), tx, [remindedEvent([signer])]);
}

const mailReminders = (tx: Transaction, signers: readonly Reminded[], by?: string): Promise<void> =>
  queueMails(
    tx,
    signers.map(({ organizationId, id: subjectId, email: to, reminders }) => ({
      ...{ kind: 'SIGNATURE_REMINDER', organizationId, subjectId, to, createdById: by ?? null },
      dedupeKey: `signature.reminder:${subjectId}:${reminders}`,
    })),
  );

/** Of signers of one session. */
const remindedEvent = (signers: readonly Reminded[]) => {
  const [{ organizationId, projectId, documentId: id, sessionId }] = signers as [Reminded];
  const recipientIds = signers.map((signer) => signer.id);
  return subjectEvent({ organizationId, projectId, id }, 'document.signersReminded', {
    sessionId,
    recipientIds,
  });
};

/** Time between a mail that asks a signer and a reminder that a person causes. */
const REMIND_AGAIN = DAY;

const reminding = z.strictObject({
  ...projectPath,
  documentId: z.string(),
  recipientIds: z.array(z.string()),
});

/**
 * Mails a reminder to signers whose turn it is, all or none; the next automatic one follows an interval later. Throws
 * NOT_FOUND, and CONFLICT for a signer whose turn it is not, who wants no reminders, or who was mailed within a day.
 */
export function remindSigners(ctx: Context, input: z.input<typeof reminding>): Promise<Recipient[]> {
  const { documentId, recipientIds, ...path } = parse(reminding, input);
  requireBatchSize(recipientIds, ctx.limits.batchMax, 'recipientIds');
  const ids = [...new Set(recipientIds)].sort();
  return inTransaction(ctx.db, async (tx) => {
    const document = await requireSignable(ctx, tx, documentId, path);
    const session = await requireSession({ ctx, tx, document });
    const recipients = await findSignatureRecipients(ctx, ids, tx);
    const own = recipients.filter(({ sessionId }) => sessionId === session.id);
    const pathOf = positionIn('recipientIds', recipientIds);
    requireFound('Signature recipient', [...new Set(recipientIds)], own, pathOf);
    const signers = await claimReminders(ctx, tx, ids);
    if (signers.length < ids.length)
      throw refusal(await findSignatureRecipients(ctx, ids, tx), signers, pathOf);
    await mailReminders(tx, signers, ctx.viewer.userId);
    await recordEvents(ctx, tx, [remindedEvent(signers)]);
    return inOrderOf(
      await findSignatureRecipients(ctx, ids, tx),
      recipientIds.map((id) => ({ id })),
    );
  });
}

/** Counts the reminders of those who may be reminded now. */
function claimReminders({ limits }: Context, tx: Transaction, ids: readonly string[]): Promise<Reminded[]> {
  const interval = (limits.signatureReminders?.interval ?? 0) / SECOND;
  const next = sql`now() + make_interval(secs => ${interval})`;
  return tx.query<Reminded>(sql`UPDATE ${SIGNING_ROWS.r.from} SET reminders = r.reminders + 1, mailed_at = now(),
      next_reminder_at = CASE WHEN r.next_reminder_at IS NOT NULL AND ${next} <= r.reminders_end_at THEN ${next} END
    FROM ${joined} WHERE g.organization_id = r.organization_id AND g.id = r.session_id AND r.id ${sql.any(ids)}
      AND ${awaitedSignings(SIGNING_ROWS)} AND r.reminders_off_at IS NULL
      AND r.mailed_at <= now() - make_interval(secs => ${REMIND_AGAIN / SECOND})
    RETURNING ${reminded}`);
}

/** Why the first signer who was not reminded was not. */
function refusal(recipients: readonly Recipient[], signers: readonly Reminded[], pathOf: PathOf) {
  const refused = recipients.find(({ id }) => !signers.some((each) => each.id === id)) as Recipient;
  const at = pathOf(refused.id);
  const from = remindableFrom(refused);
  if (!from) return conflict('A signer is not asked at this moment.', at);
  if (refused.remindersOffAt) return conflict('A signer wants no reminders.', at);
  return conflict(
    `A signer was mailed less than 24 hours ago; remind them from ${from.toISOString()} on.`,
    at,
  );
}

/** From when a signer may be reminded by a person; null if it is not their turn. */
export const remindableFrom = ({ state, sessionState, linkUnexpired, mailedAt }: Recipient): Date | null =>
  state === 'REQUESTED' && sessionState === 'ACTIVE' && linkUnexpired && mailedAt
    ? new Date(mailedAt.getTime() + REMIND_AGAIN)
    : null;
