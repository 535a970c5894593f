import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { newDocuments } from '../../support/storage.ts';
import { violations } from './accessibility.ts';
import { newPage, PHONE, type Stage, signIn } from './stage.ts';

const pathOf = ({ organization, project }: Stage['world']) =>
  `/console/${organization.id}/projects/${project.id}`;

/** Drops files, each by its name and its size in bytes, on the page. */
const drop = (page: Page, files: Record<string, number>) =>
  page.evaluate((sizes) => {
    const dataTransfer = new DataTransfer();
    for (const [name, size] of Object.entries(sizes))
      dataTransfer.items.add(new File([new Uint8Array(size)], name, { lastModified: 1 }));
    for (const type of ['dragover', 'drop'])
      dispatchEvent(new DragEvent(type, { dataTransfer, cancelable: true }));
  }, files);

/** Where files are chosen: hidden until the script of the page takes them, and without focus until then. */
const inputOf = (page: Page) => page.getByLabel(/: drop (files|a file) on the page/);

/** A page that takes files, open in a browser. */
async function openAt(stage: Stage, path: string, look = {}) {
  const opened = await newPage(stage, look);
  await signIn(stage, opened.page, path);
  await inputOf(opened.page).waitFor();
  return opened;
}

export function uploadTests(stageOf: () => Stage): void {
  it('files that are dropped on the page become documents, which it then lists', async () => {
    const stage = stageOf();
    const { page, strays } = await openAt(stage, pathOf(stage.world));
    await drop(page, { 'One.bin': 3_000_000, 'Two.bin': 10, 'Empty.bin': 0 });
    await page.waitForURL('**?done=uploaded');
    for (const name of ['One.bin', 'Two.bin', 'Empty.bin'])
      await page.getByRole('link', { name, exact: true }).waitFor();
    await page.getByText('File · 3.0 MB').waitFor();
    expect(strays).toEqual([]);
  });

  it('files are chosen by keyboard, on a phone and in a folder, and a lost connection is waited for', async () => {
    const stage = stageOf();
    const { owner, project } = stage.world;
    const mutation = `mutation ($input: CreateFoldersInput!) { createFolders(input: $input) { folders { id } } }`;
    const input = { projectId: project.id, folders: [{ name: `Uploads ${Date.now()}` }] };
    const folderId: string = (await owner.graph(mutation, { input })).data.createFolders.folders[0].id;
    const { page, strays } = await openAt(stage, `${pathOf(stage.world)}/folders/${folderId}`, PHONE);
    let cut = 2;
    await page.route('**/uploads/**', (route) => (cut-- > 0 ? route.abort() : route.continue()));
    // First: the browser has learned that the test takes choosers once it answers, and a key may overtake that.
    const chooser = page.waitForEvent('filechooser');
    await inputOf(page).focus();
    await page.keyboard.press('Space');
    await (await chooser).setFiles([
      { name: 'Tide.txt', mimeType: 'text/plain', buffer: Buffer.from('high') },
    ]);
    await page.waitForURL('**?done=uploaded');
    await page.getByRole('link', { name: 'Tide.txt', exact: true }).waitFor();
    expect(strays).toEqual([]);
    const [document] = await stage.world.db.prisma.document.findMany({ where: { folderId } });
    expect(document).toMatchObject({ name: 'Tide.txt', size: 4n });
  });

  it('a file that was partly sent when the page was closed continues there', async () => {
    const stage = stageOf();
    const { page, context } = await openAt(stage, pathOf(stage.world));
    let pieces = 0;
    await page.route('**/uploads/**', (route) =>
      route.request().headers()['content-range'] && pieces++ > 0 ? route.abort() : route.continue(),
    );
    await drop(page, { 'Large.bin': 4_000_000 });
    await page.getByText('The connection is lost. It continues by itself.').waitFor();
    await page.close();
    const again = await context.newPage();
    const ranges: (string | undefined)[] = [];
    again.on('request', (request) => {
      if (request.url().includes('/uploads/')) ranges.push(request.headers()['content-range']);
    });
    await again.goto(stage.origin + pathOf(stage.world));
    await inputOf(again).waitFor();
    await drop(again, { 'Large.bin': 4_000_000 });
    await again.waitForURL('**?done=uploaded');
    expect(ranges.slice(0, 2)).toEqual(['bytes */4000000', 'bytes 1048576-2097151/4000000']);
  });

  it('a file that is refused says why, beside those that were uploaded', async () => {
    const stage = stageOf();
    const { page } = await openAt(stage, pathOf(stage.world));
    await drop(page, { 'a\u202eb.txt': 5, 'Fine.txt': 5 });
    await page.getByText('1 of 2 uploaded. 1 failed.').waitFor();
    await page.getByText('Must not contain control, formatting or invisible characters').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Show what was uploaded' }).click();
    await page.getByRole('link', { name: 'Fine.txt', exact: true }).waitFor();
  });

  it('one file becomes the next revision of a document, several are refused', async () => {
    const stage = stageOf();
    const { owner, project } = stage.world;
    const [document] = await newDocuments(await owner.context(), project.id, [{ name: 'Revised.txt' }]);
    const path = `${pathOf(stage.world)}/documents/${document?.id}`;
    const { page } = await openAt(stage, path);
    await drop(page, { 'a.txt': 1, 'b.txt': 2 });
    await page.getByText('A revision is one file. Choose one.').waitFor();
    await drop(page, { 'b.txt': 2 });
    await page.getByRole('link', { name: 'Show what was uploaded' }).click();
    await page.getByText('Revision 2').waitFor();
  });

  it('without a script the page says that uploading needs it', async () => {
    const stage = stageOf();
    const { page } = await newPage(stage, { javaScriptEnabled: false });
    await signIn(stage, page, pathOf(stage.world));
    await page.getByText('Uploading needs JavaScript.').waitFor();
    expect(await page.locator('.drop').isVisible()).toBe(false);
  });
}
