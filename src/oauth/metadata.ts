import { APPLICATION_SCOPES, SCOPES } from '../domain/kernel/scope.ts';
import { TOKEN_ALGORITHMS } from '../domain/keys/token-key.ts';
import { MCP_SCOPES, mcpUri } from '../domain/oauth/resource-server.ts';
import { PROMPTS } from './openid-request.ts';
import { GRANT_TYPES } from './token.ts';

const SECRET_METHODS = ['client_secret_basic', 'client_secret_post'];

/** `/.well-known/oauth-authorization-server` (RFC 8414 §2, RFC 9126 §5, RFC 9207 §3). `readsDocuments`: a client_id may be the URL of a document. */
export const authorizationServerMetadata = (issuer: string, readsDocuments: boolean) => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  pushed_authorization_request_endpoint: `${issuer}/oauth/par`,
  introspection_endpoint: `${issuer}/oauth/introspect`,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  jwks_uri: `${issuer}/oauth/jwks`,
  scopes_supported: APPLICATION_SCOPES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: GRANT_TYPES,
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: [...SECRET_METHODS, 'none'],
  revocation_endpoint_auth_methods_supported: [...SECRET_METHODS, 'none'],
  introspection_endpoint_auth_methods_supported: SECRET_METHODS,
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: readsDocuments,
});

/** `/.well-known/openid-configuration` (OpenID Connect Discovery §3): what the other document says, and the rest. */
export const openIdMetadata = (issuer: string, readsDocuments: boolean) => ({
  ...authorizationServerMetadata(issuer, readsDocuments),
  userinfo_endpoint: `${issuer}/oauth/userinfo`,
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: [TOKEN_ALGORITHMS.ID_TOKEN],
  claims_supported: [
    ...['iss', 'sub', 'aud', 'azp', 'exp', 'iat', 'auth_time', 'nonce', 'at_hash'],
    ...['name', 'email', 'email_verified'],
  ],
  claim_types_supported: ['normal'],
  prompt_values_supported: PROMPTS,
  claims_parameter_supported: false,
  request_parameter_supported: false,
  // Of the application's own; those of pushed requests are (RFC 9126 §4).
  request_uri_parameter_supported: false,
});

/** `/.well-known/oauth-protected-resource/mcp` (RFC 9728 §3.1), for agents. The scopes are the least: tools that need more ask for it. */
export const agentResourceMetadata = (issuer: string) => ({
  ...protectedResourceMetadata(issuer),
  resource: mcpUri(issuer),
  resource_name: 'Docgraph for agents',
  scopes_supported: MCP_SCOPES,
});

/** `/.well-known/oauth-protected-resource` (RFC 9728 §2), for both APIs, which accept the same tokens. */
export const protectedResourceMetadata = (issuer: string) => ({
  resource: issuer,
  resource_name: 'Docgraph',
  authorization_servers: [issuer],
  scopes_supported: SCOPES,
  bearer_methods_supported: ['header'],
});
