import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../../scripts/chromium.ts';
import { PASSWORD } from '../support/browser.ts';
import { accessibilityTests } from './chromium/accessibility.ts';
import { apiReferenceTests } from './chromium/api-reference.ts';
import { applicationJourney } from './chromium/application-journey.ts';
import { graphiqlTests } from './chromium/graphiql.ts';
import { newcomerJourney } from './chromium/newcomer-journey.ts';
import { selectionEditorTests } from './chromium/selection-editor.ts';
import { newPage, openStage, PHONE, type Stage, signIn } from './chromium/stage.ts';
import { uploadTests } from './chromium/upload.ts';
import { verifyTests } from './chromium/verify.ts';

describe.runIf(hasChromium)('in a real browser (needs Chromium)', () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await openStage();
  });

  afterAll(() => stage?.close());

  describe('GraphiQL', () => graphiqlTests(() => stage));
  describe('the pages', () => accessibilityTests(() => stage));
  describe('the editor of a selection', () => selectionEditorTests(() => stage));
  describe('the API reference', () => apiReferenceTests(() => stage));
  describe('the page that checks sealed files', () => verifyTests(() => stage));
  describe('uploads in the console', () => uploadTests(() => stage));
  describe('the life of an application', () => applicationJourney(() => stage));
  describe('a newcomer to the console', () => newcomerJourney(() => stage));

  it('one signs in, runs the first example, and signs out, all from this server', async () => {
    const { page, strays, context } = await newPage(stage);
    await signIn(stage, page);
    await page.getByRole('button', { name: /execute query/i }).click();
    await page.locator('.graphiql-response').getByText('"Harbor"').waitFor();
    expect(await context.cookies()).toMatchObject([
      { name: 'docgraph_session', httpOnly: true, sameSite: 'Lax', path: '/' },
      { name: 'docgraph_device', httpOnly: true, sameSite: 'Lax', path: '/' },
    ]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    expect((await context.cookies()).map(({ name }) => name)).toEqual(['docgraph_device']);
    await page.goto(`${stage.origin}/graphql`);
    expect(new URL(page.url()).pathname).toBe('/sign-in');
    expect(strays).toEqual([]);
  });

  it('the search of the documentation loads its index at the next key after it failed', async () => {
    const { page } = await newPage(stage);
    await page.goto(`${stage.origin}/docs`);
    const index = await page.locator('form.search').getAttribute('data-index');
    let isDown = true;
    await page.route(
      (url) => url.pathname === index,
      (route) => (isDown ? route.abort() : route.continue()),
    );
    const input = page.locator('form.search input');
    // One key, so that no later load of this part is still under way when the message is shown.
    await input.pressSequentially('w');
    await page.getByText('The search cannot be loaded.').waitFor();
    isDown = false;
    await input.pressSequentially('ebhook');
    await page.getByText(/\d+ sections found\./).waitFor();
  });

  it('signing in takes nothing but the keyboard, and a fault takes one to its field', async () => {
    const { page, strays } = await newPage(stage);
    await page.goto(`${stage.origin}/sign-in`);
    const focus = () => page.evaluate('document.activeElement.id || document.activeElement.className');
    expect(await focus()).toBe('email');
    await page.keyboard.type(stage.account.email);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await page.title()).toBe('Error: Sign in – Docgraph');
    expect(await focus()).toBe('note alarm');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await focus()).toBe('password');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${stage.origin}/console`);
    expect(strays).toEqual([]);
  });

  it.each([
    ['light', { colorScheme: 'light' as const }],
    ['dark', { colorScheme: 'dark' as const }],
  ])('the screens are drawn in %s colours', async (name, options) => {
    const { page } = await newPage(stage, options);
    await page.goto(`${stage.origin}/sign-in`);
    const ground = (await page.evaluate('getComputedStyle(document.body).backgroundColor')) as string;
    const brightness = Math.max(...(ground.match(/\d+/g) ?? []).map(Number));
    expect(name === 'dark' ? brightness < 64 : brightness > 192).toBe(true);
  });

  it('the screens fit a phone, and what one taps is large enough for a finger', async () => {
    const { page } = await newPage(stage, PHONE);
    for (const path of ['/sign-in', '/graphql?with=key']) {
      await page.goto(stage.origin + path);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    }
    await page.goto(`${stage.origin}/sign-in`);
    for (const each of await page.locator('input:not([type=hidden]), button').all())
      expect((await each.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  });

  it('another site cannot use the sign-in, even one so near that the cookie comes along', async () => {
    const { page, context } = await newPage(stage);
    await signIn(stage, page);
    await page.getByText('Signed in as').waitFor();
    const near = createServer((_, answer) => {
      answer.setHeader('content-type', 'text/html');
      answer.end(`<form method="post" action="${stage.origin}/sign-out"><button>Win a prize</button></form>`);
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
        [stage.origin, credentials] as const,
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
