import type { Context as Call, Hono } from 'hono';
import { requestOptions, verifyAnswer } from '../../auth/passkey.ts';
import { returnTo } from '../../auth/return-to.ts';
import { formToken } from '../../auth/same-origin.ts';
import { countForNetwork, withCode } from '../../auth/second-factor.ts';
import type { Session } from '../../auth/session.ts';
import type { Transaction } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { renewProof } from '../../domain/access/fresh-proof.ts';
import { usePasskey } from '../../domain/accounts/passkey.ts';
import { hasSecondFactor, secondFactorsOf } from '../../domain/accounts/second-factors.ts';
import { PASSKEY_POLICY } from '../passkeys/passkey-form.tsx';
import { codeErrorsOf, PASSKEY_REFUSED } from '../sign-in/code-errors.ts';
import { optionsResponse } from '../sign-in/options-response.ts';
import { typedCode } from '../sign-in/second-factor-view.tsx';
import { formLimit } from '../ui/form-body.ts';
import { page } from '../ui/page.ts';
import { retryAfter, seeOther, waitText } from '../ui/responses.ts';
import { Confirm, type ConfirmErrors } from './confirm-view.tsx';
import { type AccountOptions, withForm, withSession } from './own-session.ts';

/** `/account/confirm`: who is signed in proves again who they are, before something sensitive. */
export function confirmRoutes(app: Hono, options: AccountOptions): void {
  app.get('/account/confirm', (call) =>
    withSession(options, call, (session) =>
      confirmPage(options, session, targetOf(call.req.query('return_to'))),
    ),
  );
  app.post('/account/confirm', formLimit, (call) =>
    withForm(options, call, (session, form) => submit(options, call, session, form)),
  );
  app.post('/account/confirm/options', formLimit, (call) =>
    withForm(options, call, async ({ viewer: { userId, credentialId } }) =>
      optionsResponse(await requestOptions(options, useOf(credentialId), userId)),
    ),
  );
  app.post('/account/confirm/passkey', formLimit, (call) =>
    withForm(options, call, (session, form) => submitPasskey(options, call, session, form)),
  );
}

const targetOf = (requested: string | null | undefined): string => returnTo(requested, '/account');

async function confirmPage(
  { db }: AccountOptions,
  { viewer: { userId, email }, secret }: Session,
  target: string,
  { errors, wait = 0 }: { errors?: ConfirmErrors; wait?: number } = {},
): Promise<Response> {
  const factors = await secondFactorsOf(db, userId);
  const { passwordHash } = await db.prisma.user.findUniqueOrThrow({ where: { id: userId } });
  const hasPassword = passwordHash !== null;
  const props = { email, factors, hasPassword, formToken: formToken(secret), returnTo: target, errors };
  return page(Confirm(props), {
    status: wait > 0 ? 429 : errors ? 422 : 200,
    headers: wait > 0 ? retryAfter(wait) : {},
    policy: PASSKEY_POLICY,
  });
}

const useOf = (signInId: string) => ({ purpose: 'CONFIRM', boundTo: signInId }) as const;

async function submitPasskey(
  options: AccountOptions,
  call: Call,
  session: Session,
  form: URLSearchParams,
): Promise<Response> {
  const target = targetOf(form.get('return_to'));
  const result = await countForNetwork(
    options,
    options.addressOf(call),
    () => renewWithPasskey(options, session, form),
    Boolean,
  );
  if (!result) return confirmPage(options, session, target, { errors: { passkey: PASSKEY_REFUSED } });
  if (!('wait' in result)) return confirmed(options, result.secret, target);
  const { wait } = result;
  return confirmPage(options, session, target, { errors: { passkey: waitText(wait) }, wait });
}

/** False for an answer that is not valid. */
async function renewWithPasskey(options: AccountOptions, session: Session, form: URLSearchParams) {
  const { userId, credentialId } = session.viewer;
  const use = useOf(credentialId);
  const verified = await verifyAnswer(options, form.get('credential') ?? '', use);
  return (
    verified?.userId === userId &&
    inTransaction(options.db, async (tx) =>
      (await usePasskey(tx, verified, use))
        ? { secret: await renewProof(tx, { secret: session.secret, method: 'passkey' }) }
        : (false as const),
    )
  );
}

/** An account with a second factor is asked for that, any other for its password. */
async function submit(
  options: AccountOptions,
  call: Call,
  session: Session,
  form: URLSearchParams,
): Promise<Response> {
  const target = targetOf(form.get('return_to'));
  const { userId } = session.viewer;
  const renew = (tx: Transaction, method: string) => renewProof(tx, { secret: session.secret, method });
  if (hasSecondFactor(await secondFactorsOf(options.db, userId))) {
    const code = typedCode(form);
    const attempt = { userId, address: options.addressOf(call), ...code };
    const result = await withCode(options, attempt, async (tx) => ({ secret: await renew(tx, code.kind) }));
    if ('secret' in result) return confirmed(options, result.secret, target);
    return confirmPage(options, session, target, codeErrorsOf(code, result));
  }
  const wrong = await options.accounts.wrongPassword(userId, form.get('password') ?? '');
  if (wrong) return confirmPage(options, session, target, { errors: { password: wrong.text } });
  return confirmed(options, await inTransaction(options.db, (tx) => renew(tx, 'password')), target);
}

/** Without a secret, the sign-in has ended meanwhile. */
const confirmed = (
  { cookie, limits }: AccountOptions,
  secret: string | undefined,
  target: string,
): Response => (secret ? seeOther(target, cookie.set(secret, limits.signIn)) : seeOther('/sign-in'));
