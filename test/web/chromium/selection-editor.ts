import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { violations } from './accessibility.ts';
import { newPage, PHONE, type Stage, signIn } from './stage.ts';

const newWebhook = ({ world }: Stage) => `/console/${world.organization.id}/webhooks/new`;

async function openEditor(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Edit with completion' }).click();
  await page.locator('.selection-editor .view-lines').waitFor();
}

const focusIsInEditor = (page: Page) =>
  page.evaluate<boolean>('!!document.activeElement.closest(".selection-editor")');

export function selectionEditorTests(stageOf: () => Stage): void {
  it('loads the editor when asked only, completes the fields of Event, and gives its text to the form', async () => {
    const stage = stageOf();
    const { page, strays } = await newPage(stage);
    const scripts: string[] = [];
    page.on('request', (request) => scripts.push(new URL(request.url()).pathname));
    await signIn(stage, page, newWebhook(stage));
    await page.getByLabel('Kinds of events').fill('project.*');
    expect(scripts.filter((path) => path.includes('graphiql'))).toEqual([]);
    await openEditor(page);
    await page.getByText('What to send').click();
    await page.keyboard.type('{ kind subj', { delay: 40 });
    await page.locator('.suggest-widget').getByText('subjectId').first().waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.type('ectId nothing', { delay: 20 });
    await page.locator('.squiggly-error').first().waitFor();
    for (let count = 0; count < ' nothing'.length; count++) await page.keyboard.press('Backspace');
    await page.getByRole('button', { name: 'Try it on the newest event' }).click();
    await page.getByText('"subjectId": "prj_').waitFor();
    expect(strays).toEqual([]);
  });

  it('lets the keyboard leave the editor, and goes back to the text field', async () => {
    const stage = stageOf();
    const { page } = await newPage(stage, { colorScheme: 'dark' });
    await signIn(stage, page, newWebhook(stage));
    await page.getByLabel('What to send').fill('{ id }');
    await openEditor(page);
    await page.locator('.monaco-editor.vs-dark').waitFor();
    await expect.poll(() => focusIsInEditor(page)).toBe(true);
    await page.keyboard.press('Tab');
    expect(await focusIsInEditor(page)).toBe(false);
    await page.keyboard.press('Shift+Tab');
    expect(await focusIsInEditor(page)).toBe(true);
    await page.keyboard.type(' ');
    await page.getByRole('button', { name: 'Edit as plain text' }).click();
    const field = page.locator('#query');
    expect((await field.inputValue()).replaceAll(' ', '')).toBe('{id}');
    await field.fill('{ kind }');
    await page.getByRole('button', { name: 'Edit with completion' }).click();
    await page.locator('.view-lines').getByText('kind').waitFor();
  });

  it('leaves the text field where the editor cannot be loaded, and tries again', async () => {
    const stage = stageOf();
    const { page } = await newPage(stage);
    await signIn(stage, page, newWebhook(stage));
    let isDown = true;
    await page.route('**/graphiql.js', (route) => (isDown ? route.abort() : route.continue()));
    await page.getByRole('button', { name: 'Edit with completion' }).click();
    await page.getByText('The editor could not be loaded.').waitFor();
    expect(await page.getByLabel('What to send').isVisible()).toBe(true);
    isDown = false;
    await openEditor(page);
  });

  it('fits a phone, and axe finds nothing', async () => {
    const stage = stageOf();
    const { page } = await newPage(stage, PHONE);
    await signIn(stage, page, newWebhook(stage));
    await openEditor(page);
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect([await violations(page), width]).toEqual([[], PHONE.viewport.width]);
  });
}
