import { z } from 'zod';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { requireFreshProof } from '../access/fresh-proof.ts';
import { setPassword } from '../accounts/password.ts';
import type { PasswordFault } from '../kernel/account-service.ts';
import type { Context } from '../kernel/context.ts';
import { parse } from '../kernel/input.ts';
import { inputFault } from './input-fault.ts';
import { lacksProof, type OwnSession, ownSessionOf } from './own-session.ts';

/** `unproved`: a proof within ten minutes comes first. */
export type PasswordResult = 'changed' | 'unproved' | { current: PasswordFault } | { next: string };

/** Changes the password of who is signed in, by the one before. All other sign-ins end. */
export async function changeOwnPassword(
  session: OwnSession,
  { current, next }: { current: string; next: string },
): Promise<PasswordResult> {
  const { db, viewer, ipAddress, accounts } = session;
  const { userId, email, credentialId } = viewer;
  if (await lacksProof(session)) return 'unproved';
  const wrong = await accounts.wrongPassword(userId, current);
  if (wrong) return { current: wrong };
  const weak = await accounts.weakPassword({
    ...{ password: next, email, name: viewer.name },
    ...{ permittedBy: userId, address: ipAddress ?? '' },
  });
  if (weak) return { next: weak };
  const passwordHash = await accounts.hashPassword(next);
  await inTransaction(db, (tx) =>
    setPassword(tx, {
      ...{ userId, email, passwordHash, kind: 'password.changed', ipAddress },
      kept: (signIns) => sql`${signIns}.id = ${credentialId}`,
    }),
  );
  return 'changed';
}

const change = z.strictObject({ currentPassword: z.string(), newPassword: z.string() });

/** The same for a request. Throws BAD_USER_INPUT for a wrong or a weak password, RATE_LIMITED after ten wrong ones. */
export async function changePassword(ctx: Context, input: z.input<typeof change>): Promise<void> {
  const session = ownSessionOf(ctx);
  const { currentPassword, newPassword } = parse(change, input);
  const result = await changeOwnPassword(session, { current: currentPassword, next: newPassword });
  if (result === 'unproved') await requireFreshProof(ctx.db, ctx.viewer);
  if (typeof result === 'string') return;
  throw 'current' in result
    ? inputFault('currentPassword', result.current)
    : inputFault('newPassword', { text: result.next });
}
