import type { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { ask, encode, type Form, newClient, newOAuthWorld, type TestClient } from '../support/oauth.ts';
import { sentFrom } from '../support/world.ts';

/** Sends a form from an address. */
const send = async (app: Hono, path: string, form: Form, address = '192.0.2.7') => {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: encode(form),
  };
  const answer = await app.request(path, init, sentFrom(address));
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
  ])('%s refuses a network that sends wrong secrets, with Retry-After (RFC 6585 §4)', async (path) => {
    const { app, confidential } = await newOAuthWorld({ clientTries: 3 });
    const wrong = { token: 'x', grant_type: 'refresh_token', client_id: confidential.id, client_secret: 'x' };
    const tries = [];
    for (let index = 0; index < 5; index++) tries.push(await send(app, path, wrong));
    expect(tries.map(({ status }) => status)).toEqual([401, 401, 401, 429, 429]);
    const { headers, body } = tries[4] as (typeof tries)[0];
    expect(body).toEqual({ error: 'temporarily_unavailable', error_description: expect.any(String) });
    expect([headers.get('retry-after'), headers.get('cache-control')]).toEqual(['20', 'no-store']);
  });

  it('accept the right secret after and beside any number of wrong ones', async () => {
    const { app, confidential } = await newOAuthWorld({ clientTries: 3, clientTriesAddress: 5 });
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        introspect(app, confidential, index % 2 ? confidential.secret : 'dgb_wrong'),
      ),
    );
    const statuses = (of: number) =>
      answers.filter((_, index) => index % 2 === of).map(({ status }) => status);
    expect(new Set(statuses(1))).toEqual(new Set([200]));
    expect(statuses(0).sort()).toEqual([...Array(3).fill(401), ...Array(17).fill(429)]);
  });

  it('share one limit', async () => {
    const { app, confidential } = await newOAuthWorld({ clientTries: 3 });
    for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/introspect'])
      await send(app, path, { token: 'x', client_id: confidential.id, client_secret: 'x' });
    expect((await introspect(app, confidential, 'x')).status).toBe(429);
  });

  it('still answer invalid_client to the client from other networks, and to other clients from that network', async () => {
    const { app, owner, organization, confidential } = await newOAuthWorld({ clientTries: 2 });
    const other = await newClient(owner, organization.id);
    for (let index = 0; index < 3; index++) await introspect(app, confidential, 'x');
    expect((await introspect(app, confidential, 'x', '192.0.2.8')).status).toBe(401);
    expect((await introspect(app, other, 'x')).status).toBe(401);
    expect((await introspect(app, confidential, 'x')).status).toBe(429);
  });

  it('refuse a network that tries many clients, for IPv6 the whole /64', async () => {
    const { app, confidential } = await newOAuthWorld({ clientTriesAddress: 4 });
    const guess = (index: number) =>
      send(app, '/oauth/token', { client_id: `app_${index}`, client_secret: 'x' }, `2001:db8::${index}`);
    const statuses = [];
    for (let index = 1; index <= 6; index++) statuses.push((await guess(index)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 429, 429]);
    expect((await introspect(app, confidential, 'x', '2001:db8::ff')).status).toBe(429);
    expect((await introspect(app, confidential, 'x', '2001:db8:0:1::1')).status).toBe(401);
    expect((await introspect(app, confidential, undefined, '2001:db8::ff')).status).toBe(200);
  });

  it('accept the right refresh token after many wrong ones', async () => {
    const { app, open, tokens } = await newOAuthWorld({ clientTries: 2 });
    const { refresh_token } = await tokens(open);
    const form = { grant_type: 'refresh_token', client_id: open.id };
    for (let index = 0; index < 5; index++)
      await send(app, '/oauth/token', { ...form, refresh_token: `dgr_${index}` });
    expect((await send(app, '/oauth/token', { ...form, refresh_token })).status).toBe(200);
  });

  it('do not count a refused grant, so that each reuse gets the same answer', async () => {
    const { app, open } = await newOAuthWorld({ clientTries: 2 });
    const form = { grant_type: 'refresh_token', refresh_token: 'dgr_x', client_id: open.id };
    const errors = [];
    for (let index = 0; index < 5; index++) errors.push((await send(app, '/oauth/token', form)).body.error);
    expect(errors).toEqual(Array(5).fill('invalid_grant'));
  });
});

describe('the authorization endpoint', () => {
  it('answers too many requests of a network with a page and Retry-After, without a redirect', async () => {
    const { app, open } = await newOAuthWorld({ authorizeRequests: 3 });
    const visit = (address: string) =>
      app.request(`/oauth/authorize?${encode(ask(open))}`, {}, sentFrom(address));
    const answers = [];
    for (let index = 0; index < 4; index++) answers.push(await visit('192.0.2.7'));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 429]);
    const last = answers[3] as Response;
    expect([last.headers.get('retry-after'), last.headers.get('location')]).toEqual(['20', null]);
    expect(await last.text()).toContain('Too many');
    expect((await visit('192.0.2.8')).status).toBe(303);
  });

  it('counts decisions like requests', async () => {
    const { open, user } = await newOAuthWorld({ authorizeRequests: 2 });
    const page = await user.authorize(ask(open));
    expect((await user.decide(page, 'approve')).status).toBe(303);
    expect((await user.authorize(ask(open))).status).toBe(429);
  });
});
