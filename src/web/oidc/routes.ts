import { type Context as Call, Hono } from 'hono';
import { networkOf } from '../../auth/client-address.ts';
import { ProviderUnavailable, SignInRefused } from '../../auth/oidc/identity-provider.ts';
import { returnTo } from '../../auth/return-to.ts';
import { refuseOtherSites, requireOwnForm } from '../../auth/same-origin.ts';
import { sessionOfRequest } from '../../auth/session.ts';
import {
  consumeOidcRequest,
  createOidcRequest,
  type NewOidcRequest,
  OIDC_LIFETIME,
} from '../../domain/accounts/oidc-request.ts';
import { errorPage } from '../ui/error-page.ts';
import { formLimit, formOf } from '../ui/form-body.ts';
import { seeOther } from '../ui/responses.ts';
import { answerClaims } from './answer.ts';
import { connectRoutes } from './connect-routes.ts';
import { notice } from './notice.ts';
import type { OidcOptions } from './options.ts';

const DEFAULT_TARGET = '/console';

/** `/sign-in/oidc`: sign-in with the identity provider. */
export function oidcRouter(options: OidcOptions): Hono {
  const app = new Hono();
  app.post('/sign-in/oidc', formLimit, (call) => begin(options, call));
  app.get('/sign-in/oidc/callback', (call) => finish(options, call));
  app.post('/account/identities/connect', formLimit, (call) => beginConnecting(options, call));
  connectRoutes(app, options);
  app.onError((error, call) => errorPage(options, call, error));
  return app;
}

async function begin(options: OidcOptions, call: Call): Promise<Response> {
  refuseOtherSites(call.req.raw.headers, options.ownOrigins(call));
  const target = returnTo((await formOf(call)).get('return_to'), DEFAULT_TARGET);
  return goToProvider(options, call, { returnTo: target });
}

/** Connects an identity with the account of the session. */
async function beginConnecting(options: OidcOptions, call: Call): Promise<Response> {
  const { headers } = call.req.raw;
  const session = await sessionOfRequest(options.signIns.db, options.cookie, headers);
  if (!session) return seeOther('/sign-in?return_to=%2Faccount');
  const token = (await formOf(call)).get('form_token');
  requireOwnForm(headers, options.ownOrigins(call), { secret: session.secret, token });
  return goToProvider(options, call, { returnTo: '/account', userId: session.viewer.userId });
}

/** Sign-ins at the provider that a network may begin within an hour. */
const MAX_BEGUN = 200;

async function goToProvider(options: OidcOptions, call: Call, request: NewOidcRequest): Promise<Response> {
  const { rateLimiter, addressOf, provider, oidcCookie, signIns } = options;
  if ((await rateLimiter.take(`oidc ${networkOf(addressOf(call))}`, MAX_BEGUN)) > 0)
    return notice(
      'Too many sign-ins',
      'Your network has begun too many sign-ins. Try again in an hour.',
      429,
    );
  try {
    const secret = await createOidcRequest(signIns.db, request);
    const url = await provider.authorizationUrl(secret);
    return seeOther(url.href, oidcCookie.set(secret, OIDC_LIFETIME));
  } catch (error) {
    return unavailablePage(options, call, error);
  }
}

function unavailablePage({ report, requestIdOf, rules }: OidcOptions, call: Call, error: unknown): Response {
  if (!(error instanceof ProviderUnavailable)) throw error;
  report(error, requestIdOf(call));
  const text = `${rules.name} does not answer at the moment. Sign in with your password, or try again in a minute.`;
  return notice(`${rules.name} cannot be reached`, text, 503);
}

const TOO_LATE = 'It took longer than ten minutes, was completed already, or began in another browser.';

/** The provider sends the browser back. The request is taken before its answer is looked at, so that it counts once. */
async function finish(options: OidcOptions, call: Call): Promise<Response> {
  const { oidcCookie, signIns, provider, rules, warn, requestIdOf } = options;
  const secret = oidcCookie.read(call.req.raw.headers);
  const request = secret && (await consumeOidcRequest(signIns.db, secret));
  if (!secret || !request || request.issuer)
    return notice('Sign in again', TOO_LATE, 400, oidcCookie.clear());
  try {
    const claims = await provider.claimsOf(secret, new URL(call.req.url).searchParams.toString());
    const answer = await answerClaims(options, call, request, claims);
    if (!answer.headers.getSetCookie().some((each) => each.startsWith(`${oidcCookie.name}=`)))
      answer.headers.append('Set-Cookie', oidcCookie.clear());
    return answer;
  } catch (error) {
    if (!(error instanceof SignInRefused)) return unavailablePage(options, call, error);
    warn(error.message, requestIdOf(call));
    const [title, text] = error.isDenied
      ? ['The sign-in was cancelled', `${rules.name} did not sign you in.`]
      : ['The sign-in failed', `The answer of ${rules.name} is not valid, so you are not signed in.`];
    return notice(title, text, 400, oidcCookie.clear());
  }
}
