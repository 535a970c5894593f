import {
  OAuth2Client as BadgatewayClient,
  generateCodeVerifier as badgatewayVerifier,
} from '@badgateway/oauth2-client';
import {
  OAuth2Client as ArcticClient,
  CodeChallengeMethod,
  generateCodeVerifier,
  generateState,
} from 'arctic';
import * as openid from 'openid-client';
import { AuthorizationCode } from 'simple-oauth2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHALLENGE, listeningWorld, type TestClient, VERIFIER } from '../support/oauth.ts';

let world: Awaited<ReturnType<typeof listeningWorld>>;
beforeAll(async () => {
  world = await listeningWorld();
});
afterAll(() => world.close());

const both = [
  ['a confidential client', () => world.confidential],
  ['a public client', () => world.open],
] as const;

describe.each(both)('as %s', (_, client) => {
  it('openid-client completes the flow', async () => {
    const of = client();
    const config = await openid.discovery(
      new URL(world.url),
      of.id,
      of.secret ? { client_secret: of.secret } : undefined,
      of.secret ? undefined : openid.None(),
      { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] },
    );
    const pkceCodeVerifier = openid.randomPKCECodeVerifier();
    const expectedState = openid.randomState();
    const address = openid.buildAuthorizationUrl(config, {
      redirect_uri: of.redirectUri,
      scope: 'read write',
      state: expectedState,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    });
    const checks = { pkceCodeVerifier, expectedState };
    const tokens = await openid.authorizationCodeGrant(config, await world.approve(address), checks);
    const next = await openid.refreshTokenGrant(config, tokens.refresh_token as string);
    expect([await world.api(tokens.access_token), await world.api(next.access_token)]).toEqual([200, 200]);
    await openid.tokenRevocation(config, next.refresh_token as string);
    expect(await world.api(next.access_token)).toBe(401);
  });

  it('@badgateway/oauth2-client completes the flow', async () => {
    const { id, secret, redirectUri } = client();
    const of = new BadgatewayClient({
      server: world.url,
      clientId: id,
      clientSecret: secret,
      discoveryEndpoint: '/.well-known/oauth-authorization-server',
    });
    const codeVerifier = await badgatewayVerifier();
    const request = { redirectUri, state: 'st4te', codeVerifier };
    const address = await of.authorizationCode.getAuthorizeUri({ ...request, scope: ['read', 'write'] });
    const tokens = await of.authorizationCode.getTokenFromCodeRedirect(await world.approve(address), request);
    const next = await of.refreshToken(tokens);
    expect(await world.api(next.accessToken)).toBe(200);
    if (secret) expect(await of.introspect(next)).toMatchObject({ active: true });
    await of.revoke(next);
    expect(await world.api(next.accessToken)).toBe(401);
  });

  it('arctic completes the flow', async () => {
    const { id, secret, redirectUri } = client();
    const of = new ArcticClient(id, secret ?? null, redirectUri);
    const [state, verifier] = [generateState(), generateCodeVerifier()];
    const scopes = ['read', 'write'];
    const address = of.createAuthorizationURLWithPKCE(
      `${world.url}/oauth/authorize`,
      state,
      CodeChallengeMethod.S256,
      verifier,
      scopes,
    );
    const code = (await world.approve(address)).searchParams.get('code') as string;
    const tokens = await of.validateAuthorizationCode(`${world.url}/oauth/token`, code, verifier);
    expect([tokens.tokenType(), tokens.scopes()]).toEqual(['Bearer', scopes]);
    const next = await of.refreshAccessToken(`${world.url}/oauth/token`, tokens.refreshToken(), ['read']);
    expect([await world.api(next.accessToken()), next.scopes()]).toEqual([200, ['read']]);
    await of.revokeToken(`${world.url}/oauth/revoke`, next.accessToken());
    expect(await world.api(next.accessToken())).toBe(401);
  });

  it.for([
    'header',
    'body',
  ] as const)('simple-oauth2 completes the flow with its secret in the %s', async (method, { skip }) => {
    const of = client();
    skip(!of.secret && method === 'header', 'a public client has no secret');
    const auth = new AuthorizationCode({
      client: { id: of.id, secret: of.secret ?? '' },
      auth: {
        tokenHost: world.url,
        authorizePath: '/oauth/authorize',
        tokenPath: '/oauth/token',
        revokePath: '/oauth/revoke',
      },
      options: { authorizationMethod: method },
    });
    const tokens = await auth.getToken({
      code: await codeFor(auth, of),
      redirect_uri: of.redirectUri,
      ...({ code_verifier: VERIFIER } as object),
    });
    const next = await tokens.refresh();
    expect(await world.api(next.token.access_token as string)).toBe(200);
    await next.revokeAll();
    expect(await world.api(next.token.access_token as string)).toBe(401);
  });
});

async function codeFor(auth: AuthorizationCode, { redirectUri }: TestClient): Promise<string> {
  const address = auth.authorizeURL({
    redirect_uri: redirectUri,
    scope: ['read', 'write'],
    state: 'st4te',
    ...({ code_challenge: CHALLENGE, code_challenge_method: 'S256' } as object),
  });
  return (await world.approve(address)).searchParams.get('code') as string;
}
