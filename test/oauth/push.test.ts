import { describe, expect, it } from 'vitest';
import { fromNow } from '../../src/lib/time.ts';
import {
  ask,
  basic,
  browser,
  encode,
  type Form,
  ISSUER,
  newClient,
  newOAuthWorld,
  post,
  signedIn,
  type TestClient,
  VERIFIER,
} from '../support/oauth.ts';

const UNKNOWN = 'urn:ietf:params:oauth:request_uri:dgp_x';

async function setUp() {
  const world = await newOAuthWorld();
  const push = (client: TestClient, more: Form = {}, headers = {}) =>
    post(world.app, '/oauth/par', { ...ask(client), client_secret: client.secret, ...more }, headers);
  const pushed = async (client: TestClient, more: Form = {}) =>
    (await push(client, more)).body.request_uri as string;
  return { ...world, push, pushed };
}

const named = (client: TestClient, request_uri: string, more: Form = {}) => ({
  client_id: client.id,
  request_uri,
  ...more,
});

describe('a pushed authorization request', () => {
  it('is answered with a request_uri and its lifetime (50: RFC 9126 §2.2)', async () => {
    const { push, confidential, open } = await setUp();
    for (const client of [confidential, open]) {
      const { status, body, headers } = await push(client);
      expect([status, body, headers.get('cache-control')]).toEqual([
        201,
        {
          request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:dgp_[\w-]{43}$/),
          expires_in: 60,
        },
        'no-store',
      ]);
    }
    const header = { authorization: basic(confidential.id, confidential.secret as string) };
    expect((await push(confidential, { client_secret: undefined }, header)).status).toBe(201);
  });

  it('completes the flow with only client_id and request_uri in the URL (50: RFC 9126 §4)', async () => {
    const { pushed, user, redeem, confidential, open } = await setUp();
    for (const client of [confidential, open]) {
      const answer = await user.approve(named(client, await pushed(client)));
      expect([answer.searchParams.get('state'), answer.searchParams.get('iss')]).toEqual(['st4te', ISSUER]);
      const { status, body } = await redeem(client, answer.searchParams.get('code') as string);
      expect([status, body.scope]).toEqual([200, 'read write']);
    }
  });

  it('is not changed by other parameters of the authorization request (RFC 9126 §4)', async () => {
    const { pushed, user, redeem, confidential } = await setUp();
    const request_uri = await pushed(confidential, { scope: 'read' });
    const added = { scope: 'read write', redirect_uri: 'https://evil.example/', state: 'other' };
    const answer = await user.approve(named(confidential, request_uri, added));
    expect([answer.origin + answer.pathname, answer.searchParams.get('state')]).toEqual([
      confidential.redirectUri,
      'st4te',
    ]);
    const { body } = await redeem(confidential, answer.searchParams.get('code') as string);
    expect(body.scope).toBe('read');
  });

  it('can be reloaded until it is answered, and not after (50: RFC 9126 §4)', async () => {
    const { pushed, user, open } = await setUp();
    const request = named(open, await pushed(open));
    const [page, again] = [await user.authorize(request), await user.authorize(request)];
    expect([page.status, again.status]).toEqual([200, 200]);
    expect((await user.decide(again, 'approve')).headers.get('location')).toContain('code=dgc_');
    for (const late of [await user.decide(page, 'approve'), await user.authorize(request)]) {
      expect([late.status, late.headers.get('location')]).toEqual([400, null]);
      expect(await late.text()).toContain('invalid_request_uri');
    }
  });

  it('is also consumed by a refusal', async () => {
    const { pushed, user, open } = await setUp();
    const request = named(open, await pushed(open));
    const page = await user.authorize(request);
    const html = await page.text();
    const denied = await user.decide(new Response(html), 'deny');
    expect(denied.headers.get('location')).toContain('error=access_denied');
    const again = await user.decide(new Response(html), 'deny');
    expect(again.headers.get('location')).toBe(denied.headers.get('location'));
    expect((await user.decide(new Response(html), 'approve')).status).toBe(400);
  });

  it('issues one code for concurrent approvals', async () => {
    const { pushed, user, open } = await setUp();
    const html = await (await user.authorize(named(open, await pushed(open)))).text();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => user.decide(new Response(html), 'approve')),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
    expect(new Set(answers.map(({ headers }) => headers.get('location'))).size).toBe(1);
  });

  it('expires after a minute, or later if somebody opened it, so that they can sign in', async () => {
    const { app, db, owner, pushed, user, open } = await setUp();
    const where = { clientId: open.id };
    const late = await pushed(open);
    await db.prisma.pushedRequest.updateMany({ where, data: { expiresAt: fromNow(-1) } });
    expect((await user.authorize(named(open, late))).status).toBe(400);
    const request = named(open, await pushed(open));
    expect((await browser(app).authorize(request)).headers.get('location')).toBe(
      `/sign-in?return_to=${encodeURIComponent(`/oauth/authorize?${encode(request)}`)}`,
    );
    await db.prisma.pushedRequest.updateMany({ where, data: { expiresAt: fromNow(-1) } });
    const page = await browser(app, await signedIn(db, owner.id)).authorize(request);
    expect(page.status).toBe(200);
    const openedAt = fromNow(-599_000);
    await db.prisma.pushedRequest.updateMany({ where, data: { openedAt } });
    expect((await user.authorize(request)).status).toBe(200);
    expect(await db.prisma.pushedRequest.count({ where: { ...where, openedAt } })).toBe(2);
    await db.prisma.pushedRequest.updateMany({ where, data: { openedAt: fromNow(-600_001) } });
    expect((await user.decide(page, 'approve')).status).toBe(400);
  });

  it('is bound to its client, and an invalid one is answered only on a page (50: RFC 9126 §2.2)', async () => {
    const { pushed, user, confidential, open } = await setUp();
    const request_uri = await pushed(confidential);
    for (const request of [
      named(open, request_uri),
      { request_uri },
      named(confidential, UNKNOWN),
      named(confidential, 'https://evil.example/request'),
      named(confidential, '', ask(confidential)),
      { ...ask(confidential), request_uri: UNKNOWN },
    ]) {
      const answer = await user.authorize(request);
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    }
    const twice = `client_id=${confidential.id}&request_uri=${request_uri}&request_uri=${request_uri}`;
    expect((await user.request(twice)).status).toBe(400);
    expect((await user.authorize(named(confidential, request_uri))).status).toBe(200);
  });

  it('is validated again when it is opened', async () => {
    const { db, pushed, user, confidential } = await setUp();
    const request = named(confidential, await pushed(confidential));
    const data = { redirectUris: ['https://elsewhere.example/'] };
    await db.prisma.client.update({ where: { id: confidential.id }, data });
    expect((await user.authorize(request)).status).toBe(400);
  });

  it('is stored without secrets, and with a hash of its request_uri', async () => {
    const { db, pushed, confidential } = await setUp();
    const uri = await pushed(confidential, { code_verifier: VERIFIER });
    const rows = await db.prisma.pushedRequest.findMany({ where: { clientId: confidential.id } });
    const text = JSON.stringify(rows, (_, value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    );
    for (const secret of [confidential.secret as string, uri.split(':').at(-1) as string, VERIFIER])
      expect(text.includes(secret)).toBe(false);
  });

  it.each([
    ['no client', () => ({ client_id: undefined, client_secret: undefined }), [401, 'invalid_client']],
    ['a wrong secret', () => ({ client_secret: 'x' }), [401, 'invalid_client']],
    ['a request_uri', () => ({ request_uri: UNKNOWN }), [400, 'invalid_request']],
    ['another redirect_uri', () => ({ redirect_uri: 'https://evil.example/' }), [400, 'invalid_request']],
    ['no redirect_uri', () => ({ redirect_uri: undefined }), [400, 'invalid_request']],
    ['no state', () => ({ state: undefined }), [400, 'invalid_request']],
    ['another response_type', () => ({ response_type: 'token' }), [400, 'unsupported_response_type']],
    ['an unknown scope', () => ({ scope: 'x' }), [400, 'invalid_scope']],
    ['the method plain', () => ({ code_challenge_method: 'plain' }), [400, 'invalid_request']],
  ] as const)('is refused with %s, as the redirect would be (RFC 9126 §2.3)', async (_, more, expected) => {
    const { push, confidential } = await setUp();
    const { status, body, headers } = await push(confidential, more());
    expect([status, body.error, headers.get('cache-control')]).toEqual([...expected, 'no-store']);
  });

  it('is refused for a public client without a challenge, and for a client that names another one', async () => {
    const { app, owner, organization, push, confidential, open } = await setUp();
    const bare = { code_challenge: undefined, code_challenge_method: undefined };
    expect((await push(open, bare)).body.error).toBe('invalid_request');
    expect((await push(confidential, bare)).status).toBe(201);
    const other = await newClient(owner, organization.id);
    const header = { authorization: basic(other.id, other.secret as string) };
    expect((await post(app, '/oauth/par', ask(confidential), header)).body.error).toBe('invalid_request');
  });
});
