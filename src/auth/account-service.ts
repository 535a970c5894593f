import type { Database } from '../db/database.ts';
import type { AccountService } from '../domain/kernel/account-service.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { passwordCheck } from './password-strength.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** Mails that strangers may cause within an hour: to an address, and for a network. */
export const MAILS_TO_ADDRESS = 3;
export const MAILS_FOR_NETWORK = 20;

/** Wrong passwords of an account within an hour, by who has a sign-in of it. */
const MAX_WRONG = 10;

export interface AccountServiceOptions {
  db: Database;
  /** Of an hour. */
  rateLimiter: RateLimiter;
  sendsMail: boolean;
}

/** Creates the service of the pages of an account, and of the account in the graph. */
export const newAccountService = ({ db, rateLimiter, sendsMail }: AccountServiceOptions): AccountService => ({
  sendsMail,
  async wrongPassword(userId, entered) {
    const key = `password ${userId}`;
    const wait = await rateLimiter.take(key, MAX_WRONG);
    if (wait > 0) return { text: 'Too many attempts. Try again in an hour.', wait };
    const { passwordHash } = await db.prisma.user.findUniqueOrThrow({ where: { id: userId } });
    if (!(await verifyPassword(entered, passwordHash))) return { text: 'This is not your password.' };
    await rateLimiter.refund(key, MAX_WRONG);
    return undefined;
  },
  weakPassword: passwordCheck(rateLimiter),
  hashPassword,
  async mayMail(userId, email) {
    const waits = [
      await rateLimiter.take(`address ${email}`, MAILS_TO_ADDRESS),
      await rateLimiter.take(`email ${userId}`, 2 * MAILS_TO_ADDRESS),
    ];
    return waits.every((wait) => wait === 0);
  },
});
