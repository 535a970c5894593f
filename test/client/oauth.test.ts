import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createClient,
  memoryTokens,
  OAuth,
  OAuthError,
  type OAuthOptions,
  storedTokens,
  type TokenStore,
  UnauthenticatedError,
} from '../../packages/client/src/index.ts';
import { memoryStorage } from '../../packages/client/src/oauth/tokens.ts';
import { listeningWorld } from '../support/oauth.ts';

let world: Awaited<ReturnType<typeof listeningWorld>>;
beforeAll(async () => {
  world = await listeningWorld({ refreshGrace: 20_000 });
});
afterAll(() => world.close());

/** Bodies of requests to the token endpoint. */
let grants: string[];
beforeEach(() => {
  grants = [];
});

const recording: typeof fetch = (input, init) => {
  if (String(input).endsWith('/oauth/token')) grants.push(String(init?.body));
  return fetch(input, init);
};

const newOAuth = (options: Partial<OAuthOptions> = {}) =>
  new OAuth({
    url: world.url,
    clientId: world.open.id,
    redirectUri: world.open.redirectUri,
    fetch: recording,
    ...options,
  });

async function signedIn(tokens: TokenStore = memoryTokens(), options: Partial<OAuthOptions> = {}) {
  const oauth = newOAuth({ tokens, ...options });
  const answer = await world.approve(await oauth.authorizeUrl());
  await oauth.handleCallback(answer.href);
  grants = [];
  return oauth;
}

/** As if an hour had passed. */
async function expire(tokens: TokenStore) {
  const stored = await tokens.get();
  if (!stored) throw new Error('There are no tokens.');
  await tokens.set({ ...stored, expiresAt: Date.now() - 1 });
}

const clientOf = (oauth: OAuth) => createClient({ url: world.url, oauth });
const VIEWER = '{ viewer { email } }';

describe('a sign-in', () => {
  it('leads to the address to return to, and to a client that acts for the person', async () => {
    const oauth = newOAuth();
    expect(await oauth.isSignedIn()).toBe(false);
    const answer = await world.approve(await oauth.authorizeUrl('/projects/7'));
    expect(oauth.isCallback(answer.href)).toBe(true);
    expect(await oauth.handleCallback(answer.href)).toEqual({ returnTo: '/projects/7' });
    expect(await oauth.isSignedIn()).toBe(true);
    expect(await clientOf(oauth).request(VIEWER)).toEqual({ viewer: { email: world.owner.email } });
  });

  it('asks for the scopes that the application names', async () => {
    const oauth = await signedIn(memoryTokens(), { scope: ['read'] });
    const mutation =
      'mutation { createOrganizations(input: { organizations: [{ name: "x" }] }) { organizations { id } } }';
    await expect(clientOf(oauth).request(mutation)).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
  });

  it('is accepted once, and only where it began', async () => {
    const oauth = newOAuth();
    const answer = await world.approve(await oauth.authorizeUrl());
    await expect(newOAuth().handleCallback(answer.href)).rejects.toMatchObject({ code: 'invalid_state' });
    await oauth.handleCallback(answer.href);
    await expect(oauth.handleCallback(answer.href)).rejects.toMatchObject({ code: 'invalid_state' });
    expect(grants).toHaveLength(1);
  });

  it.each([
    ['of another server', (answer: URL) => answer.searchParams.set('iss', 'https://evil.example')],
    ['without an issuer', (answer: URL) => answer.searchParams.delete('iss')],
  ])('is refused with an answer %s, before the code is sent', async (_, change) => {
    const oauth = newOAuth();
    const answer = await world.approve(await oauth.authorizeUrl());
    change(answer);
    await expect(oauth.handleCallback(answer.href)).rejects.toMatchObject({ code: 'invalid_issuer' });
    expect(grants).toEqual([]);
  });

  it('has the error that the server sends back', async () => {
    const oauth = newOAuth({ scope: ['everything'] });
    const answer = await world.approve(await oauth.authorizeUrl());
    expect(oauth.isCallback(answer.href)).toBe(true);
    const error = await oauth.handleCallback(answer.href).catch((each) => each);
    expect(error).toBeInstanceOf(OAuthError);
    expect(error.code).toBe('invalid_scope');
  });

  it('ends at the server when the person signs out', async () => {
    const tokens = memoryTokens();
    const oauth = await signedIn(tokens);
    const stored = await tokens.get();
    await oauth.signOut();
    expect(await tokens.get()).toBeUndefined();
    expect(await world.api(stored?.accessToken ?? '')).toBe(401);
    await expect(clientOf(oauth).request(VIEWER)).rejects.toBeInstanceOf(UnauthenticatedError);
  });
});

describe('an access token that has ended', () => {
  it('is replaced once for all requests at that time', async () => {
    const tokens = memoryTokens();
    const oauth = await signedIn(tokens);
    await expire(tokens);
    const client = clientOf(oauth);
    const results = await Promise.all(Array.from({ length: 20 }, () => client.request(VIEWER)));
    expect(new Set(results.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(grants).toHaveLength(1);
  });

  it('is replaced once for several tabs that share a store', async () => {
    const tokens = storedTokens(memoryStorage());
    const [first, second] = [await signedIn(tokens), newOAuth({ tokens })];
    await expire(tokens);
    const clients = [first, second, first, second].map(clientOf);
    await Promise.all(clients.map((client) => client.request(VIEWER)));
    expect(grants).toHaveLength(1);
  });

  it('is replaced when the server rejects it, and the request is sent again', async () => {
    const tokens = memoryTokens();
    const oauth = await signedIn(tokens);
    const stored = await tokens.get();
    if (stored) await tokens.set({ ...stored, accessToken: 'dga_ended' });
    const client = clientOf(oauth);
    await Promise.all(Array.from({ length: 5 }, () => client.request(VIEWER)));
    expect(grants).toHaveLength(1);
  });

  it('is replaced although an answer was lost, with REFRESH_GRACE_SECONDS', async () => {
    const tokens = memoryTokens();
    let lost = 0;
    const losing: typeof fetch = async (...call) => {
      const response = await recording(...call);
      if (!String(call[0]).endsWith('/oauth/token') || grants.length === 0 || lost++ > 0) return response;
      throw new TypeError('fetch failed');
    };
    const before = await signedIn(tokens);
    expect(await before.isSignedIn()).toBe(true);
    await expire(tokens);
    await clientOf(newOAuth({ tokens, fetch: losing })).request(VIEWER);
    expect(grants).toHaveLength(2);
    expect(await before.isSignedIn()).toBe(true);
  });

  it('ends the sign-in where the authorization was revoked', async () => {
    const tokens = memoryTokens();
    const oauth = await signedIn(tokens);
    await world.db.prisma.grant.updateMany({
      where: { clientId: world.open.id },
      data: { revokedAt: new Date() },
    });
    await expect(clientOf(oauth).request(VIEWER)).rejects.toBeInstanceOf(UnauthenticatedError);
    expect(await oauth.isSignedIn()).toBe(false);
  });
});
