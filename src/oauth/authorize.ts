import type { Context as Call } from 'hono';
import type { Session } from '../auth/session.ts';
import { closedOrganizations as closedWithoutFactor } from '../domain/access/access-second-factor.ts';
import { includes } from '../domain/kernel/scope.ts';
import { closedOrganizations } from '../domain/oauth/application.ts';
import { requestApplication } from '../domain/oauth/application-change.ts';
import { type Approval, type ApprovalResult, approve, reauthorize } from '../domain/oauth/authorization.ts';
import { allowedScopes } from '../domain/oauth/grant.ts';
import type { GrantLimit } from '../domain/oauth/grant-limit.ts';
import { limitChoices } from '../domain/oauth/limit-choice.ts';
import { claimRequest } from '../domain/oauth/pushed-request.ts';
import { CLOSED } from '../domain/oauth/token.ts';
import { newSecret } from '../lib/secret.ts';
import {
  type AuthorizationRequest,
  readAuthorizationRequest,
  readTarget,
  type Target,
} from './authorization-request.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { authorizingSession, signInForDocument } from './authorizing-session.ts';
import { consentPage } from './consent-page.ts';
import { invalidRequest, OAuthError, RedirectedError } from './errors.ts';
import { formAsQuery, limitProblem, readForm, readLimit, requireValue } from './form.ts';
import { isSilent } from './openid-request.ts';
import { type LoadedRequest, loadRequest } from './par.ts';
import { countAuthorizationRequest } from './rate-limits.ts';
import { redirectError, redirectToClient, seeOther } from './redirect.ts';
import { codesOf, isConsentProof, reauthorizationProof } from './request/consent-proof.ts';
import { withoutMark } from './request/fresh-sign-in.ts';
import { RequestEndedError, requestEndedPage } from './request-ended.tsx';
import { isForAgents, type RequestedResources, requireResources } from './resource.ts';

/** In characters; the sign-in page has to be able to return to a URL with this query. */
const MAX_QUERY_LENGTH = 5_000;

/** An authorization request whose client and redirect URI are valid. */
interface ValidRequest {
  server: AuthorizationServer;
  call: Call;
  /** The query, as received. */
  query: string;
  /** Secret of the pushed request, if the client pushed it. */
  pushedSecret: string | undefined;
  /** Why a pushed request can no longer be answered, if so. */
  endReason: LoadedRequest['endReason'];
  target: Target;
  /** No page may be shown (`prompt=none`). */
  silent: boolean;
}

/** A valid request of a signed-in user. */
interface UserRequest extends ValidRequest {
  session: Session;
  /** When the user proved who they are; for OpenID Connect. */
  authTime?: Date;
  request: AuthorizationRequest & RequestedResources;
}

type Step = (authorization: UserRequest) => Promise<Response>;

/** `GET /oauth/authorize` (RFC 6749 §4.1.1). */
export const authorizeEndpoint = (server: AuthorizationServer, call: Call): Promise<Response> =>
  authorize(server, call, new URL(call.req.url).search.slice(1), askForConsent);

/**
 * `POST /oauth/authorize`: the consent form. The request in it is validated again. An authorization request may be sent
 * as a form too (OpenID Connect Core §3.1.2.1), and goes on as one in the URL.
 */
export async function decideEndpoint(server: AuthorizationServer, call: Call): Promise<Response> {
  const form = await readForm(call, ['request', 'proof', 'decision']);
  if (form.has('client_id') && !form.has('decision'))
    return seeOther(`/oauth/authorize?${await formAsQuery(call)}`);
  const decision = requireValue(form, 'decision');
  return authorize(server, call, requireValue(form, 'request'), async (authorization) => {
    const proof = requireConsentProof(authorization, form.value('proof'));
    if (decision === 'approve')
      return approveRequest(authorization, codesOf(authorization.session.secret, proof), readLimit(form));
    if (decision === 'deny') return denyRequest(authorization, proof);
    if (decision === 'request') return askOwners(authorization);
    throw invalidRequest('decision must be approve, deny or request.');
  });
}

/** The steps that both share. Errors before the client and its redirect URI are known are shown on a page. */
async function authorize(server: AuthorizationServer, call: Call, query: string, next: Step) {
  await countAuthorizationRequest(server, call);
  if (withoutMark(query).length > MAX_QUERY_LENGTH) throw invalidRequest('The request is too long.');
  const { parameters, ...pushed } = await loadRequest(server, query);
  const signInUrl = await signInForDocument(server, call, query, parameters.value('client_id'));
  if (signInUrl) return seeOther(signInUrl);
  const target = await readTarget(server.db, parameters);
  const { pushedSecret, endReason } = pushed;
  const silent = isSilent(parameters);
  const authorization: ValidRequest = { server, call, query, pushedSecret, endReason, target, silent };
  try {
    const request = {
      ...readAuthorizationRequest(target, parameters, isForAgents(server, parameters)),
      ...(await requireResources(server, target.client, parameters)),
    };
    const { headers } = call.req.raw;
    const signedIn = await authorizingSession({ server, headers, query, target, request });
    if ('session' in signedIn) return await next({ ...authorization, ...signedIn, request });
    if (endReason) throw new RequestEndedError(endReason);
    return seeOther(signedIn.signInUrl);
  } catch (error) {
    return errorResponse(authorization, error);
  }
}

/** Reports an error to the client by redirect; the end of a request is shown to the user first. */
function errorResponse(
  { server, call, target, pushedSecret, silent }: ValidRequest,
  error: unknown,
): Response {
  if (error instanceof OAuthError && silent)
    return redirectError(target, server.publicUrl, new RedirectedError(error.code, error.message));
  if (error instanceof RequestEndedError)
    return requestEndedPage(target, {
      issuer: server.publicUrl,
      pushed: pushedSecret !== undefined,
      reason: error.reason,
    });
  if (error instanceof OAuthError) throw error;
  return redirectError(target, server.publicUrl, redirectedErrorOf(server, call, error));
}

/** RFC 6749 §4.1.2.1: a redirect cannot carry the status 500, so it carries `server_error`. */
function redirectedErrorOf({ report, requestIdOf }: AuthorizationServer, call: Call, error: unknown) {
  if (error instanceof RedirectedError) return error;
  report(error, requestIdOf(call));
  return new RedirectedError('server_error', 'Something went wrong on our side.');
}

/**
 * Shows the consent page, unless a confidential client already has all it requests. A public client always asks, as
 * nothing proves its identity (RFC 8252 §8.6).
 */
const askForConsent: Step = async (authorization) => {
  const { target, endReason, server, request } = authorization;
  server.countDeprecated(target.client.id, request.deprecated);
  const ctx = contextOf(authorization);
  if (target.client.kind === 'CONFIDENTIAL' && !asksAgain(request)) {
    const approval = approvalOf(authorization, reauthorizationCodes(authorization));
    const result = await reauthorize(ctx, approval, server.limits.authorizationCode);
    if ('code' in result || result.refused === 'answered') return codeResponse(authorization, result);
  }
  if (endReason) throw new RequestEndedError(endReason);
  return showConsent(authorization);
};

async function showConsent(
  authorization: UserRequest,
  { approvalRequested = false, problem }: { approvalRequested?: boolean; problem?: string } = {},
): Promise<Response> {
  const { target, request } = authorization;
  const ctx = contextOf(authorization);
  const allowed = await allowedScopes(ctx, target.client.id);
  const newScopes = request.scopes.filter((scope) => !includes(allowed, scope));
  if (authorization.silent) throw unasked(newScopes.length > 0);
  return consentPage({
    ...authorization,
    newScopes,
    closedOrganizations: await closedOrganizations(ctx, target.client.id),
    closedWithoutFactor: await closedWithoutFactor(ctx.db, ctx.viewer.userId),
    limit: await limitChoices(ctx, target.client.id),
    ...{ approvalRequested, problem },
  });
}

/** Asks the owners of the user's organizations that allow approved applications alone, and shows the page again. */
async function askOwners(authorization: UserRequest): Promise<Response> {
  await requestApplication(contextOf(authorization), authorization.target.client.id);
  return showConsent(authorization, { approvalRequested: true });
}

/** The consent page is also where the account is chosen: it names the account, and leads to the sign-in of another. */
const asksAgain = ({ openid }: AuthorizationRequest): boolean =>
  openid !== undefined && (openid.prompts.has('consent') || openid.prompts.has('select_account'));

/**
 * The errors of `prompt=none` (OpenID Connect Core §3.1.2.6). Where all is allowed, a page is for a public client, which
 * anyone can name, or of organizations that do not allow the application.
 */
const unasked = (needsConsent: boolean): RedirectedError =>
  needsConsent
    ? new RedirectedError('consent_required', 'The user has to be asked.')
    : new RedirectedError('interaction_required', 'The user has to be shown a page.');

type Codes = Approval['codes'];

/** A reload of a pushed request is the same submission; any other request is a new one each time. */
const reauthorizationCodes = ({ pushedSecret, query, session: { secret } }: UserRequest): Codes =>
  pushedSecret ? codesOf(secret, reauthorizationProof(secret, query)) : [newSecret('dgc_')];

const approvalOf = (
  { server, call, target, pushedSecret, request, session, authTime }: UserRequest,
  codes: Codes,
): Approval => ({
  ...(authTime && { signIn: { id: session.viewer.credentialId, authTime, nonce: request.openid?.nonce } }),
  scopes: request.scopes,
  codeChallenge: request.codeChallenge,
  audience: request.audience,
  client: target.client,
  redirectUri: target.redirectUri,
  pushed: pushedSecret,
  codes,
  ipAddress: server.addressOf(call),
});

async function approveRequest(
  authorization: UserRequest,
  codes: Codes,
  limitedTo: GrantLimit | null | undefined,
): Promise<Response> {
  const approval = { ...approvalOf(authorization, codes), limitedTo };
  const lifetime = authorization.server.limits.authorizationCode;
  const result = await approve(contextOf(authorization), approval, lifetime).catch((error) => ({
    problem: limitProblem(error),
  }));
  return 'problem' in result ? showConsent(authorization, result) : codeResponse(authorization, result);
}

/** RFC 6749 §4.1.2. */
function codeResponse({ server, target, endReason }: ValidRequest, result: ApprovalResult): Response {
  if ('code' in result) return redirectToClient(target, server.publicUrl, { code: result.code });
  if (result.refused === 'closed') throw new RedirectedError('access_denied', CLOSED);
  throw new RequestEndedError(endReason ?? 'answered');
}

/** A second click on Deny gets the same error again. */
async function denyRequest({ server, pushedSecret, endReason }: ValidRequest, proof: string): Promise<never> {
  if (pushedSecret && !(await claimRequest(server.db, pushedSecret, `deny ${proof}`)))
    throw new RequestEndedError(endReason ?? 'answered');
  throw new RedirectedError('access_denied', 'The request was denied.');
}

const contextOf = ({ server, call, session }: UserRequest) =>
  server.contextFor(session.viewer, server.requestIdOf(call));

/** Throws unless the form is from our consent page for this session and request (RFC 6749 §10.12). Returns the proof. */
function requireConsentProof({ session, query, endReason }: UserRequest, proof: string | undefined): string {
  if (!isConsentProof(proof, session.secret, query)) throw new RequestEndedError(endReason ?? 'outdated');
  return proof;
}
