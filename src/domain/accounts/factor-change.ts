import type { Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { tables } from '../kernel/tables.ts';
import { queueMails } from '../mails/queue-mail.ts';
import { recordSecurityEvents } from '../users/security-event.ts';

/** What happened to the second factors of an account; also the kinds of the security events. */
export type FactorChangeKind =
  | 'authenticatorApp.added'
  | 'authenticatorApp.removed'
  | 'passkey.added'
  | 'passkey.removed'
  | 'recoveryCodes.renewed'
  | 'recoveryCode.used'
  | 'secondFactors.removedByAdministrator';

/** The account whose factors change, and from where. */
export interface FactorOwner {
  userId: string;
  ipAddress: string | null;
}

export interface FactorChange extends FactorOwner {
  kind: FactorChangeKind;
  /** Shown in the mail. No secrets. */
  data?: Prisma.InputJsonObject;
}

/** Records a change of factors, and tells the owner by mail. */
export async function recordFactorChange(
  tx: Transaction,
  { userId, ipAddress, kind, data = {} }: FactorChange,
): Promise<void> {
  await recordSecurityEvents(tx, [{ userId, kind, data, ipAddress }]);
  const { email } = await tx.prisma.user.findUniqueOrThrow({ where: { id: userId } });
  const mail = { kind: 'SECOND_FACTOR_CHANGED', to: email, toUserId: userId, organizationId: null } as const;
  await queueMails(tx, [{ ...mail, data: { ...data, kind, ipAddress } }]);
}

/** Makes sign-ins of the account ask for a factor before the next sensitive act; `kept`: those that need not. */
export const requireNewProof = (
  tx: Transaction,
  userId: string,
  kept: (signIns: Rows<'sign_ins'>) => Sql,
): Promise<unknown> =>
  tx.query(sql`UPDATE ${tables.signIns.from} SET authenticated_at = NULL
    WHERE s.user_id = ${userId} AND s.expires_at > now() AND NOT (${kept(tables.signIns)})`);

/** Serializes changes of the factors of one account. */
export const lockFactors = (tx: Transaction, userId: string): Promise<unknown> =>
  tx.query(sql`SELECT u.id FROM users u WHERE u.id = ${userId} FOR NO KEY UPDATE`);
