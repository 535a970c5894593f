import { nowPlus } from '../../db/clock.ts';
import type { Database, Reader, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { EmailChange } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { DAY, SECOND } from '../../lib/time.ts';
import type { Actor } from '../kernel/audit.ts';
import type { NewMail } from '../mails/queue-mail.ts';
import { queueMails } from '../mails/queue-mail.ts';
import { revokeGrants } from '../oauth/grant-end.ts';
import { recordSecurityEvents } from '../users/security-event.ts';
import { AddressTaken, setEmail } from './email-owner.ts';
import { endPendingSignIns } from './pending-sign-in.ts';
import { endSignIns } from './sign-in-list.ts';

/** How long a new address can be confirmed, and how long after that the owner of the old one can undo it. */
const CONFIRM_WITHIN = DAY;
const UNDO_WITHIN = 7 * DAY;

export interface EmailChangeRequest {
  userId: string;
  oldEmail: string;
  /** The same address, for an account whose address is not verified. */
  newEmail: string;
  ipAddress: string | null;
}

/**
 * Queues a mail with a link that confirms the address, and a notice to the present one. Replaces a request before. Whether the
 * new address has an account is looked up when the mail is written: here, it takes the same time.
 */
export const requestEmailChange = (
  db: Database,
  { userId, oldEmail, newEmail, ipAddress }: EmailChangeRequest,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    await lockUser(tx, userId);
    await tx.query(sql`UPDATE email_changes SET ended_at = now()
      WHERE user_id = ${userId} AND confirmed_at IS NULL AND ended_at IS NULL`);
    const id = newId('EmailChange');
    await tx.query(sql`INSERT INTO email_changes (id, user_id, old_email, new_email, expires_at)
      VALUES (${id}, ${userId}, ${oldEmail}, ${newEmail}, ${nowPlus(CONFIRM_WITHIN)})`);
    await recordSecurityEvents(tx, [{ userId, kind: 'email.changeRequested', ipAddress }]);
    const mail = { toUserId: userId, organizationId: null, subjectId: id };
    const notice = noticeTo(oldEmail, mail, ipAddress);
    await queueMails(tx, [
      { ...mail, kind: 'EMAIL_CHANGE', to: newEmail, createdById: userId },
      ...(oldEmail === newEmail ? [] : [notice]),
    ]);
  });

const noticeTo = (
  to: string,
  mail: Pick<NewMail, 'toUserId' | 'organizationId' | 'subjectId'>,
  ipAddress: string | null,
): NewMail => ({ ...mail, kind: 'EMAIL_CHANGE_NOTICE', to, data: { ipAddress } });

const lockUser = (tx: Transaction, userId: string) =>
  tx.query(sql`SELECT u.id FROM users u WHERE u.id = ${userId} FOR UPDATE`);

/** PENDING: to be confirmed. CONFIRMED: can be undone. ENDED: neither. */
type EmailChangeState = 'PENDING' | 'CONFIRMED' | 'ENDED';

export type FoundEmailChange = Pick<EmailChange, 'id' | 'userId' | 'oldEmail' | 'newEmail'> & {
  state: EmailChangeState;
  userName: string;
};

const state = sql`CASE
  WHEN c.ended_at IS NOT NULL OR u.disabled_at IS NOT NULL THEN 'ENDED'
  WHEN c.confirmed_at IS NULL AND c.expires_at > now() AND u.email = c.old_email THEN 'PENDING'
  WHEN c.confirmed_at + make_interval(secs => ${UNDO_WITHIN / SECOND}) > now() THEN 'CONFIRMED' ELSE 'ENDED' END`;

const columns = sql`c.id, c.user_id, c.old_email, c.new_email, u.name AS user_name, ${state} AS state`;

/** The change of a link that has been checked. */
export async function findEmailChange(reader: Reader, id: string): Promise<FoundEmailChange | undefined> {
  const [change] = await reader.query<FoundEmailChange>(
    sql`SELECT ${columns} FROM email_changes c JOIN users u ON u.id = c.user_id WHERE c.id = ${id}`,
  );
  return change;
}

/** The address that an account is to get, once it is confirmed. */
export async function pendingEmailOf(reader: Reader, userId: string): Promise<string | undefined> {
  const [change] = await reader.query<{ newEmail: string }>(sql`SELECT c.new_email FROM email_changes c
    JOIN users u ON u.id = c.user_id WHERE c.user_id = ${userId} AND ${state} = 'PENDING' ORDER BY c.id DESC LIMIT 1`);
  return change?.newEmail;
}

export interface EmailChangeStep {
  id: string;
  ipAddress: string | null;
  requestId: string;
}

export type EmailChangeResult = 'done' | 'ended' | 'taken';

/**
 * Gives the account its new address, once. `keptSignIn`: the hash of the secret of the sign-in that goes on. `taken`: another
 * account has got the address meanwhile.
 */
export const confirmEmailChange = (
  db: Database,
  {
    id,
    ipAddress,
    requestId,
    userId,
    keptSignIn,
  }: EmailChangeStep & { userId: string; keptSignIn: Uint8Array },
): Promise<EmailChangeResult> =>
  unlessTaken(db, async (tx) => {
    await lockUser(tx, userId);
    const [change] =
      await tx.query<FoundEmailChange>(sql`UPDATE email_changes c SET confirmed_at = now() FROM users u
      WHERE c.id = ${id} AND c.user_id = ${userId} AND u.id = c.user_id AND ${state} = 'PENDING' RETURNING ${columns}`);
    if (!change) return 'ended';
    const { oldEmail: from, newEmail: to } = change;
    const actor = { viewer: { userId, credentialId: null }, requestId };
    await endSignIns(tx, userId, (signIns) => sql`${signIns}.secret_hash <> ${keptSignIn}`);
    await recordSecurityEvents(tx, [
      { userId, kind: from === to ? 'email.verified' : 'email.changed', ipAddress },
    ]);
    if (from !== to)
      await queueMails(tx, [
        noticeTo(from, { toUserId: userId, organizationId: null, subjectId: id }, ipAddress),
      ]);
    await setEmail(actor, tx, { userId, from, to });
    return 'done';
  });

/**
 * Cancels a change that is pending, or gives the account its old address back, ends its sign-ins and undoes the changes
 * after it, as the owner of the old address wants. `taken`: the sign-ins have ended too, and the account keeps its address.
 */
export async function undoEmailChange(db: Database, step: EmailChangeStep): Promise<EmailChangeResult> {
  const result = await unlessTaken(db, (tx) => undo(tx, step, { restoresAddress: true }));
  return result === 'taken' ? inTransaction(db, (tx) => undo(tx, step, { restoresAddress: false })) : result;
}

/** Without `restoresAddress`, the result is `taken` if the account has another address. */
async function undo(
  tx: Transaction,
  { id, ipAddress, requestId }: EmailChangeStep,
  { restoresAddress }: { restoresAddress: boolean },
): Promise<EmailChangeResult> {
  const requested = await findEmailChange(tx, id);
  if (!requested) return 'ended';
  const { userId, oldEmail: to } = requested;
  await lockUser(tx, userId);
  const [change] = await tx.query<FoundEmailChange & { email: string }>(sql`UPDATE email_changes c
    SET ended_at = now() FROM users u WHERE c.id = ${id} AND u.id = c.user_id AND ${state} <> 'ENDED'
    RETURNING ${columns}, u.email`);
  if (!change) return 'ended';
  await tx.query(sql`UPDATE email_changes SET ended_at = now()
    WHERE user_id = ${userId} AND id > ${id} AND ended_at IS NULL`);
  await endSignIns(tx, userId, () => sql`true`);
  await endPendingSignIns(tx, userId);
  await revokeGrants(tx, (grants) => sql`${grants}.user_id = ${userId}`, 'password_changed');
  const isBack = change.email === to || restoresAddress;
  const kind = isBack ? 'email.changeUndone' : 'email.changeNotUndone';
  await recordSecurityEvents(tx, [{ userId, kind, ipAddress }]);
  const actor: Actor = { viewer: { userId, credentialId: null }, requestId };
  if (change.email !== to && restoresAddress) await setEmail(actor, tx, { userId, from: change.email, to });
  return isBack ? 'done' : 'taken';
}

async function unlessTaken(
  db: Database,
  work: (tx: Transaction) => Promise<EmailChangeResult>,
): Promise<EmailChangeResult> {
  try {
    return await inTransaction(db, work);
  } catch (error) {
    if (error instanceof AddressTaken) return 'taken';
    throw error;
  }
}
