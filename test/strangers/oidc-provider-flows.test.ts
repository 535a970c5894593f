import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listeningWorld, newClient } from '../support/oauth.ts';
import { FLOWS, type Flow, INTROSPECTIONS, type Kind, type Side } from './oidc-provider-flows.ts';
import { PEER_CLIENTS, peerBrowser, startPeer } from './oidc-provider-peer.ts';

/** Results of node-oidc-provider that differ from this server, and which one is right. All others are equal. */
const DIFFERENT: Record<string, [theirs: unknown, why: string]> = {
  'asking again for what is allowed (open)': [
    false,
    'It trusts the client_id; RFC 8252 §8.6 does not: anyone can name a public client, so we always ask.',
  ],
  'a refresh for more': [
    [expect.objectContaining({ status: 400, error: 'invalid_scope', scope: 'write' }), 200],
    'It also names the scope that was too much; RFC 6749 §5.2 has no such member, and forbids none.',
  ],
  'a revocation by another client': [
    [expect.objectContaining({ status: 400, error: 'invalid_request' }), 200],
    'Both refuse (RFC 7009 §2.1); RFC 6749 §5.2 calls a token of another client invalid_grant.',
  ],
  'a revocation of what nobody knows': [
    [200, 'text/plain', null],
    'RFC 7009 §2.2 gives the body no meaning; ours is JSON, as some clients read no other.',
  ],
  'an introspection by another client': [
    true,
    'It tells every client that has a secret; RFC 7662 §2.1 lets a server tell only those it concerns, and we do.',
  ],
};

describe('node-oidc-provider and this server give the same for', () => {
  let docgraph: Side;
  let oidcProvider: Side;
  const close: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    const world = await listeningWorld();
    const peer = await startPeer();
    close.push(world.close, peer.close);
    docgraph = {
      url: world.url,
      paths: {
        authorize: '/oauth/authorize',
        token: '/oauth/token',
        introspect: '/oauth/introspect',
        revoke: '/oauth/revoke',
        par: '/oauth/par',
      },
      clients: { ...world, other: await newClient(world.owner, world.organization.id) },
      approve: world.decide,
    };
    oidcProvider = {
      url: peer.url,
      paths: {
        authorize: '/auth',
        token: '/token',
        introspect: '/token/introspection',
        revoke: '/token/revocation',
        par: '/request',
      },
      clients: PEER_CLIENTS,
      approve: peerBrowser(peer.url),
    };
  });
  afterAll(() => Promise.all(close.map((each) => each())));

  async function compare(name: string, flow: Flow, kind: Kind) {
    const [expected, actual] = await Promise.all([
      flow(docgraph, docgraph.clients[kind]),
      flow(oidcProvider, oidcProvider.clients[kind]),
    ]);
    const different = DIFFERENT[`${name} (${kind})`] ?? DIFFERENT[name];
    if (!different) return expect(actual).toEqual(expected);
    expect(actual).toEqual(different[0]);
    expect(actual).not.toEqual(expected);
  }

  const kinds: Kind[] = ['confidential', 'open'];
  it.each(
    Object.entries(FLOWS).flatMap(([name, flow]) => kinds.map((kind) => [name, kind, flow] as const)),
  )('%s (%s)', (name, kind, flow) => compare(name, flow, kind));

  it.each(Object.entries(INTROSPECTIONS))('an introspection %s', (name, flow) =>
    compare(`an introspection ${name}`, flow, 'confidential'));
});
