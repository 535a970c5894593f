import { describe, expect, it } from 'vitest';
import { newId } from '../../../src/lib/id.ts';
import { ask, encode, type Form, signedIn, type TestClient } from '../../support/oauth.ts';
import { newPresentedWorld, picture } from './presented.ts';

const signInPath = (query: string) => `/sign-in?return_to=${encodeURIComponent(`/oauth/authorize?${query}`)}`;

describe('the sign-in page of an authorization request', () => {
  it('names the application, with its logo, escaped, also when the password was wrong', async () => {
    const { app, open, updated, confidential } = await newPresentedWorld();
    const { logoPath } = await updated({ name: '<b>Evil</b>', logo: await picture('png', 64, 64) });
    const page = await (await open(signInPath(encode(ask(confidential))))).text();
    const wrong = await app.request('/sign-in', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: encode({
        email: 'a@example.test',
        password: 'wrong',
        return_to: `/oauth/authorize?${encode(ask(confidential))}`,
      }),
    });
    expect(wrong.status).toBe(422);
    for (const html of [page, await wrong.text()]) {
      expect(html).toContain(
        'You go on to <bdi class="who">&lt;b&gt;Evil&lt;/b&gt;</bdi>, an application of',
      );
      expect(html).toContain(`src="${logoPath}"`);
      expect(html).not.toContain('<b>');
    }
  });

  it('names it for a pushed request, and to whoever is signed in', async () => {
    const { db, owner, open, confidential } = await newPresentedWorld();
    const pushed = encode({ client_id: confidential.id, request_uri: 'urn:ietf:params:oauth:request_uri:x' });
    const cookie = await signedIn(db, owner.id);
    const page = await (await open(signInPath(pushed), { cookie })).text();
    expect(page).toContain('You go on to <bdi class="who">Planner</bdi>');
    expect(page).toContain('You are signed in');
  });

  it('warns of a name that reads like the product, from before the rule against such names', async () => {
    const { db, open, confidential } = await newPresentedWorld();
    const data = { name: 'D\u043Ecgraph Security' };
    await db.prisma.client.update({ where: { id: confidential.id }, data });
    const page = await (await open(signInPath(encode(ask(confidential))))).text();
    expect(page).toContain('This application is not part of Docgraph');
  });

  it.each<[string, (client: TestClient) => string]>([
    ['an unknown application', (client) => encode({ ...ask(client), client_id: newId('Client') })],
    [
      'a name in the query',
      (client) => encode({ ...ask(client), client_id: 'Planner', name: 'Planner' } as Form),
    ],
    [
      'a redirect URI of somebody else',
      (client) => encode(ask(client, { redirect_uri: 'https://evil.example/' })),
    ],
    ['no redirect URI', (client) => encode(ask(client, { redirect_uri: undefined }))],
    ['two applications', (client) => `client_id=${newId('Client')}&${encode(ask(client))}`],
    ['a malformed id', (client) => `${encode(ask(client, { client_id: undefined }))}&client_id=app_%00`],
  ])('names nothing for %s', async (_, query) => {
    const { open, confidential } = await newPresentedWorld();
    const page = await open(signInPath(query(confidential)));
    expect([page.status, (await page.text()).includes('You go on to')]).toEqual([200, false]);
  });

  it('names nothing for other pages and deleted applications', async () => {
    const { db, open, confidential } = await newPresentedWorld();
    const query = encode(ask(confidential));
    for (const target of [
      `/console?${query}`,
      `/oauth/authorizex?${query}`,
      `//evil.example/oauth/authorize?${query}`,
    ])
      expect(await (await open(`/sign-in?return_to=${encodeURIComponent(target)}`)).text()).not.toContain(
        'You go on to',
      );
    await db.prisma.client.update({ where: { id: confidential.id }, data: { deletedAt: new Date() } });
    expect(await (await open(signInPath(query))).text()).not.toContain('You go on to');
  });
});
