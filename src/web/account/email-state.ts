import type { Database } from '../../db/database.ts';
import { pendingEmailOf } from '../../domain/accounts/email-change.ts';
import type { EmailState } from './sections/email.tsx';

/** What the section of the address shows. */
export async function emailStateOf(db: Database, userId: string): Promise<Omit<EmailState, 'sendsMail'>> {
  const { email, emailVerifiedAt, passwordHash } = await db.prisma.user.findUniqueOrThrow({
    where: { id: userId },
  });
  const pending = await pendingEmailOf(db, userId);
  return { email, isVerified: emailVerifiedAt !== null, hasPassword: passwordHash !== null, pending };
}
