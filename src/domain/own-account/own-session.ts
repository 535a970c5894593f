import type { Database } from '../../db/database.ts';
import { requireBrowserSession } from '../access/access-session.ts';
import { hasFreshProof, requireFreshProof } from '../access/fresh-proof.ts';
import { hasSecondFactor, secondFactorsOf } from '../accounts/second-factors.ts';
import type { AccountService } from '../kernel/account-service.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';

/** A person in their browser session, in which they change their account. */
export interface OwnSession {
  db: Database;
  viewer: Viewer;
  ipAddress: string | null;
  accounts: AccountService;
}

/** The session of a request. Throws FORBIDDEN for other credentials. */
export function ownSessionOf({ db, viewer, client, accounts }: Context): OwnSession {
  requireBrowserSession(viewer);
  if (!accounts) throw forbidden('Accounts are not managed here.');
  return { db, viewer, ipAddress: client?.address ?? null, accounts };
}

/** The same for what needs a proof within ten minutes. Throws FORBIDDEN without one. */
export async function freshSessionOf(ctx: Context): Promise<OwnSession> {
  const session = ownSessionOf(ctx);
  await requireFreshProof(ctx.db, ctx.viewer);
  return session;
}

/** A password alone changes nothing of an account that has a second factor, or whose password is not set. */
export async function lacksProof(
  { db, viewer: { userId, credentialId } }: OwnSession,
  hasPassword = true,
): Promise<boolean> {
  const needsProof = !hasPassword || hasSecondFactor(await secondFactorsOf(db, userId));
  return needsProof && !(await hasFreshProof(db, credentialId));
}
