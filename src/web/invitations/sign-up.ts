import type { SessionService } from '../../auth/session.ts';
import { createInvitedAccount } from '../../domain/accounts/account-creation.ts';
import type { AccountService } from '../../domain/kernel/account-service.ts';
import type { Viewer } from '../../domain/kernel/viewer.ts';
import type { LinkedInvitation } from '../../domain/membership/invitation-link.ts';
import { beginFirstSession, newAccountOf } from '../sign-up/new-account.ts';
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
  service: SessionService & { accounts: AccountService },
  { id: invitationId, email }: LinkedInvitation,
  { name, password, ...visitor }: SignUpForm,
): Promise<SignUpResult> {
  const account = await newAccountOf(
    service.accounts,
    { email, name, password, permittedBy: invitationId, address: visitor.address },
    true,
  );
  if ('errors' in account) return account;
  const userId = await createInvitedAccount(service.db, invitationId, {
    ...account,
    ipAddress: visitor.address,
  });
  if (!userId) return { ended: true };
  return beginFirstSession(service, { userId, methods: ['password'], ...visitor });
}
