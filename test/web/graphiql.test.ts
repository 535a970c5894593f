import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { PreparedExample } from '../../src/web/graphiql/examples.ts';
import { Browser, newApp, withPassword } from '../support/browser.ts';
import { newWorld } from '../support/world.ts';

interface Settings {
  files: string;
  examples: PreparedExample[];
  owner: string;
  headers?: string;
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

describe('GraphiQL', () => {
  it('redirects to the sign-in page without a session, and back, with the query in the address', async () => {
    const { app } = await scene();
    const { status, headers } = await new Browser(app).open('/graphql?query=%7Bviewer%7Bid%7D%7D');
    expect(status).toBe(302);
    const target = new URL(headers.get('location') as string, 'http://x').searchParams.get('return_to');
    expect(target).toBe('/graphql?query=%7Bviewer%7Bid%7D%7D');
  });

  it('opens with an API key instead, and then ignores the cookie', async () => {
    const { app } = await scene();
    const browser = new Browser(app);
    expect((await browser.open('/sign-in?return_to=%2Fgraphql')).text).toContain('href="/graphql?with=key"');
    const { status, text } = await browser.open('/graphql?with=key');
    expect(status).toBe(200);
    expect(settingsOf(text)).toMatchObject({ owner: 'key', headers: expect.stringContaining('Bearer dgk_') });
    expect(text).not.toContain('/sign-out');
  });

  it('allows its own scripts only, and no frames', async () => {
    const { browser } = await scene();
    const [one, other] = [await browser.open('/graphql'), await browser.open('/graphql')];
    const policy = one.headers.get('content-security-policy') as string;
    const nonce = /script-src 'nonce-([\w-]{22})';?/.exec(policy)?.[1];
    expect(policy).toMatch(/^default-src 'none';.*frame-ancestors 'none'; base-uri 'none'/);
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe/);
    expect([...one.text.matchAll(/<script nonce="([^"]+)"/g)].map((each) => each[1])).toEqual([nonce]);
    expect(other.text).not.toContain(nonce);
  });

  it('shows a name as text, also within the settings', async () => {
    const { db, browser, owner } = await scene();
    await db.prisma.user.update({
      where: { id: owner.id },
      data: { name: '</script><script>alert(1)</script>' },
    });
    expect((await browser.open('/graphql')).text).not.toContain('<script>alert');
  });

  it('serves its files itself, compressed if the browser accepts that, cached without limit under their version', async () => {
    const { app, browser } = await scene();
    const { files } = settingsOf((await browser.open('/graphql')).text);
    for (const name of [
      'graphiql.js',
      'graphiql.css',
      'editor.worker.js',
      'json.worker.js',
      'graphql.worker.js',
    ]) {
      const plain = await app.request(`${files}/${name}`);
      expect([name, plain.status, plain.headers.get('content-type')]).toEqual([
        name,
        200,
        expect.stringMatching(name.endsWith('.css') ? /^text\/css/ : /^text\/javascript/),
      ]);
      expect(plain.headers.get('cache-control')).toContain('immutable');
      const packed = await app.request(`${files}/${name}`, { headers: { 'accept-encoding': 'br, gzip' } });
      expect(packed.headers.get('content-encoding')).toBe('br');
      expect(brotliDecompressSync(await packed.arrayBuffer()).toString()).toBe(await plain.text());
    }
    expect((await app.request(`${files}/other.js`)).status).toBe(404);
    expect((await app.request('/graphql/assets/0000000000000000/graphiql.js')).status).toBe(404);
  });

  it('has examples with ids of the viewer only', async () => {
    const { browser, organization, project } = await scene();
    const { examples } = settingsOf((await browser.open('/graphql')).text);
    const variables = examples.map((each) => each.variables ?? '').join();
    expect(variables).toContain(organization.id);
    expect(variables).toContain(project.id);
    expect([...variables.matchAll(/(?:org|prj)_\w+/g)].map(([id]) => id)).toSatisfy((ids: string[]) =>
      ids.every((id) => id === organization.id || id === project.id),
    );
  });
});
