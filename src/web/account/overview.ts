import { formToken } from '../../auth/same-origin.ts';
import type { Session } from '../../auth/session.ts';
import { closedOrganizations } from '../../domain/access/access-second-factor.ts';
import { identitiesOf } from '../../domain/accounts/external-identity.ts';
import { hasSecondFactor, secondFactorsOf } from '../../domain/accounts/second-factors.ts';
import { signInsOf } from '../../domain/accounts/sign-in-list.ts';
import { page } from '../ui/page.ts';
import { emailStateOf } from './email-state.ts';
import type { AccountOptions } from './own-session.ts';
import { Account, type AccountProps } from './view.tsx';

/** The page `/account`, after `more` has happened. */
export async function accountPage(
  { db, accounts: { sendsMail }, providerName: provider }: AccountOptions,
  { viewer, secret }: Session,
  more: Pick<AccountProps, 'errors' | 'done' | 'enteredEmail'> = {},
): Promise<Response> {
  const { userId, name, credentialId } = viewer;
  const signIns = (await signInsOf(db, userId)).map((row) => ({
    ...row,
    isCurrent: row.id === credentialId,
  }));
  const factors = await secondFactorsOf(db, userId);
  const { newSignInMails } = await db.prisma.user.findUniqueOrThrow({ where: { id: userId } });
  const closed = hasSecondFactor(factors) ? [] : await closedOrganizations(db, userId);
  const identities = await identitiesOf(db, userId);
  const emailState = { ...(await emailStateOf(db, userId)), sendsMail };
  const sections = { signIns, factors, newSignInMails, closed, emailState, provider, identities };
  return page(Account({ name, formToken: formToken(secret), ...sections, ...more }), {
    status: more.errors ? 422 : 200,
  });
}
