import type { Reader, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';

/** The second factors of an account. */
export interface SecondFactors {
  hasAuthenticatorApp: boolean;
  passkeys: number;
  /** Unused recovery codes. */
  recoveryCodes: number;
}

/** What an account can be asked for beside its password. */
export async function secondFactorsOf(reader: Reader, userId: string): Promise<SecondFactors> {
  const [factors] = (await reader.query<SecondFactors>(sql`SELECT
      EXISTS (SELECT FROM authenticator_apps a WHERE a.user_id = ${userId}) AS has_authenticator_app,
      (SELECT count(*)::int FROM passkeys p WHERE p.user_id = ${userId}) AS passkeys,
      (SELECT count(*)::int FROM recovery_codes r WHERE r.user_id = ${userId} AND r.used_at IS NULL) AS recovery_codes`)) as [
    SecondFactors,
  ];
  return factors;
}

/** Whether an account is opened by two factors only. Recovery codes exist beside another one. */
export const hasSecondFactor = ({ hasAuthenticatorApp, passkeys }: SecondFactors): boolean =>
  hasAuthenticatorApp || passkeys > 0;

/** Deletes the recovery codes of an account that has no second factor any more. */
export async function dropUnneededRecoveryCodes(tx: Transaction, userId: string): Promise<void> {
  if (hasSecondFactor(await secondFactorsOf(tx, userId))) return;
  await tx.prisma.recoveryCode.deleteMany({ where: { userId } });
}
