import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../../scripts/chromium.ts';
import { newDocuments } from '../support/storage.ts';
import {
  axeFaults,
  type Example,
  limitUpload,
  openExample,
  resolvable,
  signedInPage,
} from './example-stage.ts';

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

describe.runIf(hasChromium)('the example front end (needs Chromium)', { timeout: 180_000 }, () => {
  let example: Example;
  let page: Page;
  let faults: string[];
  const folder = mkdtempSync(join(tmpdir(), 'docgraph-example-'));

  beforeAll(async () => {
    example = await openExample();
    const names = Array.from({ length: 30 }, (_, index) => ({
      name: `Plan ${String(index).padStart(2, '0')}.txt`,
    }));
    await newDocuments(await example.owner.context(), example.project.id, names);
    ({ page, faults } = await signedInPage(example, DESKTOP));
  }, 300_000);
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await example?.close();
  });

  /** With the rules, not through the page. */
  const createTask = (name: string) =>
    example.owner.graph(
      'mutation ($input: CreateTasksInput!) { createTasks(input: $input) { tasks { id } } }',
      {
        input: { projectId: example.project.id, tasks: [{ name }] },
      },
    );

  const fileNamed = (name: string) => {
    const path = join(folder, name);
    writeFileSync(path, randomBytes(6_000_000));
    return path;
  };

  /** Uploads slowly, until more than half is stored and the next bytes are on their way. */
  async function beginUpload(name: string) {
    const path = fileNamed(name);
    example.chunks.length = 0;
    await limitUpload(page, 1_000_000);
    await page.locator('.upload-button').waitFor();
    await page.locator('.drop input[type=file]').first().setInputFiles(path);
    await expect.poll(() => example.chunks.at(-2)?.stored, { timeout: 30_000 }).toBeGreaterThan(3_000_000);
    return path;
  }

  async function chooseAgain(path: string) {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose the file again' }).click();
    await (await chooser).setFiles(path);
  }

  /** The server has received no stored byte again, and has the bytes of the file. */
  async function expectWhole(name: string) {
    await page.locator('.upload.done').waitFor();
    await page.locator('.document', { hasText: name }).waitFor();
    let stored = 0;
    for (const chunk of example.chunks) {
      expect(chunk.start ?? stored).toBe(stored);
      stored = chunk.stored ?? stored;
    }
    const text = `{ project(id: "${example.project.id}") {
      documents(first: 1, filter: { namePrefix: "${name}" }) { nodes { currentRevision { sha256 } } } } }`;
    const { documents } = (await example.owner.graph(text)).data.project;
    const sha256 = createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
    expect(documents.nodes).toEqual([{ currentRevision: { sha256 } }]);
  }

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

  it('sends on after a cut in the middle of an upload what the server does not have; the document appears by itself', async () => {
    await openProject();
    await beginUpload('cut.bin');
    example.network('refuse');
    await page.getByText('Waiting for the network').waitFor();
    example.network('pass');
    await limitUpload(page, -1);
    await expectWhole('cut.bin');
  });

  it('continues an upload after a reload of the page with the same file, and with no other one', async () => {
    await openProject();
    const path = await beginUpload('reloaded.bin');
    page.once('dialog', (dialog) => dialog.accept());
    await page.reload();
    await limitUpload(page, -1);
    await page.getByText(/^Interrupted · [34]\.\d MB of 6\.0 MB$/).waitFor();
    await chooseAgain(fileNamed('other.bin'));
    await page.getByText('That is not the file “reloaded.bin”').waitFor();
    await chooseAgain(path);
    await expectWhole('reloaded.bin');
    expect(await page.evaluate('sessionStorage.uploads')).toBe('[]');
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
    await page.getByRole('link', { name: 'Pocket Archive, home' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.type('reloaded');
    await page.locator('.results mark', { hasText: 'reloaded' }).first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'reloaded.bin' }).waitFor();
  });

  it('says in plain words what is refused, and when the server cannot be reached', async () => {
    const extensions = { code: 'RATE_LIMITED', retryAfter: 61 };
    const json = { errors: [{ message: 'Too many points.', extensions }] };
    await page.route('**/graphql', (route) => route.fulfill({ status: 429, json }));
    await page.getByRole('link', { name: 'Tasks' }).click();
    await page.getByText('Too much at once. Wait 61 seconds.').waitFor();
    await page.unroute('**/graphql');
    example.network('refuse');
    await page.getByRole('link', { name: 'Documents' }).click();
    await page.getByText('The server cannot be reached.').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    example.network('pass');
    await page.locator('.live.on').waitFor();
  });

  it.each(['light', 'dark'] as const)('has no faults of accessibility: %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    for (const query of ['', `project=${example.project.id}`, `project=${example.project.id}&tab=tasks`]) {
      await page.goto(`${example.origin}/?${query}`);
      await page
        .getByText(/Projects|reloaded.bin|Paint the bollards/)
        .first()
        .waitFor();
      expect(await axeFaults(page)).toEqual([]);
    }
  });

  it('fits on a phone', async () => {
    const phone = await signedInPage(example, PHONE);
    await phone.page.goto(`${example.origin}/?project=${example.project.id}`);
    await phone.page.getByText('reloaded.bin').waitFor();
    const width = () => phone.page.evaluate('document.documentElement.scrollWidth');
    expect(await width()).toBe(PHONE.width);
    await phone.page.getByText('reloaded.bin').click();
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

  it('asks to sign in again where the sign-in was revoked, and returns to the same place', async () => {
    const { page: other } = await signedInPage(example, DESKTOP);
    await other.goto(`${example.origin}/?project=${example.project.id}&tab=tasks`);
    await example.db.prisma.grant.updateMany({ data: { revokedAt: new Date() } });
    await other.getByText('Your sign-in has ended.').waitFor();
    await other.getByRole('button', { name: 'Sign in with Docgraph' }).click();
    await other.locator('button[value=approve]').click();
    await other.getByText('Paint the bollards').waitFor();
    await other.context().close();
  });
});
