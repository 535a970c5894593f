import { describe, expect, it } from 'vitest';
import { encode, hiddenFields, newOAuthWorld, signedIn } from '../support/oauth.ts';

async function newApps() {
  const world = await newOAuthWorld();
  const cookie = await signedIn(world.db, world.owner.id);
  const show = (query = '', headers: Record<string, string> = { cookie }) =>
    world.app.request(`/oauth/apps${query}`, { headers });
  const send = (form: Record<string, string | undefined>, headers: Record<string, string> = { cookie }) =>
    world.app.request('/oauth/apps', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: encode(form),
    });
  return { ...world, show, send };
}

describe('the list of authorized applications', () => {
  it('shows each with its scopes, and a button to revoke it', async () => {
    const { confidential, tokens, api, show, send } = await newApps();
    const { access_token } = await tokens();
    const html = await (await show()).text();
    expect(html).toContain('Planner');
    expect(html).toContain('in your name');
    const answer = await send(hiddenFields(html));
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/oauth/apps?revoked']);
    expect(await api(access_token)).toBe(401);
    const after = await (await show('?revoked')).text();
    expect(after).toContain('The access was revoked.');
    expect(after).toContain('No application has access');
    expect(after).not.toContain(confidential.id);
  });

  it('is not shown without a sign-in', async () => {
    const { show, send } = await newApps();
    for (const answer of [await show('', {}), await send({ client_id: 'x' }, {})])
      expect([answer.status, answer.headers.get('location')]).toEqual([
        303,
        '/sign-in?return_to=%2Foauth%2Fapps',
      ]);
  });

  it('refuses forms of another site or another sign-in', async () => {
    const { db, owner, stranger, tokens, api, show, send } = await newApps();
    const { access_token } = await tokens();
    const form = hiddenFields(await (await show()).text());
    const other = await signedIn(db, owner.id);
    const theirs = await signedIn(db, stranger.id);
    expect((await send(form, { cookie: other })).status).toBe(403);
    expect((await send(form, { cookie: theirs })).status).toBe(403);
    expect((await send({ ...form, form_token: undefined })).status).toBe(403);
    expect((await show('', { cookie: other })).status).toBe(200);
    const foreign = await signedIn(db, owner.id);
    const own = hiddenFields(await (await show('', { cookie: foreign })).text());
    expect((await send(own, { cookie: foreign, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await send(own, { cookie: foreign, origin: 'https://evil.example' })).status).toBe(403);
    expect(await api(access_token)).toBe(200);
  });

  it('answers a second press of the button like the first', async () => {
    const { tokens, show, send } = await newApps();
    await tokens();
    const form = hiddenFields(await (await show()).text());
    expect([(await send(form)).status, (await send(form)).status]).toEqual([303, 303]);
  });

  it('answers an invalid cursor on a page', async () => {
    const { show } = await newApps();
    expect((await show('?after=x')).status).toBe(400);
  });
});
