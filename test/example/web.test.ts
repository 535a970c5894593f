import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newDocuments } from '../support/storage.ts';
import { type Example, openExample, signedInPage } from './example-stage.ts';

const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';
const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

/** A promise, and what resolves it. */
function resolvable() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

const isThere = existsSync(EXECUTABLE);

describe.runIf(isThere)('the example front end (needs Chromium)', { timeout: 180_000 }, () => {
  let example: Example;
  let page: Page;
  let faults: string[];

  beforeAll(async () => {
    example = await openExample(EXECUTABLE);
    const names = Array.from({ length: 30 }, (_, index) => ({
      name: `Plan ${String(index).padStart(2, '0')}.txt`,
    }));
    await newDocuments(await example.owner.context(), example.project.id, names);
    ({ page, faults } = await signedInPage(example, DESKTOP));
  }, 300_000);
  afterAll(() => example?.close());

  /** With the rules, not through the page. */
  const createTask = (name: string) =>
    example.owner.graph(
      'mutation ($input: CreateTasksInput!) { createTasks(input: $input) { tasks { id } } }',
      {
        input: { projectId: example.project.id, tasks: [{ name }] },
      },
    );

  const openProject = () => page.goto(`${example.origin}/?project=${example.project.id}`);
  const cards = () => page.locator('.document:not(.placeholder)');

  it('stays signed in after a reload, and shows the documents page by page as one scrolls', async () => {
    await openProject();
    await page.getByText('Plan 29.txt').waitFor();
    await cards().last().scrollIntoViewIfNeeded();
    await page.getByText('Plan 00.txt').waitFor();
    expect(await cards().count()).toBe(30);
  });

  it('shows at once what others do', async () => {
    await page.getByRole('link', { name: 'Tasks' }).click();
    await page.locator('.live.on').waitFor();
    await createTask('Order the bollards');
    await page.getByText('Order the bollards').waitFor();
  });

  it('completes a task before the server answers, also while the list is read again, and takes it back when the server refuses', async () => {
    const task = page.getByRole('checkbox', { name: 'Order the bollards' });
    // Made before the request: the page shows the change before the request is seen here.
    const refusal = resolvable();
    const reading = resolvable();
    await page.route('**/graphql', async (route) => {
      const text = route.request().postData() ?? '';
      if (text.includes('query Tasks')) await reading.promise;
      if (!text.includes('mutation CompleteTask')) return route.continue();
      await refusal.promise;
      const extensions = { code: 'FORBIDDEN', requestId: 'x' };
      return route.fulfill({
        json: { data: null, errors: [{ message: 'You may not do this.', extensions }] },
      });
    });
    const isRead = page.waitForRequest((request) => request.postData()?.includes('query Tasks') ?? false);
    await createTask('Paint the bollards');
    await isRead;
    await task.click();
    await page.locator('.task.done').waitFor();
    refusal.resolve();
    await page.getByText('You may not do this.').waitFor();
    reading.resolve();
    await page.locator('.task.done').waitFor({ state: 'detached' });
    await page.unroute('**/graphql');
    await task.click();
    await page.locator('.task.done').waitFor();
    const state = 'query ($id: ID!) { project(id: $id) { tasks(first: 5) { nodes { name state } } } }';
    await expect
      .poll(
        async () => (await example.owner.graph(state, { id: example.project.id })).data.project.tasks.nodes,
      )
      .toContainEqual({ name: 'Order the bollards', state: 'COMPLETED' });
  });

  it('uploads a file, waits while the network is gone, and continues; the document appears by itself', async () => {
    await openProject();
    await page.getByRole('button', { name: 'Upload' }).waitFor();
    let cut = false;
    await page.route('**/uploads/**', async (route) => {
      const range = route.request().headers()['content-range'] ?? '';
      if (!cut && /^bytes [1-9]/.test(range)) {
        cut = true;
        example.network('refuse');
      }
      await route.continue();
    });
    const file = { name: 'survey.bin', mimeType: 'application/octet-stream', buffer: randomBytes(6_000_000) };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByText('Waiting for the network').waitFor();
    example.network('pass');
    await page.locator('.upload.done').waitFor();
    await page.locator('.document', { hasText: 'survey.bin' }).waitFor();
    expect(cut).toBe(true);
    await page.unroute('**/uploads/**');
  });

  it('shows a comment at once, and stores it', async () => {
    await page.locator('.document', { hasText: 'Plan 29.txt' }).click();
    await page.getByPlaceholder('Write a comment').fill('Is this the newest?');
    await page.getByPlaceholder('Write a comment').press('Enter');
    await page.locator('.comments').getByText('Is this the newest?').waitFor();
    const text = `{ project(id: "${example.project.id}") {
      documents(first: 1, filter: { namePrefix: "Plan 29" }) { nodes { comments(first: 5) { nodes { text } } } } } }`;
    const stored = async () =>
      (await example.owner.graph(text)).data.project.documents.nodes[0].comments.nodes;
    await expect.poll(stored).toEqual([{ text: 'Is this the newest?' }]);
    await page.locator('.panel').press('Escape');
    await page.locator('.panel').waitFor({ state: 'detached' });
  });

  it('searches as one types, with the matches marked, by keyboard alone', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('survey');
    await page.locator('.results mark', { hasText: 'survey' }).first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'survey.bin' }).waitFor();
  });

  it('fits on a phone', async () => {
    const phone = await signedInPage(example, PHONE);
    await phone.page.goto(`${example.origin}/?project=${example.project.id}`);
    await phone.page.getByText('survey.bin').waitFor();
    const width = () => phone.page.evaluate('document.documentElement.scrollWidth');
    expect(await width()).toBe(PHONE.width);
    await phone.page.getByText('survey.bin').click();
    await phone.page.getByRole('link', { name: 'Download' }).waitFor();
    expect(await width()).toBe(PHONE.width);
    expect(phone.faults).toEqual([]);
    await phone.page.context().close();
  });

  it('signs out', async () => {
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with Docgraph' }).waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    expect(faults).toEqual([]);
  });
});
