import { type Context as Call, Hono } from 'hono';
import { returnTo } from '../../auth/return-to.ts';
import { formToken, refuseOtherSites, requireOwnForm } from '../../auth/same-origin.ts';
import type { SessionCookie } from '../../auth/session-cookie.ts';
import { type SignInService, sessionOfRequest, signIn, signOut } from '../../auth/sign-in.ts';
import { SECOND } from '../../lib/time.ts';
import { type ErrorReporting, errorPage } from '../ui/error-page.ts';
import { formLimit, formOf } from '../ui/form-body.ts';
import { type PageInit, page } from '../ui/page.ts';
import { validateSignIn } from './validate.ts';
import { SignIn, type SignInProps } from './view.tsx';

const DEFAULT_TARGET = '/graphql';

export interface SignInRouterOptions extends ErrorReporting {
  signIns: SignInService;
  cookie: SessionCookie;
  /** Origins that count as ours in the headers Origin and Sec-Fetch-Site. */
  ownOrigins: (call: Call) => string[];
  addressOf: (call: Call) => string;
}

/** `/sign-in` and `/sign-out`, for people in a browser. */
export function signInRouter(options: SignInRouterOptions): Hono {
  const app = new Hono();
  app.get('/sign-in', (call) => showForm(options, call));
  app.post('/sign-in', formLimit, (call) => submitSignIn(options, call));
  app.post('/sign-out', formLimit, (call) => submitSignOut(options, call));
  app.onError((error, call) => errorPage(options, call, error));
  return app;
}

async function showForm({ signIns, cookie }: SignInRouterOptions, call: Call): Promise<Response> {
  const session = await sessionOfRequest(signIns.db, cookie, call.req.raw.headers);
  return signInPage({
    returnTo: returnTo(call.req.query('return_to'), DEFAULT_TARGET),
    signedOut: call.req.query('signed_out') !== undefined,
    viewer: session && { ...session.viewer, formToken: formToken(session.secret) },
  });
}

/**
 * Only GraphiQL can be used with a key instead of a sign-in. Browsers apply `form-action` to the redirects that follow a
 * form too, and the authorization of an application may redirect to the application at once.
 */
const signInPage = (props: SignInProps, init?: PageInit): Response => {
  const keyPath = /^\/graphql(\?|$)/.test(props.returnTo) ? '/graphql?with=key' : undefined;
  const policy = props.returnTo.startsWith('/oauth/') ? { 'form-action': undefined } : {};
  return page(SignIn({ ...props, keyPath }), { ...init, policy });
};

async function submitSignIn(options: SignInRouterOptions, call: Call): Promise<Response> {
  refuseOtherSites(call.req.raw.headers, options.ownOrigins(call));
  const form = await formOf(call);
  const target = returnTo(form.get('return_to'), DEFAULT_TARGET);
  const email = (form.get('email') ?? '').trim();
  const password = form.get('password') ?? '';
  const props = { returnTo: target, email };
  const errors = validateSignIn(email, password);
  if (errors) return signInPage({ ...props, errors }, { status: 422 });
  const result = await signIn(options.signIns, {
    email: email.toLowerCase(),
    password,
    address: options.addressOf(call),
    userAgent: call.req.header('user-agent') ?? '',
  });
  if ('wait' in result) return tooManyAttempts(props, result.wait);
  if ('wrong' in result)
    return signInPage({ ...props, errors: { form: WRONG_CREDENTIALS } }, { status: 422 });
  await endPreviousSession(options, call);
  return redirect(target, options.cookie.set(result.secret, options.signIns.limits.signIn));
}

const WRONG_CREDENTIALS = 'The e-mail address or the password is wrong.';

function tooManyAttempts(props: SignInProps, wait: number): Response {
  const seconds = Math.ceil(wait / SECOND);
  const time = seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
  const form = `Too many attempts. Try again in ${time}.`;
  const headers = { 'Retry-After': `${seconds}` };
  return signInPage({ ...props, errors: { form } }, { status: 429, headers });
}

/** Ends the session that the new cookie replaces: otherwise it would stay live, and nobody could end it. */
async function endPreviousSession({ signIns, cookie }: SignInRouterOptions, call: Call): Promise<void> {
  const secret = cookie.read(call.req.raw.headers);
  if (secret) await signOut(signIns.db, secret);
}

async function submitSignOut(options: SignInRouterOptions, call: Call): Promise<Response> {
  const { signIns, cookie, ownOrigins } = options;
  const { headers } = call.req.raw;
  const session = await sessionOfRequest(signIns.db, cookie, headers);
  const token = (await formOf(call)).get('form_token');
  if (session) {
    requireOwnForm(headers, ownOrigins(call), { secret: session.secret, token });
    await signOut(signIns.db, session.secret);
  }
  return redirect('/sign-in?signed_out', cookie.clear());
}

/** 303, so that the browser follows with GET after a POST (RFC 9110 §15.4.4). */
const redirect = (location: string, setCookie: string): Response =>
  new Response(null, {
    status: 303,
    headers: { Location: location, 'Set-Cookie': setCookie, 'Cache-Control': 'no-store' },
  });
