import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { OpenApi } from '../../src/lib/openapi.ts';
import { Browser, newApp, SAME, withPassword } from '../support/browser.ts';
import { testDatabase } from '../support/database.ts';
import { newWorld } from '../support/world.ts';

interface Settings {
  ids: Record<string, string>;
  pageToken?: string;
}

const settingsOf = (text: string): Settings =>
  JSON.parse(/<script type="application\/json" id="settings">(.*?)<\/script>/s.exec(text)?.[1] ?? '{}');

async function scene() {
  const world = await newWorld();
  const app = await newApp(world.db);
  const browser = new Browser(app);
  await browser.signIn(await withPassword(world.db, world.owner));
  return { ...world, app, browser };
}

const pageTokenOf = async (browser: Browser): Promise<string> =>
  settingsOf((await browser.open('/api/v1/docs')).text).pageToken as string;

describe('the API reference', () => {
  it('is served without a credential, beside the description for programs', async () => {
    const app = await newApp(await testDatabase());
    const docs = await app.request('/api/v1/docs');
    expect([docs.status, docs.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(settingsOf(await docs.text())).toEqual({ ids: {} });
    const json = await app.request('/api/v1/openapi.json');
    expect([json.status, json.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect((await json.json()) as OpenApi).toMatchObject({
      openapi: '3.1.1',
      servers: [{ url: 'http://docgraph.test/api/v1' }],
    });
  });

  it('runs only scripts of this server, and neither inline scripts nor inline styles', async () => {
    const { browser } = await scene();
    const { headers, text } = await browser.open('/api/v1/docs');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'self' 'sha256-[^']+'; img-src 'self' data:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'; script-src 'self'; connect-src 'self'$/,
    );
    expect(text).not.toMatch(/ style=| on\w+="|(?:src|href)="(?:https?:)?\/\//);
  });

  it('serves its files for good under their version, compressed', async () => {
    const { app, browser } = await scene();
    const { text } = await browser.open('/api/v1/docs');
    const paths = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path as string);
    expect(paths.map((path) => path.split('/').at(-1))).toEqual([
      'swagger-ui.css',
      'swagger-ui-bundle.js',
      'start.js',
    ]);
    for (const path of paths) {
      const { status, headers, ...file } = await app.request(path, { headers: { 'accept-encoding': 'br' } });
      expect([path, status, headers.get('content-encoding')]).toEqual([path, 200, 'br']);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(file).toBeDefined();
    }
    const packed = await app.request(paths[2] as string, { headers: { 'accept-encoding': 'br' } });
    expect(brotliDecompressSync(await packed.arrayBuffer()).toString()).toContain('SwaggerUIBundle');
    expect((await app.request('/assets/api-reference/0000000000000000/start.js')).status).toBe(404);
    expect((await app.request((paths[2] as string).replace('start.js', 'other.js'))).status).toBe(404);
  });

  it('fills in ids of who is signed in', async () => {
    const { browser, organization, project } = await scene();
    const { ids } = settingsOf((await browser.open('/api/v1/docs')).text);
    expect(ids).toEqual({ organizationId: organization.id, projectId: project.id });
  });

  it('shows a name as text', async () => {
    const { db, browser, owner } = await scene();
    const name = '</script><script>alert(1)</script>';
    await db.prisma.user.update({ where: { id: owner.id }, data: { name } });
    expect((await browser.open('/api/v1/docs')).text).not.toContain('<script>alert');
  });
});

describe('a REST request of the API reference', () => {
  it('runs as who is signed in, with the token of the page', async () => {
    const { browser, organization } = await scene();
    const headers = { ...SAME, 'Docgraph-Page-Token': await pageTokenOf(browser) };
    const read = await browser.send('/api/v1/organizations', { headers });
    expect(read.status).toBe(200);
    expect(JSON.parse(read.text).Organizations).toMatchObject([{ ID: organization.id }]);
    const written = await browser.send(`/api/v1/organizations/${organization.id}/projects`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify([{ Name: 'Quay' }]),
    });
    expect([written.status, JSON.parse(written.text)]).toMatchObject([200, [{ Name: 'Quay' }]]);
  });

  it('is refused from another site, without the token, with that of another session, and after the sign-out', async () => {
    const { browser, db, app, stranger } = await scene();
    const token = await pageTokenOf(browser);
    const other = new Browser(app);
    await other.signIn(await withPassword(db, stranger));
    const foreignToken = await pageTokenOf(other);
    const statusOf = async (headers: Record<string, string>) =>
      (await browser.send('/api/v1/organizations', { headers })).status;
    expect(await statusOf(SAME)).toBe(401);
    expect(await statusOf({ 'Docgraph-Page-Token': token })).toBe(401);
    expect(await statusOf({ 'sec-fetch-site': 'cross-site', 'Docgraph-Page-Token': token })).toBe(401);
    expect(await statusOf({ 'sec-fetch-site': 'same-site', 'Docgraph-Page-Token': token })).toBe(401);
    expect(await statusOf({ ...SAME, 'Docgraph-Page-Token': foreignToken })).toBe(403);
    expect(await statusOf({ ...SAME, 'Docgraph-Page-Token': '' })).toBe(403);
    await browser.post('/sign-out', { form_token: token });
    expect(await statusOf({ ...SAME, 'Docgraph-Page-Token': token })).toBe(401);
  });

  it('uses a key instead, if one is sent', async () => {
    const { browser, stranger } = await scene();
    const headers = { ...SAME, 'Docgraph-Page-Token': await pageTokenOf(browser) };
    const { text } = await browser.send('/api/v1/organizations', {
      headers: { ...headers, authorization: `Bearer ${stranger.key}` },
    });
    expect(JSON.stringify(JSON.parse(text))).not.toContain('Harbor');
    const wrong = { ...headers, authorization: 'Bearer dgk_wrong' };
    expect((await browser.send('/api/v1/organizations', { headers: wrong })).status).toBe(401);
  });

  it('may be answered from the cache for this session only', async () => {
    const { browser } = await scene();
    const headers = { ...SAME, 'Docgraph-Page-Token': await pageTokenOf(browser) };
    const answer = await browser.send('/api/v1/organizations', { headers });
    expect(answer.headers.get('vary')).toMatch(/\bCookie\b/);
  });
});
