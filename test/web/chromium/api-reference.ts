import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { newPage, PHONE, type Stage, signIn } from './stage.ts';

const PATH = '/api/v1/docs';

/** Opens an operation of a group; both are closed at first. */
async function openOperation(page: Page, group: string, summary: string) {
  await page.getByRole('button', { name: 'Expand operation' }).first().waitFor();
  await page.locator('.opblock-tag-section', { hasText: group }).first().locator('.opblock-tag').click();
  const operation = page.locator('.opblock', { hasText: summary }).first();
  await operation.locator('.opblock-summary-control').click();
  return operation;
}

export function apiReferenceTests(stageOf: () => Stage): void {
  it('executes a request in the browser session, with ids filled in, and violates no policy', async () => {
    const stage = stageOf();
    const { page, strays } = await newPage(stage);
    await signIn(stage, page, PATH);
    const operation = await openOperation(page, 'Folders', 'List');
    await operation.getByRole('button', { name: 'Execute' }).click();
    await operation.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
    expect(await operation.locator('.curl').textContent()).toContain(stage.world.project.id);
    expect(await operation.locator('.curl').textContent()).not.toContain('Page-Token');
    expect(strays).toEqual([]);
  });

  it('executes a request with a key that is entered, and forgets the key', async () => {
    const stage = stageOf();
    const { page, strays } = await newPage(stage);
    await page.goto(stage.origin + PATH);
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.getByLabel('auth-bearer-value').fill(stage.account.key);
    await page.getByRole('button', { name: 'Apply credentials' }).first().click();
    await page.getByRole('button', { name: 'Close' }).last().click();
    const operation = await openOperation(page, 'Organizations', 'List the organizations');
    await operation.getByRole('button', { name: 'Execute' }).click();
    await operation.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
    const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    expect(stored).not.toContain(stage.account.key);
    expect(strays).toEqual([]);
  });

  it('starts with closed groups, which a filter narrows, and fits a phone', async () => {
    const stage = stageOf();
    const { page, strays } = await newPage(stage, { ...PHONE, colorScheme: 'dark' });
    await page.goto(stage.origin + PATH);
    await page.locator('.opblock-tag').first().waitFor();
    expect(await page.locator('.opblock').count()).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    await page.getByPlaceholder('Filter').fill('Approvals');
    await expect.poll(() => page.locator('.opblock-tag').count()).toBe(1);
    await openOperation(page, 'Approvals', 'List');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    expect(strays).toEqual([]);
  });
}
