import { SCOPES } from './scope.ts';
import { GRANT_TYPES } from './token.ts';

const SECRET_METHODS = ['client_secret_basic', 'client_secret_post'];

/** `/.well-known/oauth-authorization-server` (RFC 8414 §2, RFC 9126 §5, RFC 9207 §3). */
export const authorizationServerMetadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  pushed_authorization_request_endpoint: `${issuer}/oauth/par`,
  introspection_endpoint: `${issuer}/oauth/introspect`,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  jwks_uri: `${issuer}/oauth/jwks`,
  scopes_supported: SCOPES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: GRANT_TYPES,
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: [...SECRET_METHODS, 'none'],
  revocation_endpoint_auth_methods_supported: [...SECRET_METHODS, 'none'],
  introspection_endpoint_auth_methods_supported: SECRET_METHODS,
  authorization_response_iss_parameter_supported: true,
});

/** `/.well-known/oauth-protected-resource` (RFC 9728 §2), for both APIs, which accept the same tokens. */
export const protectedResourceMetadata = (issuer: string) => ({
  resource: issuer,
  resource_name: 'Docgraph',
  authorization_servers: [issuer],
  scopes_supported: SCOPES,
  bearer_methods_supported: ['header'],
});
