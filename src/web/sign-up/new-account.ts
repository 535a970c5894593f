import { viewerOfSignIn } from '../../auth/bearer.ts';
import { beginSession, type NewSession, type SessionService } from '../../auth/session.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { AccountService } from '../../domain/kernel/account-service.ts';
import { personName } from '../../domain/kernel/display-name.ts';
import type { Viewer } from '../../domain/kernel/viewer.ts';

export interface NewAccountErrors {
  name?: string;
  password?: string;
}

/** What was entered for a new account, and the invitation or request that permits it. */
export interface EnteredAccount {
  email: string;
  name: string;
  password: string;
  permittedBy: string;
  address: string;
}

/** The account as it is stored; or the errors. `needsPassword`: false for who signs in elsewhere. */
export async function newAccountOf(
  accounts: AccountService,
  entered: EnteredAccount,
  needsPassword: boolean,
): Promise<{ errors: NewAccountErrors } | { name: string; passwordHash: string | null }> {
  const { data: name, error } = personName.safeParse(entered.name);
  const fault = needsPassword ? await accounts.weakPassword(entered) : undefined;
  if (!name || fault) {
    const [issue] = error?.issues ?? [];
    return { errors: { name: issue && `The name ${issue.message}.`, password: fault } };
  }
  return { name, passwordHash: needsPassword ? await accounts.hashPassword(entered.password) : null };
}

/** Begins the session of a person whose account was created a moment ago. */
export async function beginFirstSession(
  { db, limits }: SessionService,
  session: NewSession,
): Promise<{ secret: string; viewer: Viewer }> {
  const secret = await inTransaction(db, (tx) => beginSession(tx, limits, session));
  const viewer = await viewerOfSignIn(db, secret);
  if (!viewer) throw new Error('The session of a new account is not live.');
  return { secret, viewer };
}
