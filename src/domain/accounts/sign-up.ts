import type { Database, Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/id.ts';
import { recordSecurityEvents } from '../users/security-event.ts';

/** Whether an address has an account, disabled ones included. */
export const hasAccount = async (reader: Reader, email: string): Promise<boolean> =>
  (await reader.query(sql`SELECT u.id FROM users u WHERE u.email = ${email}`)).length > 0;

export interface NewAccount {
  invitationId: string;
  name: string;
  passwordHash: string;
  ipAddress: string;
}

/**
 * Creates the account of an invited person, who has proved to read the mails to its address, and returns its id. Undefined
 * if the invitation has ended, or the address has an account by now.
 */
export const createInvitedAccount = (
  db: Database,
  { invitationId, ipAddress, ...account }: NewAccount,
): Promise<string | undefined> =>
  inTransaction(db, async (tx) => {
    const [invitation] = await tx.query<{ email: string }>(
      sql`SELECT i.email FROM invitations i WHERE i.id = ${invitationId} FOR SHARE`,
    );
    if (!invitation) return undefined;
    const id = newId('User');
    const data = [{ id, email: invitation.email, ...account }];
    const { count } = await tx.prisma.user.createMany({ data, skipDuplicates: true });
    if (count === 0) return undefined;
    await recordSecurityEvents(tx, [{ userId: id, kind: 'account.created', ipAddress }]);
    return id;
  });
