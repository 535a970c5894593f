import { viewerOfSignIn } from '../../auth/bearer.ts';
import { hashPassword } from '../../auth/password.ts';
import { passwordFault } from '../../auth/password-strength.ts';
import { beginSession, type NewSession, type SessionService } from '../../auth/session.ts';
import { inTransaction } from '../../db/transaction.ts';
import { personName } from '../../domain/kernel/display-name.ts';
import type { Viewer } from '../../domain/kernel/viewer.ts';

export interface NewAccountErrors {
  name?: string;
  password?: string;
}

/** What was entered for an account, as it is stored; or the errors. `needsPassword`: false for who signs in elsewhere. */
export async function newAccountOf(
  email: string,
  entered: { name: string; password: string },
  needsPassword: boolean,
): Promise<{ errors: NewAccountErrors } | { name: string; passwordHash: string | null }> {
  const { data: name, error } = personName.safeParse(entered.name);
  const fault = needsPassword
    ? await passwordFault(entered.password, { email, name: entered.name })
    : undefined;
  if (!name || fault) {
    const [issue] = error?.issues ?? [];
    return { errors: { name: issue && `The name ${issue.message}.`, password: fault } };
  }
  return { name, passwordHash: needsPassword ? await hashPassword(entered.password) : null };
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
