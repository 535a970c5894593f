import type { Context as Call } from 'hono';
import { type Session, sessionOfRequest } from '../auth/sign-in.ts';
import { type Approval, type ApprovalResult, approve, reauthorize } from '../domain/oauth/authorization.ts';
import { allowedScopes } from '../domain/oauth/grant.ts';
import { claimRequest } from '../domain/oauth/pushed-request.ts';
import type { Scope } from '../generated/prisma/client.ts';
import { newSecret } from '../lib/secret.ts';
import { Consent } from '../web/oauth/consent.tsx';
import { page } from '../web/ui/page.ts';
import { type Ask, readAsk, readTarget, type Target } from './authorization-request.ts';
import { codesOf, consentProof, isConsentProof, silentProof } from './consent-proof.ts';
import { invalidRequest, OAuthError, RedirectedError } from './errors.ts';
import { readForm, requireValue } from './form.ts';
import { type Requested, requested } from './push.ts';
import { answerClient, refuseClient, seeOther } from './redirect.ts';
import { type RequestedResources, requireResources } from './resource.ts';
import type { AuthorizationServer } from './service.ts';
import { RequestEndedError, requestEndedPage } from './stopped.tsx';
import { countVisit } from './throttle.ts';

/** In characters; what fits beside it in the address that signing in comes back to. */
const REQUEST_MAX = 5_000;

/** An authorization request in the hands of someone who may be signed in. */
interface Visit {
  parts: AuthorizationServer;
  call: Call;
  /** The query, as it came. */
  request: string;
  /** What names the request, where its client pushed it. */
  pushed: string | undefined;
  /** Why a pushed request can no longer be answered for the first time. */
  ended: Requested['ended'];
  target: Target;
  session: Session | undefined;
}

type SignedInVisit = Visit & { session: Session };

/** What is asked, with the resource servers that the tokens are to be for. */
type FullAsk = Ask & RequestedResources;

type Step<More extends unknown[] = []> = (
  visit: SignedInVisit,
  ask: FullAsk,
  ...more: More
) => Promise<Response>;

/** `GET /oauth/authorize` (RFC 6749 §4.1.1). */
export const authorizeEndpoint = (parts: AuthorizationServer, call: Call): Promise<Response> =>
  serve(parts, call, new URL(call.req.url).search.slice(1), askOrApprove);

/** `POST /oauth/authorize`: the form of the authorization screen. The request in it is judged anew. */
export async function decideEndpoint(parts: AuthorizationServer, call: Call): Promise<Response> {
  const form = await readForm(call, ['request', 'proof', 'decision']);
  const decision = requireValue(form, 'decision');
  return serve(parts, call, requireValue(form, 'request'), async (visit, ask) => {
    const proof = requireOwnForm(visit, form.value('proof'));
    if (decision === 'approve') return give(visit, ask, codesOf(visit.session.secret, proof));
    if (decision === 'deny') return deny(visit, proof);
    throw invalidRequest('decision is approve or deny.');
  });
}

async function serve(parts: AuthorizationServer, call: Call, request: string, next: Step): Promise<Response> {
  await countVisit(parts, call);
  if (request.length > REQUEST_MAX) throw invalidRequest('The request is too long.');
  const { parameters, pushed, ended } = await requested(parts, request);
  const target = await readTarget(parts.db, parameters);
  try {
    const ask = {
      ...readAsk(target, parameters),
      ...(await requireResources(parts, target.client, parameters)),
    };
    const session = await sessionOfRequest(parts.db, parts.cookie, call.req.raw.headers);
    if (!session && ended) throw new RequestEndedError(ended);
    const visit = { parts, call, request, pushed, ended, target };
    return session ? await next({ ...visit, session }, ask) : signIn(request);
  } catch (error) {
    if (error instanceof RequestEndedError)
      return requestEndedPage(target, {
        issuer: parts.publicUrl,
        pushed: pushed !== undefined,
        stop: error.stop,
      });
    if (error instanceof OAuthError) throw error;
    return refuseClient(target, parts.publicUrl, told(parts, call, error));
  }
}

/** RFC 6749 §4.1.2.1: a redirect cannot carry a status of 500. */
function told(
  { report, requestIdOf: newRequestId }: AuthorizationServer,
  call: Call,
  error: unknown,
): RedirectedError {
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
  const { target, ended, parts } = visit;
  const ctx = contextOf(visit);
  if (target.client.kind === 'CONFIDENTIAL') {
    const approval = approvalOf(visit, ask, silentCodes(visit));
    const result = await reauthorize(ctx, approval, parts.limits.authorizationCode);
    if ('code' in result || result.refused === 'answered') return answer(visit, result);
  }
  if (ended) throw new RequestEndedError(ended);
  const allowed = await allowedScopes(ctx, target.client.id);
  return consent(
    visit,
    ask,
    ask.scopes.filter((scope) => !allowed.has(scope)),
  );
};

/** A reload of a pushed request is the same submission; any other request is a new one each time. */
const silentCodes = ({ pushed, request, session: { secret } }: SignedInVisit): Codes =>
  pushed ? codesOf(secret, silentProof(secret, request)) : [newSecret('dgc_')];

function consent({ request, target, session }: SignedInVisit, ask: FullAsk, asked: Scope[]) {
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
    servers: ask.servers,
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

type Codes = Approval['codes'];

const approvalOf = (
  { parts, call, target, pushed }: Visit,
  { scopes, codeChallenge, audience }: FullAsk,
  codes: Codes,
): Approval => ({
  scopes,
  codeChallenge,
  audience,
  client: target.client,
  redirectUri: target.redirectUri,
  pushed,
  codes,
  ipAddress: parts.addressOf(call),
});

const give: Step<[Codes]> = async (visit, ask, codes) =>
  answer(
    visit,
    await approve(contextOf(visit), approvalOf(visit, ask, codes), visit.parts.limits.authorizationCode),
  );

function answer({ parts, target, ended }: Visit, result: ApprovalResult): Response {
  if ('code' in result) return answerClient(target, parts.publicUrl, { code: result.code });
  throw new RequestEndedError(ended ?? 'answered');
}

/** The same refusal again for a second click. */
async function deny({ parts, pushed, ended }: Visit, proof: string): Promise<never> {
  if (pushed && !(await claimRequest(parts.db, pushed, `deny ${proof}`)))
    throw new RequestEndedError(ended ?? 'answered');
  throw new RedirectedError('access_denied', 'The request was denied.');
}

const contextOf = ({ parts, call, session }: SignedInVisit) =>
  parts.contextFor(session.viewer, parts.requestIdOf(call));

/** RFC 6749 §10.12. Gives the proof. */
function requireOwnForm({ session, request, ended }: SignedInVisit, proof: string | undefined): string {
  if (!isConsentProof(proof, session.secret, request)) throw new RequestEndedError(ended ?? 'outdated');
  return proof;
}
