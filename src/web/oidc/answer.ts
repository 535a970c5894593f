import type { Context as Call } from 'hono';
import type { ProviderClaims } from '../../auth/oidc/identity-provider.ts';
import { beginSession, sessionOfRequest } from '../../auth/session.ts';
import { inTransaction } from '../../db/transaction.ts';
import { linkIdentity } from '../../domain/accounts/external-identity.ts';
import {
  createOidcRequest,
  OIDC_LIFETIME,
  type UsedOidcRequest,
} from '../../domain/accounts/oidc-request.ts';
import { accountOfIdentity, type IdentityAccount } from '../../domain/accounts/provider-account.ts';
import { personName } from '../../domain/kernel/display-name.ts';
import { email as emailInput } from '../../domain/kernel/input.ts';
import { answerCompletion, finishSignIn, visitorOf } from '../sign-in/finish.ts';
import { seeOther } from '../ui/responses.ts';
import { notice } from './notice.ts';
import type { OidcOptions } from './options.ts';

/** What of the claims is used: an address and a name only as this server accepts them. */
function identityOf({ issuer, subject, isEmailVerified, ...claims }: ProviderClaims) {
  const email = emailInput.safeParse(claims.email ?? '').data;
  const names = [claims.name, email?.split('@')[0]].map((each) => personName.safeParse(each).data);
  const name = names.find((each) => each !== undefined) ?? 'New person';
  return { issuer, subject, email, name, isEmailVerified };
}

/** Signs in, connects an account, or asks which account is meant. */
export async function answerClaims(
  options: OidcOptions,
  call: Call,
  request: UsedOidcRequest,
  claims: ProviderClaims,
): Promise<Response> {
  const { rules, signIns, createsAccounts } = options;
  const identity = identityOf(claims);
  const domain = identity.email?.split('@')[1] ?? '';
  if (rules.domains && !rules.domains.includes(domain))
    return notice(
      'You cannot sign in here',
      `Addresses of your organization may not sign in with ${rules.name}.`,
      403,
    );
  if (request.userId) return connect(options, call, request.userId, identity);
  const result = await accountOfIdentity(signIns.db, {
    ...identity,
    isProved: rules.trustsEmail && identity.isEmailVerified,
    creates: createsAccounts ? rules.signUp : 'off',
    ipAddress: options.addressOf(call),
  });
  return answerAccount(options, call, request.returnTo, identity, result);
}

async function answerAccount(
  options: OidcOptions,
  call: Call,
  target: string,
  identity: ReturnType<typeof identityOf>,
  result: IdentityAccount,
): Promise<Response> {
  const { rules, signIns, oidcCookie } = options;
  if ('userId' in result) return signInAs(options, call, result.userId, target);
  if (result.refused === 'disabled')
    return notice(
      'You cannot sign in',
      'Your account is disabled. Ask the administrator of the server.',
      403,
    );
  if (result.refused === 'notInvited')
    return notice('You have no account', `Nobody has invited ${identity.email}. Ask for an invitation.`, 403);
  const { email, ...person } = identity;
  const request = { ...person, returnTo: target, email: email ?? null };
  const secret = await createOidcRequest(signIns.db, request);
  return seeOther(
    `/sign-in/oidc/connect?${new URLSearchParams({ with: rules.name })}`,
    oidcCookie.set(secret, OIDC_LIFETIME),
  );
}

/** The second factor of the account is asked for, unless the provider is trusted with that. */
async function signInAs(options: OidcOptions, call: Call, userId: string, target: string): Promise<Response> {
  const { rules, signIns } = options;
  if (rules.asksSecondFactor) return finishSignIn(options, call, { userId, method: 'oidc', target });
  const session = { userId, methods: ['oidc'] as const, ...visitorOf(options, call) };
  const secret = await inTransaction(signIns.db, (tx) => beginSession(tx, signIns.limits, session));
  return answerCompletion(options, call, { secret }, target);
}

/** The session has to be still that of the account from which the person went to the provider. */
async function connect(
  { signIns, cookie, addressOf, rules }: OidcOptions,
  call: Call,
  userId: string,
  { issuer, subject, email }: ReturnType<typeof identityOf>,
): Promise<Response> {
  const session = await sessionOfRequest(signIns.db, cookie, call.req.raw.headers);
  if (session?.viewer.userId !== userId)
    return notice('Sign in again', 'You are not signed in to the account that was to be connected.', 400);
  const identity = { userId, issuer, subject, email: email ?? null, ipAddress: addressOf(call) };
  const isLinked = await inTransaction(signIns.db, (tx) => linkIdentity(tx, identity));
  return isLinked
    ? seeOther('/account#identities')
    : notice('It is connected already', `This sign-in at ${rules.name} belongs to an account already.`, 409);
}
