import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IdentityProvider } from '../../src/auth/oidc/identity-provider.ts';
import { createServiceAccount } from '../../src/domain/service-accounts/service-account.ts';
import { listeningWorld, newClient, type TestClient } from '../support/oauth.ts';

let world: Awaited<ReturnType<typeof listeningWorld>>;
let confidential: TestClient;
let open: TestClient;
let jwt: TestClient;

beforeAll(async () => {
  world = await listeningWorld();
  const scopes = ['read' as const, 'openid' as const, 'profile' as const, 'email' as const];
  const register = (facts: object) => newClient(world.owner, world.organization.id, { scopes, ...facts });
  confidential = await register({});
  open = await register({ kind: 'PUBLIC' });
  jwt = await register({ tokenFormat: 'JWT' });
});
afterAll(() => world.close());

const kinds = [
  ['a confidential client', () => confidential],
  ['a public client', () => open],
  ['a client with JWT access tokens', () => jwt],
] as const;

/** openid-client as it is by default: it discovers openid-configuration and demands valid ID tokens. */
const configurationFor = ({ id, secret }: TestClient) =>
  openid.discovery(
    new URL(world.url),
    id,
    secret ? { client_secret: secret } : undefined,
    secret ? undefined : openid.None(),
    { execute: [openid.allowInsecureRequests, openid.enableNonRepudiationChecks] },
  );

async function requestFor(
  config: openid.Configuration,
  { redirectUri }: TestClient,
  more: Record<string, string> = {},
) {
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [openid.randomState(), openid.randomNonce()];
  const url = openid.buildAuthorizationUrl(config, {
    ...{
      redirect_uri: redirectUri,
      scope: 'openid profile email',
      state: expectedState,
      nonce: expectedNonce,
    },
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    ...more,
  });
  return { url, checks: { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true } };
}

describe.each(kinds)('openid-client as %s', (_, client) => {
  it('signs a person in, reads who they are, and refreshes', async () => {
    const config = await configurationFor(client());
    const { url, checks } = await requestFor(config, client(), { max_age: '3600' });
    const tokens = await openid.authorizationCodeGrant(config, await world.approve(url), {
      ...checks,
      maxAge: 3600,
    });
    const claims = tokens.claims();
    expect(claims?.sub).toBe(world.owner.id);
    const info = await openid.fetchUserInfo(config, tokens.access_token, claims?.sub as string);
    const { viewer } = await world.owner.context();
    expect(info).toEqual({
      ...{ sub: world.owner.id, name: viewer.name, email: viewer.email, email_verified: true },
    });
    expect(await world.api(tokens.access_token)).toBe(403);
    const next = await openid.refreshTokenGrant(config, tokens.refresh_token as string);
    expect(next.claims()).toMatchObject({ sub: world.owner.id, auth_time: claims?.auth_time });
  });

  it('refuses an answer to another request, by its nonce', async () => {
    const config = await configurationFor(client());
    const { url, checks } = await requestFor(config, client());
    const answer = await world.approve(url);
    const other = { ...checks, expectedNonce: openid.randomNonce() };
    await expect(openid.authorizationCodeGrant(config, answer, other)).rejects.toThrow();
  });

  it('gets the error of prompt=none for somebody who is not signed in', async () => {
    const config = await configurationFor(client());
    const { url, checks } = await requestFor(config, client(), { prompt: 'none' });
    const { headers } = await fetch(url, { redirect: 'manual' });
    const answer = new URL(headers.get('location') as string);
    await expect(openid.authorizationCodeGrant(config, answer, checks)).rejects.toMatchObject({
      error: 'login_required',
    });
  });
});

it('openid-client gets a token for a service account, and the reason where there is none', async () => {
  const config = await configurationFor(confidential);
  await expect(openid.clientCredentialsGrant(config)).rejects.toMatchObject({ error: 'unauthorized_client' });
  const account = { clientId: confidential.id, role: 'MEMBER' as const };
  await createServiceAccount(await world.owner.context(), account);
  const tokens = await openid.clientCredentialsGrant(config, { scope: 'read' });
  expect([tokens.scope, tokens.refresh_token, await world.api(tokens.access_token)]).toEqual([
    'read',
    undefined,
    200,
  ]);
});

it('openid-client pushes the request of a sign-in', async () => {
  const config = await configurationFor(confidential);
  const { url, checks } = await requestFor(config, confidential, { prompt: 'consent', max_age: '3600' });
  const pushed = await openid.buildAuthorizationUrlWithPAR(config, url.searchParams);
  const tokens = await openid.authorizationCodeGrant(config, await world.approve(pushed), checks);
  expect(tokens.claims()).toMatchObject({ nonce: checks.expectedNonce, azp: confidential.id });
});

it('another Docgraph signs people in with this one', async () => {
  const publicUrl = 'https://other.example';
  const client = await newClient(world.owner, world.organization.id, {
    scopes: ['openid', 'profile', 'email'],
    redirectUris: [`${publicUrl}/sign-in/oidc/callback`],
  });
  const settings = { issuer: world.url, clientId: client.id, clientSecret: client.secret };
  const provider = new IdentityProvider(settings, publicUrl);
  const answer = await world.approve(await provider.authorizationUrl('a secret of the browser'));
  const { viewer } = await world.owner.context();
  expect(await provider.claimsOf('a secret of the browser', answer.search.slice(1))).toEqual({
    issuer: world.url,
    subject: world.owner.id,
    email: viewer.email,
    isEmailVerified: true,
    name: viewer.name,
  });
});
