import { describe, expect, it } from 'vitest';
import { Browser, newApp, withPassword } from '../support/browser.ts';
import { newWorld } from '../support/world.ts';

async function scene() {
  const world = await newWorld();
  const app = await newApp(world.db);
  return { ...world, app, browser: new Browser(app) };
}

const WAYS = ['/console', '/graphql', '/api/v1/docs', '/docs'];

describe('the start page', () => {
  it('says what this is and where to go, without a sign-in', async () => {
    const { browser, organization } = await scene();
    const { status, text } = await browser.open('/');
    expect(status).toBe(200);
    for (const path of [...WAYS, '/sign-in?return_to=/']) expect(text).toContain(`href="${path}"`);
    expect(text).not.toContain(organization.id);
  });

  it('has the organizations of who is signed in, and those of nobody else', async () => {
    const { browser, db, organization, owner, stranger } = await scene();
    await browser.signIn(await withPassword(db, owner));
    expect((await browser.open('/')).text).toContain(organization.id);
    await browser.signIn(await withPassword(db, stranger));
    const { text } = await browser.open('/');
    expect(text).not.toContain(organization.id);
    for (const path of [...WAYS, '/account']) expect(text).toContain(`href="${path}"`);
  });

  it('has an icon in both formats', async () => {
    const { app } = await scene();
    const ico = Buffer.from(await (await app.request('/favicon.ico')).arrayBuffer());
    expect([ico.readUInt16LE(2), ico.readUInt16LE(4), ico.readUInt8(6)]).toEqual([1, 1, 32]);
    expect(ico.subarray(ico.readUInt32LE(18)).subarray(1, 4).toString()).toBe('PNG');
    expect(await (await app.request('/favicon.svg')).text()).toMatch(/^<svg /);
  });
});

describe('an address that people and programs try', () => {
  it('leads from /login to the sign-in, and back from there', async () => {
    const { app } = await scene();
    const answer = await app.request('/login?return_to=/console');
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/sign-in?return_to=/console']);
  });

  it('keeps search engines out at /robots.txt', async () => {
    const { app } = await scene();
    expect(await (await app.request('/robots.txt')).text()).toBe('User-agent: *\nDisallow: /\n');
  });
});

describe('an error', () => {
  const HTML = { accept: 'text/html,*/*;q=0.8' };

  it('is a page for a browser, with ways back and the request id', async () => {
    const { app } = await scene();
    for (const path of ['/nothing', '/docs/nothing', '/uploads/expired']) {
      const answer = await app.request(path, { headers: HTML });
      const text = await answer.text();
      const type = answer.headers.get('content-type');
      expect([path, answer.status >= 400, type]).toEqual([path, true, 'text/html; charset=utf-8']);
      expect(text).toContain(answer.headers.get('x-request-id') as string);
      expect(text).toContain('href="/"');
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    }
  });

  it('keeps its status and headers', async () => {
    const { app } = await scene();
    const answer = await app.request('/documents', { method: 'PATCH', headers: HTML });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([405, 'text/html; charset=utf-8']);
    expect(answer.headers.get('allow')).toContain('GET');
  });

  it('stays JSON for programs, and on the APIs', async () => {
    const { app } = await scene();
    for (const [path, headers] of [
      ['/nothing', { accept: 'application/json' }],
      ['/nothing', {}],
      ['/api/v1/nothing', HTML],
    ] as const) {
      const { headers: answered } = await app.request(path, { headers });
      expect([path, answered.get('content-type')]).toEqual([path, 'application/json']);
    }
  });
});
