import type { Context as Call } from 'hono';
import { type Session, sessionOfRequest } from '../auth/sign-in.ts';
import { allowedScopes, approve } from '../domain/grant.ts';
import { claimRequest } from '../domain/pushed-request.ts';
import type { Scope } from '../generated/prisma/client.ts';
import { Consent } from '../screens/consent.tsx';
import { page } from '../screens/page.ts';
import { type Ask, readAsk, readTarget, type Target } from './authorization-request.ts';
import { consentProof, isConsentProof } from './consent-proof.ts';
import { invalidRequest, OAuthError, RedirectedError } from './errors.ts';
import { readForm, requireValue } from './form.ts';
import type { OAuthParts } from './parts.ts';
import { badRequestUri, requested } from './push.ts';
import { answerClient, refuseClient, seeOther } from './redirect.ts';
import { countVisit } from './throttle.ts';

/** In characters; what fits beside it in the address that signing in comes back to. */
const REQUEST_MAX = 5_000;

/** An authorization request in the hands of someone who may be signed in. */
interface Visit {
  parts: OAuthParts;
  call: Call;
  /** The query, as it came. */
  request: string;
  /** What names the request, where its client pushed it. */
  pushed: string | undefined;
  target: Target;
  session: Session | undefined;
}

type Step = (visit: Visit & { session: Session }, ask: Ask) => Promise<Response>;

/** `GET /oauth/authorize` (RFC 6749 §4.1.1). */
export const authorizeEndpoint = (parts: OAuthParts, call: Call): Promise<Response> =>
  serve(parts, call, new URL(call.req.url).search.slice(1), askOrApprove);

/** `POST /oauth/authorize`: the form of the authorization screen. The request in it is judged anew. */
export async function decideEndpoint(parts: OAuthParts, call: Call): Promise<Response> {
  const form = await readForm(call, ['request', 'proof', 'decision']);
  const decision = requireValue(form, 'decision');
  return serve(parts, call, requireValue(form, 'request'), async (visit, ask) => {
    requireOwnForm(visit, form.value('proof'));
    if (decision === 'approve') return give(visit, ask);
    if (decision === 'deny') return deny(visit);
    throw invalidRequest('decision is approve or deny.');
  });
}

async function serve(parts: OAuthParts, call: Call, request: string, next: Step): Promise<Response> {
  await countVisit(parts, call);
  if (request.length > REQUEST_MAX) throw invalidRequest('The request is too long.');
  const { parameters, pushed } = await requested(parts, request);
  const target = await readTarget(parts.db, parameters);
  try {
    const ask = readAsk(target, parameters);
    const session = await sessionOfRequest(parts.db, parts.cookie, call.req.raw.headers);
    return session ? await next({ parts, call, request, pushed, target, session }, ask) : signIn(request);
  } catch (error) {
    if (error instanceof OAuthError) throw error;
    return refuseClient(target, parts.publicUrl, told(parts, call, error));
  }
}

/** RFC 6749 §4.1.2.1: a redirect cannot carry a status of 500. */
function told({ report, newRequestId }: OAuthParts, call: Call, error: unknown): RedirectedError {
  if (error instanceof RedirectedError) return error;
  report(error, newRequestId(call));
  return new RedirectedError('server_error', 'Something went wrong on our side.');
}

const signInHref = (request: string): string =>
  `/sign-in?return_to=${encodeURIComponent(`/oauth/authorize?${request}`)}`;

const signIn = (request: string): Response => seeOther(signInHref(request));

/**
 * Asks, unless all of it is allowed already. Who stands behind a public client nobody can know, so it always asks
 * (RFC 8252 §8.6).
 */
const askOrApprove: Step = async (visit, ask) => {
  const allowed = await allowedScopes(contextOf(visit), visit.target.client.id);
  const asked = ask.scopes.filter((scope) => !allowed.has(scope));
  const known = visit.target.client.kind === 'CONFIDENTIAL';
  return known && asked.length === 0 ? give(visit, ask) : consent(visit, ask, asked);
};

function consent({ request, target, session }: Visit & { session: Session }, ask: Ask, asked: Scope[]) {
  const { client, redirectUri } = target;
  const { protocol, host } = new URL(redirectUri);
  const content = Consent({
    app: {
      name: client.name,
      organizationName: client.organizationName,
      host: host || protocol.slice(0, -1),
    },
    account: session.viewer,
    asked,
    allowed: ask.scopes.filter((scope) => !asked.includes(scope)),
    request,
    proof: consentProof(session.secret, request),
    switchHref: signInHref(request),
  });
  // Browsers hold every redirect that follows a form against form-action, the client's own ones too.
  return page(content, {
    headers: { 'Referrer-Policy': 'no-referrer' },
    policy: { 'form-action': `'self' https: ${protocol}` },
  });
}

async function give(visit: Visit & { session: Session }, ask: Ask): Promise<Response> {
  const { parts, call, target, pushed } = visit;
  const { client, redirectUri } = target;
  const approval = { ...ask, client, redirectUri, pushed, ipAddress: parts.addressOf(call) };
  const code = await approve(contextOf(visit), approval, parts.limits.authorizationCode);
  if (code === undefined) throw badRequestUri();
  return answerClient(target, parts.publicUrl, { code });
}

async function deny({ parts, pushed }: Visit): Promise<never> {
  if (pushed && !(await claimRequest(parts.db, pushed))) throw badRequestUri();
  throw new RedirectedError('access_denied', 'The request was denied.');
}

const contextOf = ({ parts, call, session }: Visit & { session: Session }) =>
  parts.contextFor(session.viewer, parts.newRequestId(call));

/** RFC 6749 §10.12. */
function requireOwnForm({ session, request }: Visit & { session: Session }, proof: string | undefined): void {
  if (!isConsentProof(proof, session.secret, request))
    throw new OAuthError(
      'access_denied',
      'The page is out of date. Go back to the application and try again.',
      403,
    );
}
