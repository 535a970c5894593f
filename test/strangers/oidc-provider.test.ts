import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AUTHORIZE } from '../oauth/malformed/authorize-cases.ts';
import { TOKEN } from '../oauth/malformed/form-cases.ts';
import { ask, CALLBACK, encode, VERIFIER } from '../support/oauth.ts';
import { PEER_CLIENTS, startPeer } from './oidc-provider-peer.ts';

/** Answers of node-oidc-provider that differ from this server, and which one is right. All others are equal. */
const DIFFERENT: Record<string, [theirs: unknown, why: string]> = {
  'no redirect_uri': ['asks', 'It takes the only one registered; here the specification §5.1 requires it.'],
  'redirect_uri twice': [
    'invalid_request',
    'It redirects to one of the two; RFC 6749 §4.1.2.1 trusts neither.',
  ],
  'response_type token': [
    null,
    'It answers in the fragment, where the implicit flow would have; we have no such flow.',
  ],
  'response_type code code': [
    'asks',
    'It reads a set of words; RFC 6749 §3.1.1 knows no such extension value.',
  ],
  'response_mode fragment': ['asks', 'It supports the mode; we name `query` alone in our metadata.'],
  'no scope': ['asks', 'It goes on without one; here the specification §5.1 requires it.'],
  'an empty scope': ['asks', 'The same.'],
  'an unknown scope': ['asks', 'It drops what it does not know; the specification §7 has a code for that.'],
  'a comma in scope': ['asks', 'The same: one unknown name.'],
  'a scope of broken UTF-8': [
    'invalid_scope',
    'It reads U+FFFD; RFC 6749 appendix B makes the parameter unreadable.',
  ],
  'a state of broken UTF-8': ['asks', 'It would echo U+FFFD, which is not what it was sent.'],
  'a state that is too long': ['asks', 'The bound is ours.'],
  'a code with NUL': [[400, 'invalid_grant'], 'It looks the code up; RFC 6749 appendix A.11 allows no NUL.'],
  'no redirect_uri in a form': [
    [400, 'invalid_grant'],
    'It looks the code up first; either may be reported.',
  ],
  'a secret in the address': [
    [400, 'invalid_grant'],
    'It ignores it; RFC 6749 §2.3.1 forbids it, so we say so.',
  ],
  'a code in the address': [[400, 'invalid_grant'], 'The same.'],
  'a refresh with a bad scope': [
    [400, 'invalid_grant'],
    'It looks the token up first; either may be reported.',
  ],
  'no client': [
    [400, 'invalid_request'],
    'RFC 6749 §5.2: no client authentication included is invalid_client.',
  ],
  'a Basic of no base64': [[400, 'invalid_request'], 'RFC 6749 §5.2: who tried the header is answered 401.'],
  'a Basic without a colon': [[400, 'invalid_request'], 'The same.'],
  'a Basic with a bad escape': [[400, 'invalid_request'], 'The same.'],
  'a scheme that is not Basic': [[400, 'invalid_request'], 'The same.'],
  'a body that is too large': [[400, 'invalid_grant'], 'The bound is ours.'],
  'an introspection by a public client': [
    [200, undefined],
    'RFC 7662 §2.1: the endpoint MUST require authorization.',
  ],
  'a revocation without a client': [[400, 'invalid_request'], 'As `no client`.'],
};

const { confidential, open } = PEER_CLIENTS;

const PATHS: Record<string, string> = {
  token: '/token',
  introspect: '/token/introspection',
  revoke: '/token/revocation',
};

describe('node-oidc-provider with the same requests', () => {
  let peer: Awaited<ReturnType<typeof startPeer>>;
  let url: string;

  beforeAll(async () => {
    peer = await startPeer();
    url = peer.url;
  });
  afterAll(() => peer?.close());

  it.each(
    AUTHORIZE,
  )('answers an authorization request with %s as expected (%s)', async (fault, _, differ, behind, expected) => {
    const address = `${url}/auth?${encode(ask(open, differ))}${behind}`;
    const to = new URL(
      (await fetch(address, { redirect: 'manual' })).headers.get('location') ?? 'none:',
      url,
    );
    const asks = to.pathname.startsWith('/interaction');
    const actual = to.href.startsWith(CALLBACK) ? to.searchParams.get('error') : asks ? 'asks' : 'page';
    expect(actual).toEqual(fault in DIFFERENT ? DIFFERENT[fault]?.[0] : expected);
    expect(actual === expected).toBe(!(fault in DIFFERENT));
  });

  it.each(TOKEN)('answers a form with %s as expected (%s)', async (fault, _, differ, sending, expected) => {
    const of = { confidential, open };
    const { path = '/oauth/token', headers, behind = '' } = sending(of);
    const form = {
      grant_type: 'authorization_code',
      code: 'dgc_x',
      redirect_uri: CALLBACK,
      code_verifier: VERIFIER,
      client_id: confidential.id,
      client_secret: confidential.secret,
      ...differ(of),
    };
    const answer = await fetch(url + path.replace(/\/oauth\/(\w+)/, (_, name) => PATHS[name] as string), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: encode(form) + behind,
    });
    const actual = [answer.status, (JSON.parse((await answer.text()) || '{}') as { error?: string }).error];
    const name = fault === 'no redirect_uri' ? 'no redirect_uri in a form' : fault;
    expect(actual).toEqual(name in DIFFERENT ? DIFFERENT[name]?.[0] : expected);
    expect(actual.join() === expected.join()).toBe(!(name in DIFFERENT));
  });
});
