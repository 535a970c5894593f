import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '../../src/http/listen.ts';
import { newApp, PASSWORD, withPassword } from '../support/browser.ts';
import { newWorld } from '../support/world.ts';

const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const there = existsSync(EXECUTABLE);
if (!there) console.warn(`There is no ${EXECUTABLE}: the tests in a real browser are skipped.`);

describe.runIf(there)('in a real browser', { timeout: 90_000 }, () => {
  let browser: Browser;
  let server: Awaited<ReturnType<typeof listen>>;
  let email: string;
  let key: string;
  let origin: string;

  beforeAll(async () => {
    const { db, owner } = await newWorld();
    ({ email, key } = await withPassword(db, owner));
    server = await listen(await newApp(db), { port: 0, host: '127.0.0.1' });
    origin = `http://127.0.0.1:${server.port}`;
    browser = await chromium.launch({ executablePath: EXECUTABLE, args: FLAGS });
  });

  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  /** A page in a browser of its own; `strays` are requests to others, and whatever the page complained of. */
  async function newPage(options: Parameters<Browser['newContext']>[0] = {}) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const strays: string[] = [];
    page.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin)
        strays.push(request.url());
    });
    page.on('pageerror', (error) => strays.push(error.message));
    page.on('console', (message) => {
      if (/Content.Security.Policy|worker/i.test(message.text())) strays.push(message.text());
    });
    return { page, strays, context };
  }

  async function signIn(page: Page): Promise<void> {
    await page.goto(`${origin}/graphql`);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  it('one signs in, runs the first example, and signs out, all from this server', async () => {
    const { page, strays, context } = await newPage();
    await signIn(page);
    await page.getByRole('button', { name: /execute query/i }).click();
    await page.locator('.graphiql-response').getByText('"Harbor"').waitFor();
    expect(await context.cookies()).toMatchObject([
      { name: 'docgraph_session', httpOnly: true, sameSite: 'Lax', path: '/' },
    ]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    expect(await context.cookies()).toEqual([]);
    await page.goto(`${origin}/graphql`);
    expect(new URL(page.url()).pathname).toBe('/sign-in');
    expect(strays).toEqual([]);
  });

  it('the schema is known to the editor, so it completes what one types', async () => {
    const { page } = await newPage();
    await signIn(page);
    await page.locator('.graphiql-query-editor .view-lines').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('{ viewer { emai', { delay: 40 });
    await page.locator('.suggest-widget').getByText('email').first().waitFor();
  });

  it('an API key works in the headers, and is not kept', async () => {
    const { page } = await newPage();
    await page.goto(`${origin}/sign-in`);
    await page.getByRole('link', { name: 'Continue with the key' }).click();
    // A double click selects the word under it: the place of the key, towards the end of the text.
    await page.locator('.graphiql-editor-tool .mtk6').dblclick({ position: { x: 120, y: 8 } });
    await page.keyboard.insertText(key);
    await page.getByRole('button', { name: /execute query/i }).click();
    await page.locator('.graphiql-response').getByText('"Harbor"').waitFor();
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('Bearer');
  });

  it('signing in takes nothing but the keyboard, and a fault takes one to its field', async () => {
    const { page, strays } = await newPage();
    await page.goto(`${origin}/sign-in`);
    const focus = () => page.evaluate('document.activeElement.id || document.activeElement.className');
    expect(await focus()).toBe('email');
    await page.keyboard.type(email);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await page.title()).toBe('Error: Sign in – Docgraph');
    expect(await focus()).toBe('note alarm');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await focus()).toBe('password');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${origin}/graphql`);
    expect(strays).toEqual([]);
  });

  it.each([
    ['light', { colorScheme: 'light' as const }],
    ['dark', { colorScheme: 'dark' as const }],
  ])('the screens are drawn in %s colours', async (name, options) => {
    const { page } = await newPage(options);
    await page.goto(`${origin}/sign-in`);
    const ground = (await page.evaluate('getComputedStyle(document.body).backgroundColor')) as string;
    const brightness = Math.max(...(ground.match(/\d+/g) ?? []).map(Number));
    expect(name === 'dark' ? brightness < 64 : brightness > 192).toBe(true);
  });

  it('the screens fit a phone, and what one taps is large enough for a finger', async () => {
    const { page } = await newPage({ viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true });
    for (const path of ['/sign-in', '/graphql?with=key']) {
      await page.goto(origin + path);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    }
    await page.goto(`${origin}/sign-in`);
    for (const each of await page.locator('input:not([type=hidden]), button').all())
      expect((await each.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  });

  it('the API reference leads to each of its parts, from a phone too, and loads nothing else', async () => {
    const { page, strays } = await newPage({
      viewport: { width: 320, height: 640 },
      isMobile: true,
      hasTouch: true,
    });
    await page.goto(`${origin}/api/v1/docs`);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    await page.getByRole('navigation').getByRole('link', { name: 'Documents', exact: true }).tap();
    await page.locator('#listDocuments').getByRole('link', { name: 'DocumentsPage' }).tap();
    await page.locator('#DocumentsPage').getByRole('link', { name: 'Document', exact: true }).tap();
    expect(await page.evaluate('document.querySelector(":target h3").textContent')).toBe('Document');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('navigation').getByRole('link', { name: 'Complete or deny a task' }).click();
    expect(new URL(page.url()).hash).toBe('#completeTask');
    expect(strays).toEqual([]);
  });

  it('another site cannot use the sign-in, even one so near that the cookie comes along', async () => {
    const { page, context } = await newPage();
    await signIn(page);
    await page.getByText('Signed in as').waitFor();
    const near = createServer((_, answer) => {
      answer.setHeader('content-type', 'text/html');
      answer.end(`<form method="post" action="${origin}/sign-out"><button>Win a prize</button></form>`);
    });
    await new Promise<void>((done) => near.listen(0, '127.0.0.1', done));
    const evil = await context.newPage();
    await evil.goto(`http://127.0.0.1:${(near.address() as AddressInfo).port}/`);
    const fetched = (credentials: 'include' | 'omit') =>
      evil.evaluate(
        async ([target, mode]) => {
          const body = '{"query":"{viewer{id}}"}';
          const headers = { 'content-type': 'application/json' };
          return (await fetch(`${target}/graphql`, { method: 'POST', headers, body, credentials: mode }))
            .status;
        },
        [origin, credentials] as const,
      );
    expect(await fetched('omit')).toBe(401);
    await expect(fetched('include')).rejects.toThrow('Failed to fetch');
    await evil.getByRole('button').click();
    await evil.getByText('The form was sent from another site').waitFor();
    await page.reload();
    await page.getByText('Signed in as').waitFor();
    await new Promise((done) => near.close(done));
  });
});
