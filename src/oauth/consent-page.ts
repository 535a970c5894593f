import type { Session } from '../auth/session.ts';
import { type ApplicationScope, withoutIncluded } from '../domain/kernel/scope.ts';
import type { Viewer } from '../domain/kernel/viewer.ts';
import type { ClosedOrganization } from '../domain/oauth/application.ts';
import { logoPath, type RequestingClient } from '../domain/oauth/client.ts';
import { isOnlyLocal } from '../domain/oauth/clients/client-metadata.ts';
import type { LimitChoices } from '../domain/oauth/limit-choice.ts';
import { LOCAL_HOSTS } from '../domain/oauth/redirect-uri.ts';
import type { Applicant } from '../web/oauth/applicant.tsx';
import { Consent } from '../web/oauth/consent.tsx';
import { page } from '../web/ui/page.ts';
import type { AuthorizationRequest, Target } from './authorization-request.ts';
import { consentProof } from './request/consent-proof.ts';
import type { RequestedResources } from './resource.ts';

export interface ConsentRequest {
  target: Target;
  session: Session;
  /** The query of the authorization request, which the form sends back. */
  query: string;
  request: AuthorizationRequest & RequestedResources;
  /** The scopes that the user has not allowed yet. */
  newScopes: ApplicationScope[];
  /** The user's organizations that do not let the application act there. */
  closedOrganizations: ClosedOrganization[];
  /** Names of organizations that it will not reach until the user has a second factor. */
  closedWithoutFactor: string[];
  /** Whether their owners have just been asked. */
  approvalRequested: boolean;
  limit: LimitChoices;
  /** Why the form was not accepted. */
  problem?: string | undefined;
}

/** Sign-in page that returns to the authorization request. `again`: somebody who is signed in has to sign in anew. */
export function signInHref(
  query: string,
  { email, again = false }: { email?: string; again?: boolean } = {},
): string {
  const parameters = {
    return_to: `/oauth/authorize?${query}`,
    ...(email !== undefined && { login_hint: email }),
    ...(again && { again: '' }),
  };
  const encoded = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `/sign-in?${encoded.join('&')}`;
}

/** The page on which the user allows or denies the application's request. */
export function consentPage({
  target,
  session,
  query,
  request,
  newScopes,
  closedOrganizations,
  closedWithoutFactor,
  ...shown
}: ConsentRequest): Response {
  const { memberships } = session.viewer;
  const { client, redirectUri } = target;
  const { protocol, host, hostname } = new URL(redirectUri);
  const content = Consent({
    app: { ...applicantOf(client, session.viewer), host: host || protocol.slice(0, -1) },
    account: session.viewer,
    requested: withoutIncluded(newScopes),
    allowed: withoutIncluded(request.scopes.filter((scope) => !newScopes.includes(scope))),
    servers: request.servers,
    request: query,
    proof: consentProof(session.secret, query),
    switchHref: signInHref(query),
    closedOrganizations,
    closedWithoutFactor,
    ...shown,
    closed: memberships.length > 0 && closedOrganizations.length === memberships.length,
    isLocal: LOCAL_HOSTS.has(hostname),
  });
  // Browsers apply form-action to the redirects that follow a form too, so the client's scheme has to be allowed.
  return page(content, {
    headers: { 'Referrer-Policy': 'no-referrer' },
    policy: { 'form-action': `'self' https: ${protocol}` },
  });
}

const applicantOf = (client: RequestingClient, { memberships }: Viewer): Applicant => ({
  ...client,
  logo: logoPath(client),
  isClaimable: client.metadataUrl !== null && isOnlyLocal(client.redirectUris),
  standing: client.metadataUrl
    ? 'described'
    : client.verifiedAt
      ? 'verified'
      : memberships.some((each) => each.organizationId === client.organizationId && each.role !== 'GUEST')
        ? 'own'
        : 'unverified',
});
