import { type Context as Call, Hono } from 'hono';
import { returnTo } from '../../auth/return-to.ts';
import { formToken, refuseOtherSites, requireOwnForm } from '../../auth/same-origin.ts';
import type { SecondFactorService } from '../../auth/second-factor.ts';
import { sessionOfRequest, signOut } from '../../auth/session.ts';
import { type SignInService, signIn } from '../../auth/sign-in.ts';
import { foldEmail, MAX_EMAIL_LENGTH } from '../../lib/text/email-address.ts';
import { PASSKEY_POLICY } from '../passkeys/passkey-form.tsx';
import { errorPage } from '../ui/error-page.ts';
import { formLimit, formOf } from '../ui/form-body.ts';
import { type PageInit, page } from '../ui/page.ts';
import { retryAfter, seeOther, waitText } from '../ui/responses.ts';
import { destinationOf } from './destination.ts';
import { answerCompletion, formPolicy, visitorOf } from './finish.ts';
import { type PasskeySignInOptions, passkeySignInRoutes } from './passkey-routes.ts';
import { type SecondFactorOptions, secondFactorRoutes } from './second-factor-routes.ts';
import { validateSignIn } from './validate.ts';
import { SignIn, type SignInProps } from './view.tsx';

const DEFAULT_TARGET = '/console';

export interface SignInRouterOptions extends SecondFactorOptions, PasskeySignInOptions {
  signIns: SignInService & SecondFactorService;
  /** The name of the identity provider, if there is one. */
  providerName: string | undefined;
  /** Whether anybody may create an account. */
  offersSignUp: boolean;
}

/** `/sign-in` and `/sign-out`, for people in a browser. */
export function signInRouter(options: SignInRouterOptions): Hono {
  const app = new Hono();
  app.get('/sign-in', (call) => showForm(options, call));
  app.post('/sign-in', formLimit, (call) => submitSignIn(options, call));
  secondFactorRoutes(app, options);
  passkeySignInRoutes(app, options, (target) =>
    signInPage(options, { returnTo: target, errors: { form: PASSKEY_REFUSED } }, { status: 422 }),
  );
  app.post('/sign-out', formLimit, (call) => submitSignOut(options, call));
  app.onError((error, call) => errorPage(options, call, error));
  return app;
}

async function showForm(options: SignInRouterOptions, call: Call): Promise<Response> {
  const { signIns, cookie } = options;
  const again = call.req.query('again') !== undefined;
  const session = again ? undefined : await sessionOfRequest(signIns.db, cookie, call.req.raw.headers);
  return signInPage(options, {
    returnTo: returnTo(call.req.query('return_to'), DEFAULT_TARGET),
    email: call.req.query('login_hint')?.slice(0, MAX_EMAIL_LENGTH),
    purpose: again ? AGAIN : undefined,
    signedOut: call.req.query('signed_out') !== undefined,
    errors: call.req.query('ended') === undefined ? undefined : { form: TOO_LATE },
    viewer: session && { ...session.viewer, formToken: formToken(session.secret) },
  });
}

/** Only GraphiQL can be used with a key instead of a sign-in. */
async function signInPage(
  { signIns, providerName: provider, offersSignUp }: SignInRouterOptions,
  props: SignInProps,
  init?: PageInit,
): Promise<Response> {
  const keyPath = /^\/graphql(\?|$)/.test(props.returnTo) ? '/graphql?with=key' : undefined;
  // The provider redirects to further origins as it likes.
  const redirects = provider ? { 'form-action': undefined } : formPolicy(props.returnTo);
  const destination = await destinationOf(signIns.db, props.returnTo);
  return page(SignIn({ ...props, keyPath, provider, offersSignUp, destination }), {
    ...init,
    policy: { ...redirects, ...PASSKEY_POLICY },
  });
}

async function submitSignIn(options: SignInRouterOptions, call: Call): Promise<Response> {
  refuseOtherSites(call.req.raw.headers, options.ownOrigins(call));
  const form = await formOf(call);
  const target = returnTo(form.get('return_to'), DEFAULT_TARGET);
  const email = (form.get('email') ?? '').trim();
  const password = form.get('password') ?? '';
  const props = { returnTo: target, email };
  const errors = validateSignIn(email, password);
  if (errors) return signInPage(options, { ...props, errors }, { status: 422 });
  const result = await signIn(options.signIns, {
    email: foldEmail(email),
    password,
    ...visitorOf(options, call),
  });
  if ('wait' in result) return tooManyAttempts(options, props, result.wait);
  if ('wrong' in result)
    return signInPage(options, { ...props, errors: { form: WRONG_CREDENTIALS } }, { status: 422 });
  return answerCompletion(options, call, result, target);
}

const PASSKEY_REFUSED =
  'This passkey does not open an account here. Try again, or sign in with your password.';

const AGAIN = 'The application wants you to sign in anew before it goes on.';

const TOO_LATE = 'The sign-in took too long, or was completed. Sign in again.';

const WRONG_CREDENTIALS = 'The e-mail address or the password is wrong.';

function tooManyAttempts(options: SignInRouterOptions, props: SignInProps, wait: number): Promise<Response> {
  const form = waitText(wait);
  return signInPage(options, { ...props, errors: { form } }, { status: 429, headers: retryAfter(wait) });
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
  return seeOther('/sign-in?signed_out', cookie.clear());
}
