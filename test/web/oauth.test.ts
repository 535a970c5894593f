import type { AddressInfo } from 'node:net';
import { type ServerType, serve } from '@hono/node-server';
import { Hono } from 'hono';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, launchChromium } from '../../scripts/chromium.ts';
import { SCOPES, type Scope } from '../../src/domain/kernel/scope.ts';
import { SCOPE_TEXTS } from '../../src/domain/kernel/scope-text.ts';
import {
  ask,
  encode,
  type Form,
  listeningWorld,
  newClient,
  signedIn,
  type TestClient,
  VERIFIER,
} from '../support/oauth.ts';

/** An application's own site: its callback leads on to a page of it. */
function site(): Hono {
  const app = new Hono();
  app.get('/callback', (call) => call.redirect(`/done?${new URL(call.req.url).searchParams}`));
  app.get('/done', (call) => call.html('<h1>Back at the application</h1>'));
  app.get('/frame', (call) => call.html(`<iframe src="${call.req.query('src')}"></iframe>`));
  return app;
}

describe.runIf(hasChromium)('in a real browser (needs Chromium)', () => {
  let world: Awaited<ReturnType<typeof listeningWorld>>;
  let browser: Browser;
  let clientSite: ServerType;
  let home: string;
  let client: TestClient;

  beforeAll(async () => {
    world = await listeningWorld();
    clientSite = await new Promise<ServerType>((resolve) => {
      const server = serve({ fetch: site().fetch, port: 0, hostname: '127.0.0.1' }, () => resolve(server));
    });
    home = `http://localhost:${(clientSite.address() as AddressInfo).port}`;
    client = await newClient(world.owner, world.organization.id, { redirectUris: [`${home}/callback`] });
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser?.close();
    clientSite?.close();
    await world?.close();
  });

  /** A page in a browser of its own, in which the owner is signed in; and what the page complained of. */
  async function open(options: Parameters<Browser['newContext']>[0] = {}) {
    const context: BrowserContext = await browser.newContext(options);
    const value = (await signedIn(world.db, world.owner.id)).split('=')[1] as string;
    await context.addCookies([
      { name: 'docgraph_session', value, url: world.url, sameSite: 'Lax', httpOnly: true },
    ]);
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && message.location().url.startsWith(world.url))
        errors.push(message.text());
    });
    return { page, errors };
  }

  const start = (page: Page, more: Form = {}) =>
    page.goto(`${world.url}/oauth/authorize?${encode({ ...ask(client), ...more })}`);

  it('a user approves with the keyboard alone and arrives at the application, also after its own redirects', async () => {
    const fresh = await newClient(world.owner, world.organization.id, { redirectUris: [`${home}/callback`] });
    const { page, errors } = await open();
    await start(page, { client_id: fresh.id });
    expect(await page.title()).toBe('Allow Planner? – Docgraph');
    const approve = page.locator('button[name=decision][value=approve]');
    for (
      let presses = 0;
      presses < 10 && !(await approve.evaluate((it) => it === document.activeElement));
      presses++
    )
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Back at the application').waitFor();
    expect(page.url()).toMatch(new RegExp(`^${home}/done\\?code=dgc_[\\w-]{43}&state=st4te&iss=`));
    expect(errors).toEqual([]);
    await start(page, { client_id: fresh.id });
    expect(page.url()).toContain(`${home}/done?code=`);
  });

  it('a user denies, and the application gets access_denied', async () => {
    const { page } = await open();
    await start(page);
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('Back at the application').waitFor();
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied');
  });

  it.each([
    150, 200, 250, 300, 350, 450,
  ])('a second click on Allow after %s ms on a slow connection leads to a valid code', async (delay) => {
    const fresh = await newClient(world.owner, world.organization.id, { redirectUris: [`${home}/callback`] });
    const pushed = await fetch(`${world.url}/oauth/par`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: encode({ ...ask(fresh), client_secret: fresh.secret }),
    });
    const { request_uri } = (await pushed.json()) as { request_uri: string };
    const { page } = await open();
    await page.goto(`${world.url}/oauth/authorize?${encode({ client_id: fresh.id, request_uri })}`);
    const session = await page.context().newCDPSession(page);
    const slow = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
    await session.send('Network.emulateNetworkConditions', slow);
    const allow = await page.locator('button[name=decision][value=approve]').boundingBox();
    const [x, y] = [(allow?.x ?? 0) + 20, (allow?.y ?? 0) + 20];
    await page.mouse.click(x, y);
    await new Promise((resolve) => setTimeout(resolve, delay));
    await page.mouse.click(x, y);
    await page.getByText('Back at the application').waitFor();
    const code = new URL(page.url()).searchParams.get('code') as string;
    const redeemed = await fetch(`${world.url}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: encode({
        grant_type: 'authorization_code',
        code,
        redirect_uri: fresh.redirectUri,
        code_verifier: VERIFIER,
        client_id: fresh.id,
        client_secret: fresh.secret,
      }),
    });
    expect(redeemed.status).toBe(200);
  });

  it.each([
    ['phone', { width: 320, height: 640 }, 'light'],
    ['phone', { width: 320, height: 640 }, 'dark'],
    ['desktop', { width: 1280, height: 800 }, 'light'],
  ] as const)('one who goes back after Allow is led to the application on a %s (%o, %s)', async (kind, viewport, colorScheme) => {
    const { page, errors } = await open({ viewport, colorScheme });
    const name = 'A planner that has as many characters as it may be';
    const fresh = await newClient(world.owner, world.organization.id, {
      name,
      kind: 'PUBLIC',
      redirectUris: [`${home}/callback`],
    });
    const pushed = await fetch(`${world.url}/oauth/par`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: encode(ask(fresh)),
    });
    const { request_uri } = (await pushed.json()) as { request_uri: string };
    await page.goto(`${world.url}/oauth/authorize?${encode({ client_id: fresh.id, request_uri })}`);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByText('Back at the application').waitFor();
    await page.goBack();
    await page.getByText('This request has already been answered').waitFor();
    if (process.env.SHOTS)
      await page.screenshot({ path: `${process.env.SHOTS}/back-${kind}-${colorScheme}.png` });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      viewport.width,
    );
    await page.getByRole('link', { name: `Back to ${name}` }).click();
    await page.getByText('Back at the application').waitFor();
    expect(new URL(page.url()).searchParams.get('error')).toBe('invalid_request_uri');
    expect(errors.filter((error) => !error.includes('status of 400'))).toEqual([]);
  });

  it('the buttons of the consent stay on the screen with names of any length', async () => {
    const { page } = await open({ viewport: { width: 320, height: 568 } });
    const fresh = await newClient(world.owner, world.organization.id, { redirectUris: [`${home}/callback`] });
    const name = 'W'.repeat(255);
    await world.db.prisma.client.update({ where: { id: fresh.id }, data: { name } });
    await start(page, { client_id: fresh.id });
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/long-names.png` });
    for (const value of ['approve', 'deny']) {
      const box = await page.locator(`button[value=${value}]`).boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 1_000)).toBeLessThanOrEqual(568);
    }
  });

  it('lists what is asked for once, with what is dangerous apart, and Allow is on the screen of a phone', async () => {
    const { page, errors } = await open({ viewport: { width: 360, height: 740 } });
    const redirectUris = [`${home}/callback`];
    const wide = await newClient(world.owner, world.organization.id, { redirectUris, scopes: [...SCOPES] });
    const areas = SCOPES.filter((scope) => scope.includes(':'));
    for (const scopes of [areas, SCOPES]) {
      await start(page, { client_id: wide.id, scope: scopes.join(' ') });
      const shown = await page.locator('section > ul code').allTextContents();
      expect(shown).toEqual(scopes === areas ? areas : ['read', 'write', 'members:write']);
      const dangers = await page.locator('.note.alarm li').allTextContents();
      expect(dangers).toEqual(shown.flatMap((scope) => SCOPE_TEXTS[scope as Scope].danger ?? []));
      const box = await page.getByRole('button', { name: 'Allow' }).boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 1_000)).toBeLessThanOrEqual(740);
    }
    expect(errors).toEqual([]);
  });

  it('no other origin can frame the screen, even if the cookie were sent', async () => {
    const { page } = await open();
    const address = `${world.url}/oauth/authorize?${encode(ask(client))}`;
    const neighbour = home.replace('localhost', '127.0.0.1');
    await page.goto(`${neighbour}/frame?src=${encodeURIComponent(address)}`);
    const [, frame] = page.frames();
    expect([frame?.url(), await frame?.locator('button').count()]).toEqual([
      'chrome-error://chromewebdata/',
      0,
    ]);
  });

  it.each([
    'light',
    'dark',
  ] as const)('it fits a phone, and every text can be read, in %s colours', async (colorScheme) => {
    const { page, errors } = await open({ colorScheme, viewport: { width: 320, height: 640 } });
    const name = 'An application with a name that is long';
    const long = await newClient(world.owner, world.organization.id, {
      name,
      redirectUris: [`${home}/callback`],
    });
    await start(page, { client_id: long.id });
    if (process.env.SHOTS)
      await page.screenshot({ path: `${process.env.SHOTS}/${colorScheme}.png`, fullPage: true });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    expect(await page.locator('h1').count()).toBe(1);
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = (ground.match(/\d+/g) ?? []).map(Number).reduce((sum, part) => sum + part, 0) > 380;
    expect(light).toBe(colorScheme === 'light');
    expect(errors).toEqual([]);
  });

  it.each([
    ['an unknown application', { client_id: 'app_none' }, 'client_id does not name an application.'],
    ['an address that is not its own', { redirect_uri: 'https://evil.example/' }, 'redirect_uri is not'],
  ])('the page names %s, and neither redirects nor links to it', async (_, wrong, text) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, errors } = await open({ colorScheme, viewport: { width: 320, height: 640 } });
      expect((await start(page, wrong))?.status()).toBe(400);
      expect(new URL(page.url()).origin).toBe(world.url);
      expect(await page.title()).toMatch(/^Error: /);
      expect(await page.getByRole('main').textContent()).toContain(text);
      expect(await page.locator('a[href*=evil], form, button').count()).toBe(0);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
      // Chromium itself reports the status of the page that was asked for.
      expect(errors.filter((error) => !error.includes('status of 400'))).toEqual([]);
    }
  });

  it('a user revokes access with the keyboard alone, with visible focus', async () => {
    const fresh = await newClient(world.owner, world.organization.id, {
      name: 'Keys only',
      redirectUris: [`${home}/callback`],
    });
    await world.approve(`${world.url}/oauth/authorize?${encode(ask(fresh))}`);
    const { page } = await open();
    await page.goto(`${world.url}/oauth/apps`);
    const mine = page.getByRole('region', { name: 'Keys only' }).getByRole('button');
    for (let presses = 0; presses < 20; presses++) {
      await page.keyboard.press('Tab');
      if (await mine.evaluate((it) => it === document.activeElement)) break;
    }
    expect(await mine.evaluate((it) => getComputedStyle(it).outlineStyle)).toBe('solid');
    await page.keyboard.press('Enter');
    await page.getByText('The access was revoked.').waitFor();
    expect(await page.getByText('Keys only').count()).toBe(0);
  });

  it('a user revokes access in the list of applications', async () => {
    const { page, errors } = await open();
    await start(page);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByText('Back at the application').waitFor();
    await page.goto(`${world.url}/oauth/apps`);
    const before = await page.getByRole('button', { name: 'Revoke access' }).count();
    await page.getByRole('button', { name: 'Revoke access' }).first().click();
    await page.getByText('The access was revoked.').waitFor();
    expect(await page.getByRole('button', { name: 'Revoke access' }).count()).toBe(before - 1);
    expect(errors).toEqual([]);
  });
});
