import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServiceAccount } from '../../src/domain/service-accounts/service-account.ts';
import { listeningWorld, type TestClient } from '../support/oauth.ts';

const HTTP = { [oauth.allowInsecureRequests]: true };

describe('oauth4webapi', () => {
  let world: Awaited<ReturnType<typeof listeningWorld>>;
  let server: oauth.AuthorizationServer;

  beforeAll(async () => {
    world = await listeningWorld();
    const issuer = new URL(world.url);
    const discovery = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...HTTP });
    server = await oauth.processDiscoveryResponse(issuer, discovery);
  });
  afterAll(() => world.close());

  async function flow(of: TestClient, auth: oauth.ClientAuth) {
    const client: oauth.Client = { client_id: of.id };
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const address = new URL(server.authorization_endpoint as string);
    for (const [name, value] of Object.entries({
      client_id: of.id,
      redirect_uri: of.redirectUri,
      response_type: 'code',
      scope: 'read write',
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }))
      address.searchParams.set(name, value);
    const callback = oauth.validateAuthResponse(server, client, await world.approve(address), state);
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      auth,
      callback,
      of.redirectUri,
      verifier,
      HTTP,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer);
    return { client, tokens };
  }

  it.each([
    [
      'a secret as Basic',
      () => ({ of: world.confidential, auth: oauth.ClientSecretBasic(world.confidential.secret as string) }),
    ],
    [
      'a secret in the form',
      () => ({ of: world.confidential, auth: oauth.ClientSecretPost(world.confidential.secret as string) }),
    ],
    ['no secret', () => ({ of: world.open, auth: oauth.None() })],
  ])('completes the flow with %s', async (_, make) => {
    const { of, auth } = make();
    const { client, tokens } = await flow(of, auth);
    expect(await world.api(tokens.access_token)).toBe(200);
    const refreshed = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, auth, tokens.refresh_token as string, HTTP),
    );
    expect(await world.api(refreshed.access_token)).toBe(200);
    const revoked = await oauth.revocationRequest(
      server,
      client,
      auth,
      refreshed.refresh_token as string,
      HTTP,
    );
    expect(await oauth.processRevocationResponse(revoked)).toBeUndefined();
    expect(await world.api(refreshed.access_token)).toBe(401);
  });

  it('gets a token for a service account, with no person', async () => {
    const { owner, confidential } = world;
    await createServiceAccount(await owner.context(), { clientId: confidential.id, role: 'MEMBER' });
    const client: oauth.Client = { client_id: confidential.id };
    const auth = oauth.ClientSecretBasic(confidential.secret as string);
    const answer = await oauth.clientCredentialsGrantRequest(server, client, auth, { scope: 'read' }, HTTP);
    const tokens = await oauth.processClientCredentialsResponse(server, client, answer);
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'read', expires_in: 3600 });
    expect(tokens.refresh_token).toBeUndefined();
    expect(await world.api(tokens.access_token)).toBe(200);
  });

  it('introspects', async () => {
    const auth = oauth.ClientSecretBasic(world.confidential.secret as string);
    const { client, tokens } = await flow(world.confidential, auth);
    const answer = await oauth.introspectionRequest(server, client, auth, tokens.access_token, HTTP);
    expect(await oauth.processIntrospectionResponse(server, client, answer)).toMatchObject({
      active: true,
      sub: world.owner.id,
      scope: 'read write',
    });
  });

  it.each([
    ['a confidential client', () => world.confidential],
    ['a public client', () => world.open],
  ])('pushes the authorization request of %s (RFC 9126)', async (_, make) => {
    const of = make();
    const client = { client_id: of.id };
    const auth = of.secret ? oauth.ClientSecretBasic(of.secret) : oauth.None();
    const verifier = oauth.generateRandomCodeVerifier();
    const parameters = {
      redirect_uri: of.redirectUri,
      response_type: 'code',
      scope: 'read',
      state: 's',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    };
    const { request_uri } = await oauth.processPushedAuthorizationResponse(
      server,
      client,
      await oauth.pushedAuthorizationRequest(server, client, auth, parameters, HTTP),
    );
    const address = new URL(server.authorization_endpoint as string);
    address.search = new URLSearchParams({ client_id: of.id, request_uri }).toString();
    const callback = oauth.validateAuthResponse(server, client, await world.approve(address), 's');
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      auth,
      callback,
      of.redirectUri,
      verifier,
      HTTP,
    );
    expect(await oauth.processAuthorizationCodeResponse(server, client, answer)).toMatchObject({
      scope: 'read',
    });
  });

  it('accepts the JWT as an RFC 9068 access token', async () => {
    const { tokens } = await flow(world.jwt, oauth.ClientSecretBasic(world.jwt.secret as string));
    const request = new Request(`${world.url}/x`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    const claims = await oauth.validateJwtAccessToken(server, request, world.url, HTTP);
    expect(claims).toMatchObject({ sub: world.owner.id, client_id: world.jwt.id, scope: 'read write' });
  });

  it('discovers the protected resource, and parses its challenge', async () => {
    const resource = new URL(world.url);
    const resourceMetadata = await oauth.resourceDiscoveryRequest(resource, HTTP);
    expect(await oauth.processResourceDiscoveryResponse(resource, resourceMetadata)).toMatchObject({
      authorization_servers: [world.url],
    });
    const refused = oauth.protectedResourceRequest(
      'dga_x',
      'GET',
      new URL(`${world.url}/api/v1/organizations`),
      undefined,
      null,
      HTTP,
    );
    await expect(refused).rejects.toMatchObject({
      cause: [{ scheme: 'bearer', parameters: { error: 'invalid_token' } }],
    });
  });

  it('parses the redirect after a denial', async () => {
    const address = new URL(server.authorization_endpoint as string);
    address.search = new URLSearchParams({
      client_id: world.open.id,
      redirect_uri: world.open.redirectUri,
      response_type: 'code',
      scope: 'everything',
      state: 's',
    }).toString();
    const answer = await world.approve(address);
    expect(() => oauth.validateAuthResponse(server, { client_id: world.open.id }, answer, 's')).toThrow(
      expect.objectContaining({ error: 'invalid_scope' }),
    );
  });
});
