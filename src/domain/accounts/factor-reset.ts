import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { lockFactors, recordFactorChange } from './factor-change.ts';
import { endPendingSignIns } from './pending-sign-in.ts';
import { endSignIns } from './sign-in-list.ts';

/**
 * Removes all second factors of an account, for an administrator whom its owner has asked, and ends its sign-ins. The owner is
 * notified by mail. False if it has none. Passkeys of an account without a password go too: it needs a new password then.
 */
export const resetSecondFactors = (db: Database, userId: string): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    await lockFactors(tx, userId);
    const where = { userId };
    const apps = await tx.prisma.authenticatorApp.deleteMany({ where });
    const passkeys = await tx.prisma.passkey.deleteMany({ where });
    if (apps.count + passkeys.count === 0) return false;
    await tx.prisma.recoveryCode.deleteMany({ where });
    await endPendingSignIns(tx, userId);
    await endSignIns(tx, userId, () => sql`true`);
    await recordFactorChange(tx, { userId, ipAddress: null, kind: 'secondFactors.removedByAdministrator' });
    return true;
  });
