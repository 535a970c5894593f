import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, encode, listeningWorld, signedIn, type TestClient, VERIFIER } from '../support/oauth.ts';
import { call, LIST, negotiation, newProvider, REVISIONS } from './agent.ts';

let world: Awaited<ReturnType<typeof listeningWorld>>;

beforeAll(async () => {
  world = await listeningWorld();
});
afterAll(() => world.close());

/** An agent with an application that an organization registered. It keeps what it is given, and sends no `state`. */
const newAgent = (of: TestClient) =>
  newProvider(of.redirectUri, () => ({
    clientInformation: () => ({ client_id: of.id, ...(of.secret && { client_secret: of.secret }) }),
  }));

const newTransport = (authProvider: OAuthClientProvider) =>
  new StreamableHTTPClientTransport(new URL(`${world.url}/mcp`), { authProvider });

/** From the first refusal to a connected client, as the SDK goes about it. */
async function authorize(of: TestClient, revision: (typeof REVISIONS)[number] = '2026-07-28') {
  const { kept, provider } = newAgent(of);
  const newSdkClient = () => new Client({ name: 'agent', version: '1' }, negotiation(revision));
  const transport = newTransport(provider);
  const refusal = await newSdkClient()
    .connect(transport)
    .catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(UnauthorizedError);
  const url = kept.url as URL;
  await transport.finishAuth((await world.approve(url)).searchParams);
  const client = newSdkClient();
  await client.connect(newTransport(provider));
  return {
    client,
    url,
    kept,
    provider,
    tokens: kept.tokens as { access_token: string; refresh_token: string },
  };
}

describe.each(REVISIONS)('an agent of revision %s', (revision) => {
  it('discovers where to be authorized, is, and calls a tool', async () => {
    const { client, url, tokens } = await authorize(world.open, revision);
    const { answer } = await call(client, 'organizations.list', {});
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      resource: `${world.url}/mcp`,
      scope: 'organizations:read documents:read tasks:read',
    });
    expect(url.searchParams.has('state')).toBe(false);
    expect(answer.items).toHaveLength(1);
    expect(tokens).toMatchObject({ scope: 'organizations:read documents:read tasks:read' });
  });

  it('is asked for the scopes of a tool that it lacks, gets them, and calls it', async () => {
    const { client, kept, provider } = await authorize(world.confidential, revision);
    const list = { organizationId: world.organization.id };
    const refusal = await call(client, 'events.list', list).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(UnauthorizedError);
    const url = kept.url as URL;
    expect(url.searchParams.get('scope')).toContain('events:read');
    await newTransport(provider).finishAuth((await world.approve(url)).searchParams);
    const again = new Client({ name: 'agent', version: '1' }, negotiation(revision));
    await again.connect(newTransport(provider));
    expect((await call(again, 'events.list', list)).answer).toMatchObject({ untrusted: true });
  });
});

/** The answer of an address to a credential. */
const statusOf = async (path: string, token: string, body: object) =>
  (
    await fetch(`${world.url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(body),
    })
  ).status;

const everywhere = async (token: string) => ({
  mcp: await statusOf('/mcp', token, LIST),
  graphql: await statusOf('/graphql', token, { query: '{ viewer { name } }' }),
  rest: await world.api(token),
});

/** Tokens for these resources; the code is requested for `resource`. */
async function tokensFor(of: TestClient, resource: string[], more: Record<string, string> = {}) {
  const parameters = new URLSearchParams(encode(ask(of, { scope: 'read', ...more })));
  for (const uri of resource) parameters.append('resource', uri);
  const answer = await world.approve(`${world.url}/oauth/authorize?${parameters}`);
  return redeem(of, answer.searchParams.get('code') as string);
}

async function redeem(of: TestClient, code: string, more: Record<string, string> = {}) {
  const form = { grant_type: 'authorization_code', code, redirect_uri: of.redirectUri };
  return token({ ...form, code_verifier: VERIFIER, ...as(of), ...more });
}

const as = (of: TestClient) => ({ client_id: of.id, ...(of.secret && { client_secret: of.secret }) });

async function token(form: Record<string, string>) {
  const init = { method: 'POST', body: new URLSearchParams(form) };
  return (await fetch(`${world.url}/oauth/token`, init)).json();
}

describe('a token', () => {
  it('for /mcp is accepted there alone, before and after a refresh', async () => {
    const { confidential } = world;
    const first = await tokensFor(confidential, [`${world.url}/mcp`]);
    const refreshed = await token({
      ...{ grant_type: 'refresh_token', refresh_token: first.refresh_token },
      ...as(confidential),
    });
    expect(await everywhere(first.access_token)).toEqual({ mcp: 200, graphql: 401, rest: 401 });
    expect(await everywhere(refreshed.access_token)).toEqual({ mcp: 200, graphql: 401, rest: 401 });
  });

  it.each([
    ['no resource', []],
    ['the APIs', ['']],
    ['a page below /mcp', ['/mcp/other']],
  ])('for %s is accepted by both APIs, and not at /mcp', async (_, paths) => {
    const { access_token } = await tokensFor(
      world.confidential,
      paths.map((path) => `${world.url}${path}`),
    );
    expect(await everywhere(access_token)).toEqual({ mcp: 401, graphql: 200, rest: 200 });
  });

  it('for both is accepted by all; a refresh may narrow it, and not widen it', async () => {
    const { confidential } = world;
    const both = await tokensFor(confidential, [world.url, `${world.url}/mcp`]);
    const refresh = (refresh_token: string, resource: string) =>
      token({ grant_type: 'refresh_token', refresh_token, resource, ...as(confidential) });
    const narrow = await refresh(both.refresh_token, `${world.url}/mcp`);
    const plain = await tokensFor(confidential, []);
    expect(await everywhere(both.access_token)).toEqual({ mcp: 200, graphql: 200, rest: 200 });
    expect(await everywhere(narrow.access_token)).toEqual({ mcp: 200, graphql: 401, rest: 401 });
    expect(await refresh(plain.refresh_token, `${world.url}/mcp`)).toMatchObject({ error: 'invalid_target' });
  });

  it('as JWT, and in introspection, names /mcp as its audience', async () => {
    const { jwt, confidential } = world;
    const signed = await tokensFor(jwt, [`${world.url}/mcp`]);
    const opaque = await tokensFor(confidential, [`${world.url}/mcp`]);
    const body = new URLSearchParams({ token: opaque.access_token, ...as(confidential) });
    const seen = await (await fetch(`${world.url}/oauth/introspect`, { method: 'POST', body })).json();
    expect(decodeJwt(signed.access_token).aud).toBe(`${world.url}/mcp`);
    expect(await everywhere(signed.access_token)).toEqual({ mcp: 200, graphql: 401, rest: 401 });
    expect(seen).toMatchObject({ active: true, aud: `${world.url}/mcp` });
  });

  it('that was refused in the same moment at one address is not accepted at the other', async () => {
    const { access_token } = await tokensFor(world.confidential, [`${world.url}/mcp`]);
    const all = await Promise.all(Array.from({ length: 8 }, () => everywhere(access_token)));
    expect(new Set(all.map((each) => JSON.stringify(each)))).toEqual(
      new Set([JSON.stringify({ mcp: 200, graphql: 401, rest: 401 })]),
    );
  });
});

describe('an authorization request', () => {
  const errorOf = async (more: Record<string, string | undefined>, resource?: string) => {
    const parameters = ask(world.confidential, { scope: 'read', resource, ...more });
    const answer = await world.approve(`${world.url}/oauth/authorize?${encode(parameters)}`);
    return answer.searchParams.get('error');
  };

  it('may leave out state with PKCE for /mcp, and nowhere else', async () => {
    const forMcp = `${world.url}/mcp`;
    const withoutPkce = { code_challenge: undefined, code_challenge_method: undefined };
    expect(await errorOf({ state: undefined }, forMcp)).toBeNull();
    expect(await errorOf({ state: undefined })).toBe('invalid_request');
    expect(await errorOf({ state: undefined }, world.url)).toBe('invalid_request');
    expect(await errorOf({ state: undefined, ...withoutPkce }, forMcp)).toBe('invalid_request');
  });

  it('for a foreign resource is refused', async () => {
    expect(await errorOf({}, 'https://evil.example/mcp')).toBe('invalid_target');
    expect(await errorOf({}, `${world.url}.evil.example/mcp`)).toBe('invalid_target');
  });

  it('says on the page that the access is for agents', async () => {
    const cookie = await signedIn(world.db, world.owner.id);
    const parameters = ask(world.open, { scope: 'read', resource: `${world.url}/mcp` });
    const page = await fetch(`${world.url}/oauth/authorize?${encode(parameters)}`, { headers: { cookie } });
    expect(await page.text()).toContain(`<code>${world.url}/mcp</code>`);
  });
});

describe('the metadata', () => {
  it('of /mcp names its resource, and the least scopes', async () => {
    const metadata = await fetch(`${world.url}/.well-known/oauth-protected-resource/mcp`);
    expect(await metadata.json()).toMatchObject({
      resource: `${world.url}/mcp`,
      authorization_servers: [world.url],
      scopes_supported: ['organizations:read', 'documents:read', 'tasks:read'],
    });
  });
});
