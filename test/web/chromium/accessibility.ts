import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { consolePaths } from './console.ts';
import { newPage, PHONE, type Stage, signIn } from './stage.ts';

/** Parts of packages, whose authors test them. */
const FOREIGN = ['#swagger-ui', '#graphiql'];

const WITHOUT_SIGN_IN = [
  '/',
  '/sign-in',
  '/password/forgot',
  '/docs/README',
  '/docs/agents',
  '/docs/configuration',
  '/docs/errors',
  '/docs/tour',
  '/api/v1/docs',
  '/graphql?with=key',
  '/nothing',
  '/sign-out',
  '/password/reset/nothing',
  '/invitations/nothing/nothing',
  '/forms/nothing',
  '/oauth/authorize',
];
const SIGNED_IN = ['/', '/account', '/oauth/apps', '/sign-in', '/api/v1/docs', '/graphql'];

/** Opens a page, and waits until Swagger UI has rendered, if it is there. */
async function show(page: Page, url: string): Promise<void> {
  await page.goto(url);
  if (url.endsWith('/api/v1/docs')) await page.locator('#swagger-ui main').waitFor();
}

/** What axe finds, as `rule: selector`. `tag`: of the rules to run; all without it. */
export async function violations(page: Page, tag?: 'cat.color'): Promise<string[]> {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axe.source);
  return page.evaluate(
    async ({ exclude, tag }) => {
      // @ts-expect-error: axe is a global of the page.
      const { violations } = await globalThis.axe.run({ exclude }, tag ? { runOnly: [tag] } : {});
      return violations.flatMap(({ id, nodes }: axe.Result) => nodes.map(({ target }) => `${id}: ${target}`));
    },
    { exclude: FOREIGN.map((selector) => [selector]), tag },
  );
}

/** What axe finds in light colours, and in dark ones, in which a page differs by its colours alone. */
async function violationsInBoth(page: Page): Promise<string[]> {
  const inLight = await violations(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const inDark = await violations(page, 'cat.color');
  await page.emulateMedia({ colorScheme: 'light' });
  return [...inLight, ...inDark.map((each) => `dark: ${each}`)];
}

export function accessibilityTests(stageOf: () => Stage): void {
  it('axe finds nothing on the public pages, in light and dark', async () => {
    const stage = stageOf();
    const { page } = await newPage(stage, PHONE);
    for (const path of WITHOUT_SIGN_IN) {
      await show(page, stage.origin + path);
      expect([path, await violationsInBoth(page)]).toEqual([path, []]);
    }
  });

  it('axe finds nothing on the console on a phone, which it fits, in light and dark', async () => {
    const stage = stageOf();
    const { page, strays } = await newPage(stage, PHONE);
    await signIn(stage, page, '/console');
    for (const path of await consolePaths(stage)) {
      await show(page, stage.origin + path);
      const width = await page.evaluate('document.documentElement.scrollWidth');
      expect([path, await violationsInBoth(page), width]).toEqual([path, [], PHONE.viewport.width]);
    }
    expect(strays).toEqual([]);
  });

  it('the menu of the console is folded on a phone and opened by keyboard, and in sight on a wide screen', async () => {
    const stage = stageOf();
    const path = `/console/${stage.world.organization.id}`;
    const { page } = await newPage(stage, PHONE);
    await signIn(stage, page, path);
    const people = page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'People' });
    const summary = page.getByText('Menu', { exact: true });
    await summary.waitFor();
    expect(await people.isVisible()).toBe(false);
    await summary.focus();
    await page.keyboard.press('Enter');
    await people.waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.viewport.width);
    await page.setViewportSize({ width: 1280, height: 820 });
    expect(await summary.isVisible()).toBe(false);
    await page.reload();
    await people.click();
    await page.waitForURL(`**${path}/people`);
  });

  it('axe finds nothing on the pages of a person, in light and dark', async () => {
    const stage = stageOf();
    const { page } = await newPage(stage);
    await signIn(stage, page, '/account');
    for (const path of SIGNED_IN) {
      await show(page, stage.origin + path);
      expect([path, await violationsInBoth(page)]).toEqual([path, []]);
    }
  });
}
