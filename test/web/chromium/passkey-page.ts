import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

interface PasskeyPage {
  context: BrowserContext;
  page: Page;
  /** What the page complained of. */
  strays: string[];
}

/** A page of a new browser context with an authenticator that verifies its user. */
export async function newPasskeyPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<PasskeyPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const strays: string[] = [];
  page.on('pageerror', (error) => strays.push(error.message));
  page.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text())) strays.push(message.text());
  });
  const cdp = await context.newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const authenticator = { protocol: 'ctap2', transport: 'internal' } as const;
  const abilities = { hasResidentKey: true, hasUserVerification: true, isUserVerified: true };
  await cdp.send('WebAuthn.addVirtualAuthenticator', { options: { ...authenticator, ...abilities } });
  return { context, page, strays };
}
