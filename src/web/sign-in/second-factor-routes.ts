import type { Context as Call, Hono } from 'hono';
import { requestOptions } from '../../auth/passkey.ts';
import { completeWithPasskey } from '../../auth/passkey-sign-in.ts';
import { returnTo } from '../../auth/return-to.ts';
import { refuseOtherSites } from '../../auth/same-origin.ts';
import { completeWithCode, countForNetwork, type SecondFactorService } from '../../auth/second-factor.ts';
import { findPendingSignIn } from '../../domain/accounts/pending-sign-in.ts';
import { type SecondFactors, secondFactorsOf } from '../../domain/accounts/second-factors.ts';
import { PASSKEY_POLICY } from '../passkeys/passkey-form.tsx';
import type { ErrorReporting } from '../ui/error-page.ts';
import { formLimit, formOf } from '../ui/form-body.ts';
import { page } from '../ui/page.ts';
import { retryAfter, seeOther, waitText } from '../ui/responses.ts';
import { codeErrorsOf, PASSKEY_REFUSED } from './code-errors.ts';
import { answerCompletion, type FinishOptions, formPolicy, visitorOf } from './finish.ts';
import { optionsResponse } from './options-response.ts';
import { type CodeErrors, SecondFactor, typedCode } from './second-factor-view.tsx';

export interface SecondFactorOptions extends FinishOptions, ErrorReporting {
  signIns: SecondFactorService;
  /** Origins that count as ours in the headers Origin and Sec-Fetch-Site. */
  ownOrigins: (call: Call) => string[];
}

const PATH = '/sign-in/second-factor';
const DEFAULT_TARGET = '/account';

/** The second step of a sign-in. */
export function secondFactorRoutes(app: Hono, options: SecondFactorOptions): void {
  app.get(PATH, (call) => show(options, call));
  app.post(PATH, formLimit, (call) => submit(options, call));
  app.post(`${PATH}/options`, formLimit, (call) => answerOptions(options, call));
  app.post(`${PATH}/passkey`, formLimit, (call) => submitPasskey(options, call));
}

/** The pending sign-in of the browser, if it can still be completed. */
async function pendingOf({ signIns: { db }, pendingCookie }: SecondFactorOptions, call: Call) {
  const pending = pendingCookie.read(call.req.raw.headers);
  const user = pending === undefined ? undefined : await findPendingSignIn(db, pending);
  return pending && user
    ? { pending, userId: user.userId, factors: await secondFactorsOf(db, user.userId) }
    : undefined;
}

const endedResponse = ({ pendingCookie }: SecondFactorOptions, target: string): Response =>
  seeOther(`/sign-in?ended&return_to=${encodeURIComponent(target)}`, pendingCookie.clear());

async function show(options: SecondFactorOptions, call: Call): Promise<Response> {
  const target = returnTo(call.req.query('return_to'), DEFAULT_TARGET);
  const signIn = await pendingOf(options, call);
  return signIn ? factorPage(signIn.factors, target) : endedResponse(options, target);
}

const factorPage = (
  factors: SecondFactors,
  target: string,
  { errors, wait = 0 }: { errors?: CodeErrors; wait?: number } = {},
): Response =>
  page(SecondFactor({ factors, returnTo: target, errors }), {
    status: wait > 0 ? 429 : errors ? 422 : 200,
    headers: wait > 0 ? retryAfter(wait) : {},
    policy: { ...formPolicy(target), ...PASSKEY_POLICY },
  });

async function answerOptions(options: SecondFactorOptions, call: Call): Promise<Response> {
  refuseOtherSites(call.req.raw.headers, options.ownOrigins(call));
  const signIn = await pendingOf(options, call);
  if (!signIn) return new Response(null, { status: 410 });
  const use = { purpose: 'SECOND_FACTOR', boundTo: signIn.pending } as const;
  return optionsResponse(await requestOptions(options.signIns, use, signIn.userId));
}

async function submitPasskey(options: SecondFactorOptions, call: Call): Promise<Response> {
  refuseOtherSites(call.req.raw.headers, options.ownOrigins(call));
  const form = await formOf(call);
  const target = returnTo(form.get('return_to'), DEFAULT_TARGET);
  const signIn = await pendingOf(options, call);
  if (!signIn) return endedResponse(options, target);
  const answer = form.get('credential') ?? '';
  const { pending, factors } = signIn;
  const visitor = visitorOf(options, call);
  const result = await countForNetwork(
    options.signIns,
    visitor.address,
    () => completeWithPasskey(options.signIns, { pending, answer, ...visitor }),
    (completion) => 'secret' in completion,
  );
  if ('wait' in result)
    return factorPage(factors, target, { errors: { passkey: waitText(result.wait) }, wait: result.wait });
  if ('secret' in result) return answerCompletion(options, call, result, target);
  return factorPage(factors, target, { errors: { passkey: PASSKEY_REFUSED } });
}

async function submit(options: SecondFactorOptions, call: Call): Promise<Response> {
  refuseOtherSites(call.req.raw.headers, options.ownOrigins(call));
  const form = await formOf(call);
  const target = returnTo(form.get('return_to'), DEFAULT_TARGET);
  const signIn = await pendingOf(options, call);
  if (!signIn) return endedResponse(options, target);
  const { pending, factors } = signIn;
  const code = typedCode(form);
  const result = await completeWithCode(options.signIns, { pending, ...code, ...visitorOf(options, call) });
  if ('ended' in result) return endedResponse(options, target);
  if ('secret' in result) return answerCompletion(options, call, result, target);
  return factorPage(factors, target, codeErrorsOf(code, result));
}
