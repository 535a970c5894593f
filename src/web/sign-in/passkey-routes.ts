import type { Context as Call, Hono } from 'hono';
import { networkOf } from '../../auth/client-address.ts';
import { type PasskeyService, requestOptions } from '../../auth/passkey.ts';
import { signInWithPasskey } from '../../auth/passkey-sign-in.ts';
import { returnTo } from '../../auth/return-to.ts';
import { refuseOtherSites } from '../../auth/same-origin.ts';
import type { SessionCookie } from '../../auth/session-cookie.ts';
import type { SignInService } from '../../auth/sign-in.ts';
import { newSecret } from '../../lib/secret.ts';
import { MINUTE } from '../../lib/time.ts';
import { PASSKEY_SCRIPT } from '../passkeys/passkey-form.tsx';
import { formLimit, formOf } from '../ui/form-body.ts';
import { retryAfter } from '../ui/responses.ts';
import { answerCompletion, type FinishOptions, visitorOf } from './finish.ts';
import { optionsResponse } from './options-response.ts';

export interface PasskeySignInOptions extends FinishOptions {
  signIns: SignInService & PasskeyService;
  /** Of browsers that have asked for a challenge. */
  passkeyCookie: SessionCookie;
  ownOrigins: (call: Call) => string[];
}

type Refusal = (target: string) => Promise<Response>;

const DEFAULT_TARGET = '/console';

/** Signing in with a passkey alone. The options do not depend on who it is, so they reveal no account. */
export function passkeySignInRoutes(app: Hono, options: PasskeySignInOptions, refused: Refusal): void {
  app.get(PASSKEY_SCRIPT.path, PASSKEY_SCRIPT.response);
  app.post('/sign-in/passkey/options', formLimit, (call) => answerOptions(options, call));
  app.post('/sign-in/passkey', formLimit, (call) => submit(options, call, refused));
}

async function answerOptions(options: PasskeySignInOptions, call: Call): Promise<Response> {
  const { signIns, passkeyCookie, ownOrigins, addressOf } = options;
  refuseOtherSites(call.req.raw.headers, ownOrigins(call));
  const network = networkOf(addressOf(call));
  const wait = await signIns.rateLimiter.take(`passkey ${network}`, signIns.limits.signInTriesAddress);
  if (wait > 0) return new Response(null, { status: 429, headers: retryAfter(wait) });
  const browser = passkeyCookie.read(call.req.raw.headers) ?? newSecret('dgi_');
  return optionsResponse(await requestOptions(signIns, { purpose: 'SIGN_IN', boundTo: browser }), {
    'Set-Cookie': passkeyCookie.set(browser, 5 * MINUTE),
  });
}

async function submit(options: PasskeySignInOptions, call: Call, refused: Refusal): Promise<Response> {
  const { signIns, passkeyCookie, ownOrigins } = options;
  const { headers } = call.req.raw;
  refuseOtherSites(headers, ownOrigins(call));
  const form = await formOf(call);
  const target = returnTo(form.get('return_to'), DEFAULT_TARGET);
  const browser = passkeyCookie.read(headers);
  const answer = form.get('credential') ?? '';
  const visitor = visitorOf(options, call);
  const result = browser && (await signInWithPasskey(signIns, { browser, answer, ...visitor }));
  if (!result || 'refused' in result) return refused(target);
  const response = await answerCompletion(options, call, result, target);
  response.headers.append('Set-Cookie', passkeyCookie.clear());
  return response;
}
