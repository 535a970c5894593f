import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../../scripts/chromium.ts';
import { APPLICATION_SCOPES } from '../../src/domain/kernel/scope.ts';
import { updateClient } from '../../src/domain/oauth/clients/client-update.ts';
import { verifyApplication } from '../../src/domain/oauth/verification/verification.ts';
import { createProjects } from '../../src/domain/projects/project.ts';
import { picture } from '../oauth/presentation/presented.ts';
import { ask, encode, newClient } from '../support/oauth.ts';
import { violations } from './chromium/accessibility.ts';
import { newPage, openStage, type Stage, signIn } from './chromium/stage.ts';

const NAME = 'A planner that has as many characters as it may be';
const AREAS = APPLICATION_SCOPES.filter((scope) => scope.includes(':'));

/** The largest request: an application of another organization with the longest name, 16 scopes, and a user with 21 projects. */
async function largestRequest({ world }: Stage): Promise<string> {
  const { db, owner, stranger, organization } = world;
  const projects = Array.from({ length: 20 }, (_, n) => ({
    name: `Project ${n} with a name of some length`,
  }));
  await createProjects(await owner.context(), { organizationId: organization.id, projects });
  const theirs = await db.prisma.membership.findFirstOrThrow({ where: { userId: stranger.id } });
  const client = await newClient(stranger, theirs.organizationId, {
    name: NAME,
    scopes: [...APPLICATION_SCOPES],
    homePageUrl: 'https://a-planner-with-a-long-domain-of-its-own.example/',
    privacyUrl: 'https://privacy.example/',
  });
  await updateClient(await stranger.context(), { clientId: client.id, logo: await picture('png', 64, 64) });
  return encode(ask(client, { scope: [...AREAS, 'openid', 'profile', 'email'].join(' ') }));
}

/** The smallest: a verified application of the user's own organization. */
async function smallestRequest({ world: { db, owner, organization } }: Stage): Promise<string> {
  const client = await newClient(owner, organization.id, { name: 'Planner' });
  await verifyApplication(db, client.id, 'test');
  return encode(ask(client, { scope: 'read' }));
}

const LOOKS = [
  [{ width: 360, height: 740 }, 'light'],
  [{ width: 360, height: 740 }, 'dark'],
  [{ width: 390, height: 844 }, 'light'],
  [{ width: 1280, height: 800 }, 'light'],
  [{ width: 1280, height: 800 }, 'dark'],
] as const;

/** Writes a picture of the page where SHOTS names a folder. */
async function shoot(page: Page, name: string): Promise<void> {
  const width = page.viewportSize()?.width;
  const scheme = await page.evaluate(`matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'`);
  if (process.env.SHOTS)
    await page.screenshot({ path: `${process.env.SHOTS}/${name}-${width}-${scheme}.png` });
}

describe.runIf(hasChromium)('the consent page in a real browser (needs Chromium)', () => {
  let stage: Stage;
  let largest: string;
  let smallest: string;

  beforeAll(async () => {
    stage = await openStage();
    largest = await largestRequest(stage);
    smallest = await smallestRequest(stage);
  });

  afterAll(() => stage?.close());

  it.each(
    LOOKS,
  )('has both decisions on the screen, fits it, and axe finds nothing, at %o, %s', async (viewport, colorScheme) => {
    const { page, strays } = await newPage(stage, { viewport, colorScheme });
    await page.goto(`${stage.origin}/sign-in?return_to=${encodeURIComponent(`/oauth/authorize?${largest}`)}`);
    await page.getByText(`You go on to ${NAME}`).waitFor();
    expect(await violations(page)).toEqual([]);
    await shoot(page, 'sign-in');
    await signIn(stage, page, `/oauth/authorize?${largest}`);
    for (const [name, query] of [
      ['largest', largest],
      ['smallest', smallest],
    ] as const) {
      await page.goto(`${stage.origin}/oauth/authorize?${query}`);
      for (const button of ['Allow', 'Deny']) {
        const box = await page.getByRole('button', { name: button }).boundingBox();
        expect((box?.y ?? 0) + (box?.height ?? 10_000)).toBeLessThanOrEqual(viewport.height);
      }
      await shoot(page, name);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width);
      expect(await violations(page)).toEqual([]);
      await page.getByRole('link', { name: 'applications with access' }).scrollIntoViewIfNeeded();
      await shoot(page, `${name}-below`);
    }
    expect(strays).toEqual([]);
  });

  it('leads to another account, and names the present one', async () => {
    const { page } = await newPage(stage);
    await signIn(stage, page, `/oauth/authorize?${smallest}`);
    const account = page.getByRole('region', { name: 'Your account' });
    expect(await account.textContent()).toContain(stage.account.email);
    await account.getByRole('link', { name: 'Use another account' }).click();
    await page.getByRole('heading', { name: 'Sign in with another account' }).waitFor();
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Allow Planner to use your account?' }).waitFor();
  });

  it('does not let the focus hide behind the decision', async () => {
    const { page } = await newPage(stage, { viewport: { width: 360, height: 740 } });
    await signIn(stage, page, `/oauth/authorize?${largest}`);
    await page.getByLabel('Only where I choose').check();
    const top = (await page.locator('form.decision').boundingBox())?.y ?? 0;
    const link = page.getByRole('link', { name: 'applications with access' });
    for (let presses = 0; presses < 60; presses++) {
      await page.keyboard.press('Tab');
      const box = await page.evaluate<{ y: number; inForm: boolean }>(
        `({ y: document.activeElement.getBoundingClientRect().bottom, inForm: !!document.activeElement.closest('form.decision') })`,
      );
      if (!box.inForm) expect(box.y).toBeLessThanOrEqual(top + 1);
      if (await link.evaluate((it) => it === document.activeElement)) return;
    }
    throw new Error('The link was not reached.');
  });
});
