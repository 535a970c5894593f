import type { Database, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import type { SignIn } from '../../generated/prisma/client.ts';
import { tables } from '../kernel/tables.ts';
import { recordSecurityEvents } from '../users/security-event.ts';

export type SignInRow = Pick<
  SignIn,
  'id' | 'userAgent' | 'ipAddress' | 'createdAt' | 'expiresAt' | 'lastUsedAt'
>;

/** The live sign-ins of an account, newest first, at most 100. */
export const signInsOf = ({ query }: Pick<Database, 'query'>, userId: string): Promise<SignInRow[]> =>
  query<SignInRow>(sql`SELECT s.id, s.user_agent, s.ip_address, s.created_at, s.expires_at, s.last_used_at FROM sign_ins s
    WHERE s.user_id = ${userId} AND s.expires_at > now() ORDER BY s.created_at DESC, s.id DESC LIMIT 100`);

/** Ends live sign-ins of an account; `which` is a condition on them. Returns how many. */
export async function endSignIns(
  tx: Transaction,
  userId: string,
  which: (signIns: Rows<'sign_ins'>) => Sql,
): Promise<number> {
  const ended = await tx.query<
    Pick<SignIn, 'ipAddress'>
  >(sql`UPDATE ${tables.signIns.from} SET expires_at = now()
    WHERE s.user_id = ${userId} AND s.expires_at > now() AND ${which(tables.signIns)} RETURNING s.ip_address`);
  if (ended.length > 0)
    await recordSecurityEvents(
      tx,
      ended.map(({ ipAddress }) => ({ userId, kind: 'signIn.ended', ipAddress })),
    );
  return ended.length;
}

/** Whether the owner of an account gets a mail when a device signs in for the first time. */
export const setNewSignInMails = (db: Database, userId: string, newSignInMails: boolean): Promise<unknown> =>
  db.prisma.user.update({ where: { id: userId }, data: { newSignInMails } });
