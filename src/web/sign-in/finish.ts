import type { Context as Call } from 'hono';
import { type Completion, completeSignIn } from '../../auth/complete-sign-in.ts';
import { type FirstFactor, type SessionService, signOut, type Visitor } from '../../auth/session.ts';
import type { SessionCookie } from '../../auth/session-cookie.ts';
import { PENDING_LIFETIME } from '../../domain/accounts/pending-sign-in.ts';
import { memoize } from '../../lib/memoize.ts';
import { newSecret } from '../../lib/secret.ts';
import { DAY } from '../../lib/time.ts';
import { seeOther } from '../ui/responses.ts';

export interface FinishOptions {
  signIns: SessionService;
  cookie: SessionCookie;
  /** Of sign-ins that a second factor has to complete. */
  pendingCookie: SessionCookie;
  /** Of browsers, by which they are recognised. */
  deviceCookie: SessionCookie;
  addressOf: (call: Call) => string;
}

export const visitorOf = (
  { addressOf, deviceCookie }: Pick<FinishOptions, 'addressOf' | 'deviceCookie'>,
  call: Call,
): Visitor & { device: string } => ({
  address: addressOf(call),
  userAgent: call.req.header('user-agent') ?? '',
  device: memoize(
    newDevices,
    call.req.raw,
    () => deviceCookie.read(call.req.raw.headers) ?? newSecret('dgi_'),
  ),
});

/** The secret of a browser, by its request: the same for the sign-in and for the cookie of the answer. */
const newDevices = new WeakMap<Request, string>();

/**
 * The answer to a person who has proved by `method` to be this user: a session and the page `target`, a path of this site,
 * or the page that asks for the second factor. The caller has checked that the account is not disabled.
 */
export async function finishSignIn(
  options: FinishOptions,
  call: Call,
  { userId, method, target }: { userId: string; method: FirstFactor; target: string },
): Promise<Response> {
  const proof = { userId, method, ...visitorOf(options, call) };
  return answerCompletion(options, call, await completeSignIn(options.signIns, proof), target);
}

/** The answer to a sign-in that is complete, or that a second factor has to complete. */
export async function answerCompletion(
  options: FinishOptions,
  call: Call,
  completion: Completion,
  target: string,
): Promise<Response> {
  const { signIns, cookie, pendingCookie } = options;
  if ('pending' in completion)
    return seeOther(secondFactorHref(target), pendingCookie.set(completion.pending, PENDING_LIFETIME));
  // The session that the new cookie replaces would stay live, and nobody could end it.
  const { headers } = call.req.raw;
  const previous = cookie.read(headers);
  if (previous) await signOut(signIns.db, previous);
  const ended = pendingCookie.read(headers) === undefined ? [] : [pendingCookie.clear()];
  const device = options.deviceCookie.set(visitorOf(options, call).device, 365 * DAY);
  return seeOther(target, cookie.set(completion.secret, signIns.limits.signIn), device, ...ended);
}

/** The page that asks for the second factor, and then continues at `target`. */
const secondFactorHref = (target: string): string =>
  `/sign-in/second-factor?return_to=${encodeURIComponent(target)}`;

/**
 * Browsers apply `form-action` to the redirects that follow a form too, and the authorization of an application may
 * redirect to the application at once.
 */
export const formPolicy = (target: string): Record<string, string | undefined> =>
  target.startsWith('/oauth/') ? { 'form-action': undefined } : {};
