import { z } from 'zod';
import { requireFreshProof } from '../access/fresh-proof.ts';
import { requestEmailChange } from '../accounts/email-change.ts';
import type { PasswordFault } from '../kernel/account-service.ts';
import type { Context } from '../kernel/context.ts';
import { conflict } from '../kernel/errors.ts';
import { email as emailInput, parse } from '../kernel/input.ts';
import { inputFault } from './input-fault.ts';
import { lacksProof, type OwnSession, ownSessionOf } from './own-session.ts';

/** `unproved`: a proof within ten minutes comes first. `noMail`: nothing can be sent, so that nobody can confirm it. */
export type EmailResult =
  | 'requested'
  | 'unproved'
  | 'noMail'
  | { email: string }
  | { password: PasswordFault };

/**
 * Mails a link to the address that who is signed in wants to have, at most three times an hour. The answer does not depend on
 * whether the address has an account, or on the limits. Without a password, the account needs none.
 */
export async function requestOwnEmailChange(
  session: OwnSession,
  entered: { email: string; password: string },
): Promise<EmailResult> {
  const { db, viewer, accounts, ipAddress } = session;
  const { userId } = viewer;
  const user = await db.prisma.user.findUniqueOrThrow({ where: { id: userId } });
  const hasPassword = user.passwordHash !== null;
  if (!accounts.sendsMail) return 'noMail';
  if (await lacksProof(session, hasPassword)) return 'unproved';
  const { data: newEmail } = emailInput.safeParse(entered.email);
  if (!newEmail) return { email: 'Enter an e-mail address such as name@example.com.' };
  if (newEmail === user.email && user.emailVerifiedAt) return { email: 'This is your address already.' };
  const wrong = hasPassword && (await accounts.wrongPassword(userId, entered.password));
  if (wrong) return { password: wrong };
  if (await accounts.mayMail(userId, newEmail))
    await requestEmailChange(db, { userId, oldEmail: user.email, newEmail, ipAddress });
  return 'requested';
}

const request = z.strictObject({ email: z.string(), password: z.string().nullish() });

/** The same for a request. Throws BAD_USER_INPUT, RATE_LIMITED after ten wrong passwords, CONFLICT without a mail server. */
export async function requestAddress(ctx: Context, input: z.input<typeof request>): Promise<void> {
  const session = ownSessionOf(ctx);
  const { email, password } = parse(request, input);
  const result = await requestOwnEmailChange(session, { email, password: password ?? '' });
  if (result === 'noMail')
    throw conflict('No mail server is configured: the administrator changes addresses.');
  if (result === 'unproved') await requireFreshProof(ctx.db, ctx.viewer);
  if (typeof result === 'string') return;
  throw 'email' in result
    ? inputFault('email', { text: result.email })
    : inputFault('password', result.password);
}
