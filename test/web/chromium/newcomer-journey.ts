import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { withPassword } from '../../support/browser.ts';
import { joinProject, newMember, newWorld } from '../../support/world.ts';
import { requestApproval } from './console-work.ts';
import { newPage, type Stage, signIn } from './stage.ts';

const MAX_CLICKS = 4;
const DOCUMENT = 'Piling plan.txt';

/** Somebody who has just joined an organization, at the first page of the console; each click is counted. */
async function arrive(stage: Stage) {
  const world = await newWorld(stage.world.db);
  const { db, organization, project } = world;
  const account = await withPassword(db, await newMember(db, organization.id, 'MEMBER'));
  await joinProject(db, project, account, 'EDITOR');
  const documentId = await requestApproval(world, { approverId: account.id, name: DOCUMENT });
  const { page, strays } = await newPage(stage);
  await signIn({ ...stage, account }, page, '/console');
  let clicks = 0;
  const click = async (role: 'link' | 'button', name: string) => {
    expect(++clicks).toBeLessThanOrEqual(MAX_CLICKS);
    await page.getByRole('main').getByRole(role, { name, exact: true }).first().click();
  };
  return { db, documentId, page, strays, click };
}

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

/** What somebody does in the console for the first time, who has read nothing about it. */
export function newcomerJourney(stageOf: () => Stage): void {
  let scene: Awaited<ReturnType<typeof arrive>>;

  beforeEach(async () => {
    scene = await arrive(stageOf());
  });

  it('finds a document and comments on it', async () => {
    const { page, strays, click } = scene;
    await page
      .getByRole('region', { name: 'Recently changed documents' })
      .getByRole('link', { name: DOCUMENT })
      .waitFor();
    await click('link', 'Harbor');
    await click('link', 'Quay');
    await click('link', DOCUMENT);
    await heading(page, DOCUMENT);
    await page.getByLabel('Your comment').fill('The third row is missing.');
    await click('button', 'Add the comment');
    await page.getByRole('region', { name: 'Comments' }).getByText('The third row is missing.').waitFor();
    expect(strays).toEqual([]);
  });

  it('approves what waits', async () => {
    const { db, documentId, page, strays, click } = scene;
    const part = page.getByRole('region', { name: 'Waiting for your approval' });
    await part.getByRole('link', { name: DOCUMENT }).waitFor();
    await click('link', DOCUMENT);
    await click('button', 'Approve');
    await page.getByRole('status').first().waitFor();
    expect(strays).toEqual([]);
    const approvals = await db.prisma.approval.findMany({
      where: { run: { documentId } },
      orderBy: { id: 'asc' },
    });
    expect(approvals.map(({ state }) => state)).toEqual(['APPROVED', 'PENDING']);
  });

  it('uploads a file that they choose', async () => {
    const { page, strays, click } = scene;
    await click('link', 'Harbor');
    await click('link', 'Quay');
    const chooser = page.waitForEvent('filechooser');
    await page.getByLabel(/^Upload: drop files/).click();
    const buffer = Buffer.from('high at noon');
    await (await chooser).setFiles([{ name: 'Tide.txt', mimeType: 'text/plain', buffer }]);
    await page
      .getByRole('status')
      .getByText(/upload/i)
      .first()
      .waitFor();
    await click('link', 'Tide.txt');
    await heading(page, 'Tide.txt');
    expect(strays).toEqual([]);
  });
}
