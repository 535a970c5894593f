import pino from 'pino';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../../scripts/chromium.ts';
import { listen } from '../../../src/http/listen.ts';
import { UsageRecorder } from '../../../src/http/usage/usage-recorder.ts';
import { newApp, PASSWORD, withPassword } from '../../support/browser.ts';
import { newWorld } from '../../support/world.ts';

/** One browser and one server, which all tests of the pages share. */
export async function openStage() {
  const world = await newWorld();
  const account = await withPassword(world.db, world.owner);
  const usage = new UsageRecorder(world.db, pino({ level: 'silent' }));
  const server = await listen(await newApp(world.db, { usage }), { port: 0, host: '127.0.0.1' });
  const browser = await launchChromium();
  const origin = `http://127.0.0.1:${server.port}`;
  const close = () => browser.close().finally(() => server.close());
  return { world, account, browser, origin, usage, close };
}

export type Stage = Awaited<ReturnType<typeof openStage>>;
type Look = Parameters<Browser['newContext']>[0];

export const PHONE = { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true } satisfies Look;

/** A page with a session of its own; `strays` has requests to other servers, errors, and violations of the policy. */
export async function newPage({ browser, origin }: Stage, look: Look = {}) {
  const context = await browser.newContext(look);
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

/**
 * Signs in, and ends when the browser is at a path of this server. Until then requests of the page cannot be
 * intercepted: `page.route` does not apply to a page that is still on its way.
 */
export async function signIn(
  { origin, account }: Pick<Stage, 'origin' | 'account'>,
  page: Page,
  path = '/graphql',
): Promise<void> {
  await page.goto(`${origin}/sign-in?return_to=${encodeURIComponent(path)}`);
  await page.getByLabel('E-mail address').fill(account.email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(({ pathname }) => pathname !== '/sign-in', { waitUntil: 'commit' });
}
