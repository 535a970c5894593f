import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { isServiceAddress } from '../../lib/text/service-address.ts';
import { conflict } from '../kernel/errors.ts';
import { queueMails } from '../mails/queue-mail.ts';
import { recordSecurityEvents } from '../users/security-event.ts';
import { ACCOUNT_HOLDINGS, ERASED } from './account-holdings.ts';
import { type ErasureObstacle, obstaclesOf } from './erasure-plan.ts';
import type { Person } from './holding.ts';
import { deleteHeld } from './holding-rows.ts';
import { ERASED_NAME, erasedEmail, findPerson } from './person.ts';
import type { Tally } from './tally.ts';

/** Who erased an account, and why. */
export interface ErasureCause {
  by: 'PERSON' | 'OPERATOR';
  reason: string;
}

/**
 * The first transaction of an erasure: every credential ends, what belongs to the account is deleted, and the account itself
 * has neither name nor address any more. What the person writes at the same moment is committed before, or refused
 * (kernel/live-actor.ts). Does nothing for an account that is erased. Throws CONFLICT for the only owner of an organization, and for
 * a service account.
 */
export async function eraseAccountRows(
  tx: Transaction,
  userId: string,
  { by, reason }: ErasureCause,
  tally: Tally,
): Promise<void> {
  await lockAccount(tx, userId);
  const person = await findPerson(tx, userId);
  if (person.erasedAt) return;
  if (isServiceAddress(person.email))
    throw conflict('This is the service account of an application, not a person.');
  requireNoObstacle(await obstaclesOf(tx, userId));
  await deleteAccountRows(tx, person, tally);
  await tx.query(sql`UPDATE users SET former_email = email, email = ${erasedEmail(userId)}, name = ${ERASED_NAME},
    password_hash = NULL, passkey_handle = NULL, time_zone = 'UTC', new_sign_in_mails = false, modified_at = NULL,
    erased_at = clock_timestamp(), disabled_at = coalesce(disabled_at, clock_timestamp()) WHERE id = ${userId}`);
  tally.add('account', 1);
  await recordSecurityEvents(tx, [{ userId, kind: ERASED, data: { by, reason } }]);
  await queueMails(tx, [{ kind: 'ACCOUNT_ERASED', to: person.email, organizationId: null, data: { by } }]);
}

/**
 * The owners of the organizations first, in the order of `lockMembers`, so that two of them do not both go. The lock on the
 * account waits for what refers to it and is not committed yet, such as an event by the person.
 */
async function lockAccount(tx: Transaction, userId: string): Promise<void> {
  await tx.query(sql`SELECT m.id FROM memberships m WHERE m.organization_id IN (
      SELECT x.organization_id FROM memberships x WHERE x.user_id = ${userId})
    AND (m.role = 'OWNER' OR m.user_id = ${userId}) ORDER BY m.id FOR UPDATE`);
  await tx.query(sql`SELECT u.id FROM users u WHERE u.id = ${userId} FOR UPDATE`);
}

/** Deletes what belongs to the account. */
export async function deleteAccountRows(tx: Transaction, person: Person, tally: Tally): Promise<void> {
  for (const holding of ACCOUNT_HOLDINGS.filter(({ end }) => end === 'ACCOUNT'))
    tally.add(holding.kind, await deleteHeld(tx, holding, person));
  await tx.query(sql`DELETE FROM hidden_contacts WHERE contact_id = ${person.userId}`);
}

export const obstacleText = (obstacles: readonly ErasureObstacle[]): string =>
  `The account is the only owner of ${obstacles.map(({ name, organizationId }) => `${name} (${organizationId})`).join(', ')}. Appoint another owner first.`;

function requireNoObstacle(obstacles: readonly ErasureObstacle[]): void {
  if (obstacles.length > 0) throw conflict(obstacleText(obstacles));
}
