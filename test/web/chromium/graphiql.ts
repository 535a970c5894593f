import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { newPage, PHONE, type Stage, signIn } from './stage.ts';

const tabsOf = (page: Page) => page.locator('.graphiql-tab-button').allTextContents();
const activeTab = (page: Page) => page.locator('.graphiql-tab-active .graphiql-tab-button').textContent();

/** The titles of the tabs that are stored, which happens a little after a change. */
const storedTabs = (page: Page) =>
  page.evaluate<string[]>(`Object.entries(localStorage)
    .filter(([key]) => key.endsWith('tabState'))
    .flatMap(([, value]) => JSON.parse(value).tabs.map(({ title }) => title))`);

export function graphiqlTests(stageOf: () => Stage): void {
  it('the editor has the schema, and completes field names', async () => {
    const stage = stageOf();
    const { page } = await newPage(stage);
    await signIn(stage, page);
    await page.locator('.graphiql-query-editor .view-lines').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('{ viewer { emai', { delay: 40 });
    await page.locator('.suggest-widget').getByText('email').first().waitFor();
  });

  it('an API key works in the headers, and is not stored', async () => {
    const stage = stageOf();
    const { page } = await newPage(stage);
    await page.goto(`${stage.origin}/sign-in?return_to=/graphql`);
    await page.getByRole('link', { name: 'Continue with the key' }).click();
    // A double click selects the word under it: the place of the key, towards the end of the text.
    await page.locator('.graphiql-editor-tool .mtk6').dblclick({ position: { x: 120, y: 8 } });
    await page.keyboard.insertText(stage.account.key);
    await page.getByRole('button', { name: /execute query/i }).click();
    await page.locator('.graphiql-response').getByText('"Harbor"').waitFor();
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('Bearer');
  });

  it('opens an example in a tab, which stays after a reload', async () => {
    const stage = stageOf();
    const { page, strays } = await newPage(stage);
    await signIn(stage, page);
    await page.getByRole('button', { name: 'Tasks', exact: true }).click();
    await expect.poll(() => tabsOf(page)).toEqual(['Overview', 'Tasks']);
    await expect.poll(() => storedTabs(page)).toEqual(['Overview', 'Tasks']);
    await page.reload();
    await expect.poll(() => tabsOf(page)).toEqual(['Overview', 'Tasks']);
    expect(await activeTab(page)).toBe('Tasks');
    await page.getByRole('button', { name: 'Organizations and projects' }).click();
    expect([await tabsOf(page), await activeTab(page)]).toEqual([['Overview', 'Tasks'], 'Overview']);
    expect(strays).toEqual([]);
  });

  it('opens an example that a link names', async () => {
    const stage = stageOf();
    const { page } = await newPage(stage);
    await signIn(stage, page, '/graphql?example=search');
    await expect.poll(() => tabsOf(page)).toEqual(['Search']);
    expect(new URL(page.url()).search).toBe('');
  });

  it('makes a key for the operation of a tab, with the fewest scopes', async () => {
    const stage = stageOf();
    const { page, strays } = await newPage(stage);
    await signIn(stage, page, '/graphql?example=create-task');
    await page.getByRole('button', { name: 'Make a key for this operation' }).click();
    await page.waitForURL('**/console/keys/new?**');
    expect(await page.getByLabel('Name').inputValue()).toBe('CreateTask');
    const checked = page.locator('input[name=scopes]:checked');
    expect(await checked.evaluateAll((inputs) => inputs.map((each) => each.getAttribute('value')))).toEqual([
      'TASKS_WRITE',
    ]);
    expect(strays).toEqual([]);
  });

  it('says what is wrong with an operation for which a key is asked', async () => {
    const stage = stageOf();
    const { page } = await newPage(stage);
    await signIn(stage, page, `/graphql?query=${encodeURIComponent('{ nothing }')}`);
    await page.getByRole('button', { name: 'Make a key for this operation' }).click();
    await page.locator('.graphiql-response').getByText('BAD_USER_INPUT').waitFor();
  });

  it('shows events of a subscription as they happen', async () => {
    const stage = stageOf();
    const { page, strays } = await newPage(stage);
    await signIn(stage, page, '/graphql?example=subscription');
    // What happens once the answer has begun belongs to the subscription.
    const begun = page.waitForResponse((answer) =>
      /^text\/event-stream/.test(answer.headers()['content-type'] ?? ''),
    );
    await page.getByRole('button', { name: /execute query/i }).click();
    await page.locator('.graphiql-spinner').waitFor();
    await begun;
    await stage.world.owner.graph(
      'mutation ($input: CreateFoldersInput!) { createFolders(input: $input) { folders { id } } }',
      { input: { projectId: stage.world.project.id, folders: [{ name: 'Live' }] } },
    );
    await page.locator('.graphiql-response').getByText('folder.created').waitFor();
    await page.getByRole('button', { name: /stop query/i }).click();
    expect(strays).toEqual([]);
  });

  it('fits its window, and names its icons in words', async () => {
    const stage = stageOf();
    const { page } = await newPage(stage, { viewport: { width: 1280, height: 700 } });
    await signIn(stage, page);
    const editors = page.locator('.graphiql-editors');
    await editors.waitFor();
    const box = await editors.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(700);
    const titles = await page.locator('svg title').allTextContents();
    expect(titles.filter((title) => !/^[a-z]{4,}( [a-z]+)* icon$/.test(title))).toEqual([]);
    for (const name of ['History', 'Explorer'])
      await page.getByRole('button', { name: `Show ${name}` }).click();
    await page.locator('.graphiql-plugin').getByText('Explorer').first().waitFor();
  });

  it('has its examples on a phone too', async () => {
    const stage = stageOf();
    const { page } = await newPage(stage, PHONE);
    await signIn(stage, page);
    await page.getByRole('button', { name: 'Show Examples' }).tap();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    await page.getByRole('button', { name: 'Approvals', exact: true }).tap();
    await expect.poll(() => activeTab(page)).toBe('Approvals');
    await page.locator('.graphiql-query-editor').waitFor();
  });
}
