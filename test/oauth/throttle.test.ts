import type { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { ask, encode, type Form, newClient, newOAuthWorld, type TestClient } from '../support/oauth.ts';

const from = (address: string) => ({ incoming: { socket: { remoteAddress: address } } });

/** A form that comes from an address. */
const send = async (app: Hono, path: string, form: Form, address = '192.0.2.7') => {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: encode(form),
  };
  const answer = await app.request(path, init, from(address));
  return {
    status: answer.status,
    headers: answer.headers,
    body: (await answer.json()) as { error?: string },
  };
};

const introspect = (app: Hono, client: TestClient, secret = client.secret, address?: string) =>
  send(app, '/oauth/introspect', { token: 'dga_x', client_id: client.id, client_secret: secret }, address);

describe('the endpoints for clients', () => {
  it.each([
    '/oauth/token',
    '/oauth/introspect',
    '/oauth/revoke',
  ])('%s refuses a network that sends wrong secrets, and tells when to come back (RFC 6585 §4)', async (path) => {
    const { app, confidential } = await newOAuthWorld({ clientTries: 3 });
    const wrong = { token: 'x', grant_type: 'refresh_token', client_id: confidential.id, client_secret: 'x' };
    const tries = [];
    for (let index = 0; index < 5; index++) tries.push(await send(app, path, wrong));
    expect(tries.map(({ status }) => status)).toEqual([401, 401, 401, 429, 429]);
    const { headers, body } = tries[4] as (typeof tries)[0];
    expect(body).toEqual({ error: 'temporarily_unavailable', error_description: expect.any(String) });
    expect([headers.get('retry-after'), headers.get('cache-control')]).toEqual(['20', 'no-store']);
  });

  it('count the three as one, and a right secret not at all, however many come at once', async () => {
    const { app, confidential } = await newOAuthWorld({ clientTries: 3 });
    const right = await Promise.all(Array.from({ length: 20 }, () => introspect(app, confidential)));
    expect(new Set(right.map(({ status }) => status))).toEqual(new Set([200]));
    for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/introspect'])
      await send(app, path, { token: 'x', client_id: confidential.id, client_secret: 'x' });
    expect((await introspect(app, confidential)).status).toBe(429);
  });

  it('go on serving that client elsewhere, and other clients there', async () => {
    const { app, owner, organization, confidential } = await newOAuthWorld({ clientTries: 2 });
    const other = await newClient(owner, organization.id);
    for (let index = 0; index < 3; index++) await introspect(app, confidential, 'x');
    expect((await introspect(app, confidential, confidential.secret, '192.0.2.8')).status).toBe(200);
    expect((await introspect(app, other)).status).toBe(200);
    expect((await introspect(app, confidential)).status).toBe(429);
  });

  it('refuse a network that tries one client after the other, the whole /64 of an IPv6 one', async () => {
    const { app, confidential } = await newOAuthWorld({ clientTriesAddress: 4 });
    const guess = (index: number) =>
      send(app, '/oauth/token', { client_id: `app_${index}`, client_secret: 'x' }, `2001:db8::${index}`);
    const statuses = [];
    for (let index = 1; index <= 6; index++) statuses.push((await guess(index)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 429, 429]);
    expect((await introspect(app, confidential, undefined, '2001:db8::ff')).status).toBe(429);
    expect((await introspect(app, confidential, undefined, '2001:db8:0:1::1')).status).toBe(200);
  });

  it('do not count a refused grant: who refreshes twice is told so each time', async () => {
    const { app, open } = await newOAuthWorld({ clientTries: 2 });
    const form = { grant_type: 'refresh_token', refresh_token: 'dgr_x', client_id: open.id };
    const errors = [];
    for (let index = 0; index < 5; index++) errors.push((await send(app, '/oauth/token', form)).body.error);
    expect(errors).toEqual(Array(5).fill('invalid_grant'));
  });
});

describe('the authorization endpoint', () => {
  it('shows a network that asks too often a page that says when to come back, and redirects nobody', async () => {
    const { app, open } = await newOAuthWorld({ authorizeRequests: 3 });
    const visit = (address: string) =>
      app.request(`/oauth/authorize?${encode(ask(open))}`, {}, from(address));
    const answers = [];
    for (let index = 0; index < 4; index++) answers.push(await visit('192.0.2.7'));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 429]);
    const last = answers[3] as Response;
    expect([last.headers.get('retry-after'), last.headers.get('location')]).toEqual(['20', null]);
    expect(await last.text()).toContain('too many');
    expect((await visit('192.0.2.8')).status).toBe(303);
  });

  it('counts what is decided like what is asked', async () => {
    const { open, user } = await newOAuthWorld({ authorizeRequests: 2 });
    const page = await user.authorize(ask(open));
    expect((await user.decide(page, 'approve')).status).toBe(303);
    expect((await user.authorize(ask(open))).status).toBe(429);
  });
});
