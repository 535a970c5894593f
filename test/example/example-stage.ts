import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Hono } from 'hono';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../scripts/chromium.ts';
import { listen } from '../../src/http/listen.ts';
import { clientServer } from '../client/client-server.ts';
import { withPassword } from '../support/browser.ts';
import { newClient } from '../support/oauth.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const WEB = join(ROOT, 'examples/web');
const run = promisify(execFile);

const TYPES: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html' };

/** The built example on an origin of its own, and a server with a person who can sign in. */
export async function openExample() {
  const server = await clientServer();
  const account = await withPassword(server.db, server.owner);
  const redirectUris = ['http://127.0.0.1/callback'];
  const application = { kind: 'PUBLIC', native: true, name: 'Pocket Archive', redirectUris } as const;
  const client = await newClient(server.owner, server.organization.id, { ...application, redirectUris });
  await build({ VITE_DOCGRAPH_URL: server.url, VITE_CLIENT_ID: client.id });
  const files = new Hono().get('*', async (call) => {
    const path = extname(call.req.path) ? call.req.path : '/index.html';
    const type = TYPES[extname(path)] ?? 'application/octet-stream';
    return call.body(await readFile(join(WEB, 'dist', path)), 200, { 'content-type': type });
  });
  const { port, close } = await listen(files, { port: 0, host: '127.0.0.1' });
  const browser = await launchChromium();
  return {
    ...server,
    account,
    browser,
    origin: `http://127.0.0.1:${port}`,
    async close() {
      await browser.close();
      await close();
      await server.close();
    },
  };
}

export type Example = Awaited<ReturnType<typeof openExample>>;

/** As its readers build it. */
async function build(env: Record<string, string>) {
  await run('npm', ['run', '--silent', 'build'], { cwd: join(ROOT, 'packages/client') });
  if (!existsSync(join(WEB, 'node_modules')))
    await run('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: WEB });
  await run('npm', ['run', '--silent', 'build'], { cwd: WEB, env: { ...process.env, ...env } });
}

interface Size {
  width: number;
  height: number;
}

/** Signs in as the person, and returns the page with what went wrong on it. */
export async function signedInPage({ browser, origin, account }: Example, viewport: Size) {
  const page = await newPage(browser, viewport);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  await page.goto(origin);
  await page.getByRole('button', { name: 'Sign in with Docgraph' }).click();
  await page.locator('input[name=email]').fill(account.email);
  await page.locator('input[name=password]').fill(account.password);
  await page.locator('input[name=password]').press('Enter');
  await page.locator('button[value=approve]').click();
  await page.getByRole('heading', { name: /^Hello/ }).waitFor();
  return { page, faults };
}

/** A promise, and what resolves it. */
export function resolvable() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Limits what the page sends, in bytes per second; -1 for no limit. */
export async function limitUpload(page: Page, uploadThroughput: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const network = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput };
  await session.send('Network.emulateNetworkConditions', network);
}

/** What axe finds (WCAG 2.2 AA and best practices). */
export async function axeFaults(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(join(ROOT, 'node_modules/axe-core/axe.min.js'), 'utf8'));
  return page.evaluate(
    'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes[0].html))',
  );
}

async function newPage(browser: Browser, viewport: Size): Promise<Page> {
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  return page;
}
