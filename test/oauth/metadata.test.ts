import { describe, expect, it } from 'vitest';
import { APPLICATION_SCOPES, SCOPES } from '../../src/domain/kernel/scope.ts';
import { ISSUER, newOAuthWorld, post } from '../support/oauth.ts';

describe('the metadata', () => {
  it('matches the endpoints that it names (49: RFC 8414 §2)', async () => {
    const { app } = await newOAuthWorld();
    const answer = await app.request('/.well-known/oauth-authorization-server');
    const metadata = (await answer.json()) as Record<string, string | string[] | boolean>;
    expect(metadata).toEqual({
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/oauth/authorize`,
      token_endpoint: `${ISSUER}/oauth/token`,
      pushed_authorization_request_endpoint: `${ISSUER}/oauth/par`,
      introspection_endpoint: `${ISSUER}/oauth/introspect`,
      revocation_endpoint: `${ISSUER}/oauth/revoke`,
      jwks_uri: `${ISSUER}/oauth/jwks`,
      scopes_supported: APPLICATION_SCOPES,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    });
    for (const name of ['token', 'introspection', 'revocation', 'pushed_authorization_request']) {
      const path = new URL(metadata[`${name}_endpoint`] as string).pathname;
      expect((await post(app, path, {})).body.error).toBe('invalid_client');
    }
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('of the protected resource names this server (RFC 9728 §2)', async () => {
    const { app } = await newOAuthWorld();
    const answer = await app.request('/.well-known/oauth-protected-resource');
    expect(await answer.json()).toEqual({
      resource: ISSUER,
      resource_name: 'Docgraph',
      authorization_servers: [ISSUER],
      scopes_supported: SCOPES,
      bearer_methods_supported: ['header'],
    });
  });

  it('allows cross-origin requests of browser applications, except to endpoints with a cookie', async () => {
    const { app } = await newOAuthWorld();
    const preflight = (path: string) =>
      app.request(path, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://spa.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type',
        },
      });
    for (const path of ['/oauth/token', '/oauth/par', '/oauth/revoke']) {
      const { status, headers } = await preflight(path);
      expect([status, headers.get('access-control-allow-origin')]).toEqual([204, '*']);
      expect(headers.get('access-control-allow-headers')?.toLowerCase()).toContain('authorization');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
    for (const path of ['/oauth/authorize', '/oauth/apps', '/oauth/introspect'])
      expect((await preflight(path)).headers.get('access-control-allow-origin')).toBeNull();
  });
});
