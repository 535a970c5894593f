import { viewerOfSignIn } from '../../auth/bearer.ts';
import { hashPassword } from '../../auth/password.ts';
import { passwordFault } from '../../auth/password-strength.ts';
import { createSession } from '../../auth/sign-in.ts';
import type { Database } from '../../db/database.ts';
import { createInvitedAccount } from '../../domain/accounts/sign-up.ts';
import { personName } from '../../domain/kernel/display-name.ts';
import type { Viewer } from '../../domain/kernel/viewer.ts';
import type { LinkedInvitation } from '../../domain/membership/invitation-link.ts';
import type { SignUpErrors } from './view.tsx';

export interface SignUpForm {
  name: string;
  password: string;
  address: string;
  userAgent: string;
}

/** `ended`: the invitation was answered meanwhile, or its address has an account by now. */
export type SignUpResult = { errors: SignUpErrors } | { ended: true } | { secret: string; viewer: Viewer };

/** Creates the account of an invited person, and begins a session of theirs. */
export async function signUp(
  { db, limits }: { db: Database; limits: { signIn: number } },
  { id: invitationId, email }: LinkedInvitation,
  { password, ...form }: SignUpForm,
): Promise<SignUpResult> {
  const { data: name, error } = personName.safeParse(form.name);
  const fault = await passwordFault(password, { email, name: form.name });
  if (!name || fault) {
    const [issue] = error?.issues ?? [];
    return { errors: { name: issue && `The name ${issue.message}.`, password: fault } };
  }
  const passwordHash = await hashPassword(password);
  const ipAddress = form.address;
  const userId = await createInvitedAccount(db, { invitationId, name, passwordHash, ipAddress });
  if (!userId) return { ended: true };
  const secret = await createSession({ db, limits }, userId, form);
  const viewer = await viewerOfSignIn(db, secret);
  return viewer ? { secret, viewer } : { ended: true };
}
