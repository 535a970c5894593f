import type { Context as Call } from 'hono';
import { type Session, sessionOfRequest } from '../auth/session.ts';
import { isMetadataUrl } from '../domain/oauth/client.ts';
import { InvalidMetadata, metadataUrlError } from '../domain/oauth/clients/client-metadata.ts';
import { userOfIdToken } from '../domain/oauth/id-token.ts';
import { type SignInProof, signInProof } from '../domain/oauth/sign-in-proof.ts';
import { SECOND } from '../lib/time.ts';
import type { AuthorizationRequest, Target } from './authorization-request.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { signInHref } from './consent-page.ts';
import { invalidRequest, RedirectedError } from './errors.ts';
import type { OpenIdRequest } from './openid-request.ts';
import { countDocumentFetch } from './rate-limits.ts';
import { markedTime, withMark } from './request/fresh-sign-in.ts';

/** A session that suffices for the request, with when its user proved who they are. */
export interface AuthorizingSession {
  session: Session;
  /** With the scope `openid`. */
  authTime?: Date;
}

interface SessionRequest {
  server: AuthorizationServer;
  headers: Headers;
  /** The query, as received. */
  query: string;
  target: Target;
  request: AuthorizationRequest;
}

/**
 * The session of the request, or the URL of the page on which its user has to sign in first. Throws login_required for
 * `prompt=none`, where no page may be shown.
 */
export async function authorizingSession(
  sent: SessionRequest,
): Promise<AuthorizingSession | { signInUrl: string }> {
  const { server, headers, query, request } = sent;
  const session = await sessionFor(server, headers);
  if (!request.openid) return session ? { session } : { signInUrl: signInHref(query) };
  const proof = await signInProof(server.db, session?.viewer.credentialId);
  const standing = await standingOf(sent, request.openid, session, proof);
  if (session && standing === 'sufficient') return { session, authTime: proof.authenticatedAt ?? undefined };
  if (standing === 'refused' || request.openid.prompts.has('none'))
    throw new RedirectedError('login_required', 'The user has to sign in.');
  const marked = await withMark(server.db, query, proof.now);
  const email = request.openid.loginHint ?? session?.viewer.email;
  return { signInUrl: signInHref(marked, { email, again: session !== undefined }) };
}

/** The session of a request to the authorization endpoint, if any. */
const sessionFor = async (
  { db, cookie }: AuthorizationServer,
  headers: Headers,
): Promise<Session | undefined> =>
  isForeignFrame(headers) ? undefined : await sessionOfRequest(db, cookie, headers);

/**
 * Before the client of an authorization request is looked up: reads the document that its client_id names. Only for a person who is
 * signed in; for others, returns the URL where to sign in first. Throws invalid_request.
 */
export async function signInForDocument(
  server: AuthorizationServer,
  call: Call,
  query: string,
  clientId = '',
): Promise<string | undefined> {
  const { documents, db } = server;
  if (!documents || !isMetadataUrl(clientId)) return undefined;
  const fault = metadataUrlError(clientId);
  if (fault) throw invalidRequest(`client_id ${fault}.`);
  const session = await sessionFor(server, call.req.raw.headers);
  if (!session) return signInHref(query);
  const count = () => countDocumentFetch(server, call, session.viewer.userId);
  await documents.require(db, clientId, count).catch((error) => {
    throw error instanceof InvalidMetadata ? invalidDocument(error) : error;
  });
  return undefined;
}

/** Texts of OAuth errors are ASCII without quotes and backslashes (RFC 6749 §5.2). */
const invalidDocument = ({ message }: InvalidMetadata) =>
  invalidRequest(`The document of client_id cannot be used: ${message.replace(/[^ !#-[\]-~]/g, '?')}.`);

/** `refused`: the user has signed in for this request, and is not the one whom the application expects. */
async function standingOf(
  { server, query, target }: SessionRequest,
  { prompts, maxAge, idTokenHint }: OpenIdRequest,
  session: Session | undefined,
  { authenticatedAt, now }: SignInProof,
): Promise<'sufficient' | 'insufficient' | 'refused'> {
  if (!session || !authenticatedAt) return 'insufficient';
  const sentAt = await markedTime(server.db, query, now);
  const isNew = sentAt !== undefined && authenticatedAt >= sentAt;
  if (!(await isExpected(server, target, idTokenHint, session))) return isNew ? 'refused' : 'insufficient';
  if (isNew) return 'sufficient';
  const age = now.getTime() - authenticatedAt.getTime();
  const isTooOld = maxAge !== undefined && (maxAge === 0 || age > maxAge * SECOND);
  return prompts.has('login') || isTooOld ? 'insufficient' : 'sufficient';
}

async function isExpected(
  { db, publicUrl: issuer }: AuthorizationServer,
  { client }: Target,
  hint: string | undefined,
  { viewer: { userId } }: Session,
): Promise<boolean> {
  return hint === undefined || (await userOfIdToken(db, hint, { issuer, clientId: client.id })) === userId;
}

/** A frame in a page of another site. Browsers send it no cookie of ours (SameSite), and if one does, it is ignored. */
const isForeignFrame = (headers: Headers): boolean =>
  headers.get('sec-fetch-site') === 'cross-site' &&
  ['iframe', 'frame', 'embed', 'object'].includes(headers.get('sec-fetch-dest') ?? '');
