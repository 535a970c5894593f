import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ask,
  CALLBACK,
  encode,
  type Form,
  listeningWorld,
  newClient,
  type TestClient,
  VERIFIER,
} from '../support/oauth.ts';
import { PEER_CLIENTS, peerBrowser, startPeer } from './oidc-provider-peer.ts';

interface Side {
  url: string;
  client: TestClient;
  paths: Record<'authorize' | 'token' | 'userinfo', string>;
  approve: (address: string) => Promise<URL>;
}

const request = ({ client }: Side, more: Form = {}) =>
  encode(ask(client, { scope: 'openid profile email', nonce: 'n1', ...more }));

const authorizeUrl = (side: Side, more?: Form) => `${side.url}${side.paths.authorize}?${request(side, more)}`;

/** What an application without a signed-in user gets. */
async function errorOf(side: Side, more: Form): Promise<string | null> {
  const { headers } = await fetch(authorizeUrl(side, more), { redirect: 'manual' });
  const to = new URL(headers.get('location') ?? 'none:', side.url);
  return to.href.startsWith(CALLBACK) ? to.searchParams.get('error') : 'page';
}

async function tokensOf(side: Side, more?: Form) {
  const code = (await side.approve(authorizeUrl(side, more))).searchParams.get('code') ?? '';
  const answer = await fetch(side.url + side.paths.token, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: encode({
      ...{ grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: VERIFIER },
      ...{ client_id: side.client.id, client_secret: side.client.secret },
    }),
  });
  return (await answer.json()) as { id_token: string; access_token: string };
}

const userInfo = (side: Side, init: RequestInit) => fetch(side.url + side.paths.userinfo, init);

describe('node-oidc-provider and this server give the same', () => {
  let sides: [ours: Side, theirs: Side];
  const close: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    const [world, peer] = [await listeningWorld(), await startPeer()];
    close.push(world.close, peer.close);
    const scopes = ['openid' as const, 'profile' as const, 'email' as const];
    const browser = peerBrowser(peer.url);
    sides = [
      {
        url: world.url,
        client: await newClient(world.owner, world.organization.id, { scopes }),
        paths: { authorize: '/oauth/authorize', token: '/oauth/token', userinfo: '/oauth/userinfo' },
        approve: world.approve,
      },
      {
        url: peer.url,
        client: PEER_CLIENTS.confidential,
        paths: { authorize: '/auth', token: '/token', userinfo: '/me' },
        approve: async (address) => (await browser(address)).answer,
      },
    ];
  });
  afterAll(() => Promise.all(close.map((each) => each())));

  const both = <Result>(get: (side: Side) => Promise<Result>) => Promise.all(sides.map(get));

  it.each<[string, Form]>([
    ['prompt=none without a session', { prompt: 'none' }],
    ['prompt=none beside another value', { prompt: 'none login' }],
    ['a max_age below 0', { max_age: '-1' }],
    ['a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }],
    ['a registration', { registration: '{}' }],
    ['a request that is right', {}],
    ['other locales and levels', { ui_locales: 'se', acr_values: '1', display: 'page' }],
  ])('error for %s', async (_, more) => {
    const [ours, theirs] = await both((side) => errorOf(side, more));
    expect(ours).toBe(theirs);
  });

  it('claims in the ID token, but for azp and at_hash, which are optional here and which it leaves out', async () => {
    const [ours, theirs] = await both(async (side) => {
      const { id_token } = await tokensOf(side, { max_age: '3600' });
      const { azp: _, at_hash: __, ...claims } = decodeJwt(id_token);
      const { alg } = decodeProtectedHeader(id_token);
      const own = { iss: claims.iss === side.url, aud: claims.aud === side.client.id, nonce: claims.nonce };
      return { alg, names: Object.keys(claims).sort(), ...own };
    });
    expect(ours).toEqual(theirs);
  });

  it('answers at the userinfo endpoint', async () => {
    const results = await both(async (side) => {
      const { access_token } = await tokensOf(side, { scope: 'openid' });
      const authorization = `Bearer ${access_token}`;
      const get = await userInfo(side, { headers: { authorization } });
      const form = { method: 'POST', body: new URLSearchParams({ access_token }) };
      const unknown = await userInfo(side, { headers: { authorization: 'Bearer none' } });
      return [
        [get.status, Object.keys((await get.json()) as object)],
        (await userInfo(side, { method: 'POST', headers: { authorization } })).status,
        (await userInfo(side, form)).status,
        [unknown.status, ((await unknown.json()) as { error: string }).error],
      ];
    });
    expect(results[0]).toEqual(results[1]);
  });
});
