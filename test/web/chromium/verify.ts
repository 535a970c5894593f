import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { timeStamper } from '../../../src/timestamp/authority.ts';
import { pages, pdf } from '../../files/content/pdf-source.ts';
import { testStorage } from '../../support/storage.ts';
import { openAuthority, type TestAuthority } from '../../support/time-stamps/authority.ts';
import { altered, sealedText, stamped, withForeignUpdate } from '../../support/time-stamps/sealed-files.ts';
import { withCompressedStore } from '../../verify/addition/appended.ts';
import { newPage, PHONE, type Stage } from './stage.ts';

/** The page that checks sealed files: on the server, and saved as one file. */
export function verifyTests(stageOf: () => Stage): void {
  let authority: TestAuthority;
  let folder: string;
  let files: Record<
    'good' | 'stamped' | 'augmented' | 'stranger' | 'altered' | 'extended' | 'unsealed',
    string
  >;

  beforeAll(async () => {
    authority = await openAuthority();
    const stamper = timeStamper({ urls: [authority.url], roots: authority.roots });
    folder = mkdtempSync(join(tmpdir(), 'verify-'));
    const write = (name: string, bytes: Uint8Array): string => {
      writeFileSync(join(folder, name), bytes);
      return join(folder, name);
    };
    const own = await (await testStorage(stageOf().world.db)).sealer();
    const sealed = await sealedText(stamper, own);
    files = {
      good: write('contract.pdf', sealed),
      stamped: write('contract-stamped.pdf', await stamped(await sealedText(undefined, own), stamper)),
      augmented: write(
        'contract-augmented.pdf',
        withCompressedStore(sealed, authority.roots[0]?.der ?? sealed),
      ),
      stranger: write('contract-stranger.pdf', await sealedText(stamper)),
      altered: write('contract-altered.pdf', altered(sealed, 300)),
      extended: write('contract-extended.pdf', withForeignUpdate(sealed)),
      unsealed: write('draft.pdf', pdf(pages(1))),
    };
  });
  afterAll(async () => {
    await authority.close();
    rmSync(folder, { recursive: true });
  });

  const TITLES = [
    ['good', 'This file is unchanged since it was sealed'],
    ['stamped', 'This file is unchanged since it was sealed'],
    ['augmented', 'This file is unchanged since it was sealed'],
    ['stranger', 'This file is unchanged, but find out who sealed it'],
    ['altered', 'This file is not as it was sealed'],
    ['extended', 'Something was added after this file was sealed'],
    ['unsealed', 'There is no seal of Docgraph in this file'],
  ] as const;

  async function expectTitles(page: Page): Promise<void> {
    for (const [name, title] of TITLES) {
      await page.getByLabel('Signed PDF').setInputFiles(files[name]);
      await page.getByText(`${files[name].slice(folder.length + 1)}`, { exact: true }).waitFor();
      expect([name, await page.locator('#result h2').textContent()]).toEqual([name, title]);
    }
  }

  it('says of each kind of file what it is, and asks no server while it does', async () => {
    const { page, strays } = await newPage(stageOf());
    await page.goto(`${stageOf().origin}/verify`);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await expectTitles(page);
    expect([strays, requests]).toEqual([[], []]);
  });

  it('saves the part as it was sealed, where something was added after it', async () => {
    const { page } = await newPage(stageOf());
    await page.goto(`${stageOf().origin}/verify`);
    await page.getByLabel('Signed PDF').setInputFiles(files.extended);
    const saving = page.waitForEvent('download');
    await page.getByText('Save the part as it was sealed').click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe('contract-extended-as-sealed.pdf');
    await page.getByLabel('Signed PDF').setInputFiles(await saved.path());
    await page.getByText('This file is unchanged since it was sealed').waitFor();
  });

  it('shows details on a phone, and nothing beyond its edge', async () => {
    const { page } = await newPage(stageOf(), PHONE);
    await page.goto(`${stageOf().origin}/verify`);
    await page.getByLabel('Signed PDF').setInputFiles(files.good);
    await page.getByText('Details for experts').click();
    await page.getByText('O=Harbour, CN=Clock').waitFor();
    const widths = await page.evaluate('[document.documentElement.scrollWidth, innerWidth]');
    expect(widths).toEqual([320, 320]);
  });

  it('works from one saved file, without the server', async () => {
    const { page, context } = await newPage(stageOf());
    await page.goto(`${stageOf().origin}/verify`);
    const saving = page.waitForEvent('download');
    await page.getByText('save this page as one file').click();
    const saved = join(folder, 'verify.html');
    await (await saving).saveAs(saved);
    await context.setOffline(true);
    await page.goto(pathToFileURL(saved).href);
    await page.getByText(/^Saved from 127\.0\.0\.1|^Saved from docgraph\.test/).waitFor();
    await expectTitles(page);
  });
}
