import type { Session } from '../auth/sign-in.ts';
import type { Scope } from '../generated/prisma/client.ts';
import { Consent } from '../web/oauth/consent.tsx';
import { page } from '../web/ui/page.ts';
import type { AuthorizationRequest, Target } from './authorization-request.ts';
import { consentProof } from './consent-proof.ts';
import type { RequestedResources } from './resource.ts';

export interface ConsentRequest {
  target: Target;
  session: Session;
  /** The query of the authorization request, which the form sends back. */
  query: string;
  request: AuthorizationRequest & RequestedResources;
  /** The scopes that the user has not allowed yet. */
  newScopes: Scope[];
}

/** Sign-in page that returns to the authorization request. */
export const signInHref = (query: string): string =>
  `/sign-in?return_to=${encodeURIComponent(`/oauth/authorize?${query}`)}`;

/** The page on which the user allows or denies the application's request. */
export function consentPage({ target, session, query, request, newScopes }: ConsentRequest): Response {
  const { client, redirectUri } = target;
  const { protocol, host } = new URL(redirectUri);
  const content = Consent({
    app: {
      name: client.name,
      organizationName: client.organizationName,
      host: host || protocol.slice(0, -1),
    },
    account: session.viewer,
    requested: newScopes,
    allowed: request.scopes.filter((scope) => !newScopes.includes(scope)),
    servers: request.servers,
    request: query,
    proof: consentProof(session.secret, query),
    switchHref: signInHref(query),
  });
  // Browsers apply form-action to the redirects that follow a form too, so the client's scheme has to be allowed.
  return page(content, {
    headers: { 'Referrer-Policy': 'no-referrer' },
    policy: { 'form-action': `'self' https: ${protocol}` },
  });
}
