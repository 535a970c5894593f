import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, launchChromium } from '../../scripts/chromium.ts';
import { listen } from '../../src/http/listen.ts';
import { type Account, newAccount, newApp } from '../support/browser.ts';
import { testDatabase } from '../support/database.ts';
import { freePort } from '../support/servers/processes.ts';
import { newPasskeyPage } from './chromium/passkey-page.ts';

describe.runIf(hasChromium)('passkeys in a real browser (needs Chromium)', { timeout: 120_000 }, () => {
  let browser: Browser;
  let server: Awaited<ReturnType<typeof listen>>;
  let origin: string;

  beforeAll(async () => {
    // The relying party is the host of PUBLIC_URL, which has to name the port.
    const port = await freePort();
    origin = `http://localhost:${port}`;
    const app = await newApp(await testDatabase(), { env: { PUBLIC_URL: origin } });
    server = await listen(app, { port, host: '127.0.0.1' });
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  /** A browser with an authenticator that verifies its user. `strays`: what the page complained of. */
  async function scene() {
    const { context, page, strays } = await newPasskeyPage(browser);
    return { context, page, strays, account: await newAccount(await testDatabase()) };
  }

  async function enterPassword(page: Page, { email, password }: Account): Promise<void> {
    await page.goto(`${origin}/sign-in?return_to=/account`);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  async function addPasskey(page: Page, name: string): Promise<void> {
    await page.goto(`${origin}/account/second-factors`);
    await page.getByLabel('Name of the passkey').fill(name);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
  }

  const cookieNames = async (context: BrowserContext) =>
    (await context.cookies()).map(({ name }) => name).sort();

  it('one is added, opens the account without a password, and is asked for after the password', async () => {
    const { context, page, strays, account } = await scene();
    await enterPassword(page, account);
    await page.waitForURL(`${origin}/account`);
    await addPasskey(page, 'Work laptop');
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    expect(await page.locator('.codes li').count()).toBe(10);
    await context.clearCookies();

    await page.goto(`${origin}/sign-in?return_to=/account`);
    await page.getByRole('button', { name: 'Use a passkey instead' }).click();
    await page.waitForURL(`${origin}/account`);
    await page.getByText('One passkey').waitFor();
    expect(await cookieNames(context)).toEqual(['docgraph_device', 'docgraph_session']);
    await context.clearCookies();

    await enterPassword(page, account);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL(`${origin}/account`);
    await page.goto(`${origin}/account/confirm?return_to=/account/second-factors`);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL(`${origin}/account/second-factors`);
    await page.getByText('Work laptop').first().waitFor();
    expect(strays).toEqual([]);
  });

  it('the same authenticator is not added twice, and a passkey is renamed and removed', async () => {
    const { page, account } = await scene();
    await enterPassword(page, account);
    await page.waitForURL(`${origin}/account`);
    await addPasskey(page, 'First');
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    await addPasskey(page, 'Second');
    await page.getByText('This device has a passkey for your account already.').waitFor();
    await page.getByText('Rename or remove').click();
    await page.getByLabel('New name').fill('Phone');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByText('Phone').first().waitFor();
    await page.getByText('Rename or remove').click();
    await page.getByRole('button', { name: 'Remove this passkey' }).click();
    await page.getByText('The passkey was removed.').waitFor();
    expect(await page.getByRole('heading', { name: 'Recovery codes' }).count()).toBe(0);
  });

  it('a browser without a passkey for the account says so, and stays on the page', async () => {
    const { page } = await scene();
    await page.goto(`${origin}/sign-in`);
    await page.getByRole('button', { name: 'Use a passkey instead' }).click();
    await page.getByText('Nothing was done').waitFor();
    expect(new URL(page.url()).pathname).toBe('/sign-in');
  });
});
