import { readFile } from 'node:fs/promises';
import { type Browser, type BrowserContextOptions, devices, type Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, launchChromium } from '../../scripts/chromium.ts';
import { formLink } from '../../src/domain/forms/form.ts';
import { shareFormTemplates } from '../../src/domain/forms/form-share.ts';
import { listen } from '../../src/http/listen.ts';
import { newApp } from '../support/browser.ts';
import { newForm } from '../support/forms.ts';
import { newSigningWorld, type SignerOf } from '../support/signatures.ts';

const PHONE = { ...devices['Pixel 7'], viewport: { width: 360, height: 740 } };

describe.runIf(hasChromium)('in a real browser (needs Chromium)', () => {
  let browser: Browser;
  let server: Awaited<ReturnType<typeof listen>>;
  let desk: Awaited<ReturnType<typeof newSigningWorld>>;
  let origin: string;

  beforeAll(async () => {
    desk = await newSigningWorld();
    server = await listen(await newApp(desk.db), { port: 0, host: '127.0.0.1' });
    origin = `http://127.0.0.1:${server.port}`;
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  /** A page; `strays` are requests to others, and whatever the page complained of. */
  async function newPage(options: BrowserContextOptions = {}) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const strays: string[] = [];
    page.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin)
        strays.push(request.url());
    });
    page.on('pageerror', (error) => strays.push(error.message));
    page.on('console', (message) => {
      if (/Content.Security.Policy|Refused/i.test(message.text())) strays.push(message.text());
    });
    return { page, strays, context };
  }

  async function contract(signer: Partial<SignerOf> = {}, options: Parameters<typeof desk.active>[1] = {}) {
    const anna = { name: 'Anna Berg', email: 'anna@signers.test', ...signer };
    const file = await readFile('prisma/seed/files/quay-site/contract.pdf');
    const documentId = await desk.document('contract.pdf', file);
    const { sessionId } = await desk.active([anna], options, documentId);
    const [recipient] = await desk.signersOf(sessionId);
    if (!recipient) throw new Error('there is no signer');
    const { id, fields } = recipient;
    const row = () => desk.db.prisma.signatureRecipient.findUniqueOrThrow({ where: { id } });
    const values = async () =>
      (
        await desk.db.prisma.signatureField.findMany({ where: { recipientId: id }, orderBy: { rank: 'asc' } })
      ).map(({ value }) => value ?? '');
    return { url: `${origin}/sign/${id}/${desk.secretOf(recipient)}`, fields, row, values };
  }

  async function form() {
    const { id, ids } = await newForm(
      desk.ctx,
      desk.project.id,
      [
        { name: `Guest ${Date.now()}`, type: 'TEXT', rules: { required: true } },
        { name: `People ${Date.now()}`, type: 'NUMBER', rules: { maximum: '500' } },
        { name: `Indoors ${Date.now()}`, type: 'BOOL', rules: { required: true } },
      ],
      'Site visit',
    );
    const [shared] = await shareFormTemplates(desk.ctx, { formTemplateIds: [id], isPublic: true });
    const answers = async () =>
      (await desk.db.prisma.formSubmissionValue.findMany({ where: { submission: { formTemplateId: id } } }))
        .map(({ text }) => text)
        .sort();
    return {
      url: `${origin}/forms/${shared && formLink(desk.ctx, shared)}`,
      names: Object.keys(ids),
      answers,
    };
  }

  const focused = (page: Page) =>
    page.evaluate(
      'document.activeElement.id || document.activeElement.className || document.activeElement.name',
    );
  const fits = async (page: Page) =>
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);

  it('a document is signed on a phone, by finger, from the field on the page', async () => {
    const { url, row, values } = await contract();
    const { page, strays } = await newPage(PHONE);
    await page.goto(url);
    await fits(page);
    await page.locator('.sheet').getByRole('link', { name: 'Signature' }).tap();
    const pad = page.getByRole('img', { name: /draw here/ });
    await pad.scrollIntoViewIfNeeded();
    const box = await pad.boundingBox();
    if (!box) throw new Error('there is no pad');
    await page.mouse.move(box.x + 20, box.y + 80);
    await page.mouse.down();
    for (let step = 0; step < 30; step++)
      await page.mouse.move(box.x + 20 + step * 6, box.y + 80 + 40 * Math.sin(step / 3));
    await page.mouse.up();
    await page.locator('.mark img').waitFor();
    await page.getByLabel(/I agree/).check();
    await page.getByRole('button', { name: 'Sign the document' }).tap();
    await page.getByRole('heading', { name: 'You have signed' }).waitFor();
    await fits(page);
    expect((await row()).state).toBe('COMPLETED');
    const [drawn = ''] = await values();
    const image = Buffer.from(drawn.replace('data:image/png;base64,', ''), 'base64');
    const { width = 0, hasAlpha } = await sharp(image).metadata();
    expect(width).toBeGreaterThan(100);
    expect(hasAlpha).toBe(true);
    expect(strays).toEqual([]);
  });

  it('touch targets are large enough for a finger', async () => {
    const { url } = await contract({ fields: ['SIGNATURE', 'DATE', 'TEXT'] });
    const { page } = await newPage(PHONE);
    for (const address of [url, (await form()).url]) {
      await page.goto(address);
      for (const each of await page
        .locator('button:visible, input:visible:not([type=checkbox], [type=radio]), .check:visible')
        .all())
        expect((await each.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    }
  });

  it('a document is signed with the keyboard only, and an error moves the focus to its field', async () => {
    const { url, row, values } = await contract({ fields: ['SIGNATURE', 'TITLE'] });
    const { page, strays } = await newPage();
    await page.goto(url);
    const title = page.getByLabel('Job title', { exact: true });
    await title.focus();
    await page.keyboard.type('Architect');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await page.title()).toBe('Error: Sign contract.pdf – Docgraph');
    expect(await focused(page)).toBe('note alarm');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await focused(page)).toMatch(/^input-/);
    await page.keyboard.type('Anna Berg');
    expect(await page.locator('.mark.handwritten').textContent()).toBe('Anna Berg');
    expect(await title.inputValue()).toBe('Architect');
    await page.getByLabel(/I agree/).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'You have signed' }).waitFor();
    expect((await row()).state).toBe('COMPLETED');
    expect(await values()).toEqual(['Anna Berg', 'Architect']);
    expect(strays).toEqual([]);
  });

  it('a document is signed, and a form filled in, without scripts', async () => {
    const { url, values } = await contract();
    const { page } = await newPage({ javaScriptEnabled: false });
    await page.goto(url);
    expect(await page.locator('.pad').isVisible()).toBe(false);
    await page.getByLabel('Signature', { exact: true }).fill('Anna Berg');
    await page.getByLabel(/I agree/).check();
    await page.getByRole('button', { name: 'Sign the document' }).click();
    await page.getByRole('heading', { name: 'You have signed' }).waitFor();
    expect(await values()).toEqual(['Anna Berg']);
  });

  it('a signer declines with a reason, and can only read that afterwards', async () => {
    const { url, row } = await contract();
    const { page } = await newPage(PHONE);
    await page.goto(url);
    await page.getByText('I do not want to sign').tap();
    await page.getByLabel(/Reason/).fill('The sum is wrong.');
    await page.getByRole('button', { name: 'Decline to sign' }).tap();
    await page.getByRole('heading', { name: 'You declined to sign' }).waitFor();
    expect(await row()).toMatchObject({ state: 'DECLINED', declinedReason: 'The sum is wrong.' });
    await page.reload();
    await page.getByRole('heading', { name: 'You declined to sign' }).waitFor();
  });

  it('a wrong access code is refused beside its field, the right one opens the document', async () => {
    const { url } = await contract({}, { useAccessCode: true, accessCode: 'harbour-7' });
    const { page, context } = await newPage();
    await page.goto(url);
    expect(await focused(page)).toBe('code');
    await page.keyboard.type('quay');
    await page.keyboard.press('Enter');
    await page.getByText('This access code is wrong.').first().waitFor();
    expect(await page.getByLabel('Access code').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Access code').fill('harbour-7');
    await page.getByRole('button', { name: 'Open the document' }).click();
    await page.getByRole('heading', { name: 'contract.pdf' }).waitFor();
    const width = () =>
      page
        .locator('.sheet img')
        .first()
        .evaluate((img) => (img as HTMLImageElement).naturalWidth);
    await expect.poll(width).toBeGreaterThan(0);
    expect(await context.cookies()).toMatchObject([{ httpOnly: true, path: new URL(url).pathname }]);
  });

  it('a form is filled in on a phone; the errors come first, and lead to their fields', async () => {
    const { url, names, answers } = await form();
    const [guest = '', people = ''] = names;
    const { page, strays } = await newPage(PHONE);
    await page.goto(url);
    await fits(page);
    await page.getByLabel(people).fill('many');
    await page.getByRole('button', { name: 'Send' }).tap();
    await page.getByRole('alert').waitFor();
    expect(await focused(page)).toBe('note alarm');
    expect(await page.getByRole('alert').getByRole('listitem').count()).toBe(3);
    await page
      .getByRole('alert')
      .getByRole('link', { name: new RegExp(people) })
      .tap();
    expect(await focused(page)).toBe(await page.getByLabel(people).getAttribute('id'));
    await page.getByLabel(people).fill('12');
    await page.getByLabel(guest).fill('Åsa');
    await page.getByLabel('Yes').check();
    await page.getByRole('button', { name: 'Send' }).tap();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await answers()).toEqual(['12', 'true', 'Åsa']);
    expect(strays).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('the pages are readable in %s colours', async (colorScheme) => {
    const { page } = await newPage({ colorScheme });
    for (const { url } of [await contract(), await form()]) {
      await page.goto(url);
      const [ground, ink] = (await page.evaluate(
        `['backgroundColor', 'color'].map((name) => getComputedStyle(document.body)[name].match(/\\d+/g).map(Number).reduce((a, b) => a + b) / 3)`,
      )) as [number, number];
      expect(colorScheme === 'dark' ? ink - ground : ground - ink).toBeGreaterThan(150);
    }
  });
});
