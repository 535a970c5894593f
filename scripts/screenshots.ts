import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { launchChromium } from './chromium.ts';

/**
 * Takes the screenshots of the documentation from a temporary server with the demo workspace; into another folder if one is named.
 * A second argument names a DATA_DIR with the workspace, which is changed; without it, it is created in a temporary one.
 */

const [FOLDER = 'docs/images', DATA] = process.argv.slice(2);
const PORT = process.env.PORT ?? '24790';
const MAX_BYTES = 150_000;

const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const DESKTOP = { viewport: { width: 1280, height: 820 } };

interface Demo {
  signingUrl: string;
  formUrl: string;
  organizationId: string;
  owner: { email: string; password: string };
  confidentialClient: { client_id: string; redirect_uri: string };
}

interface Screen {
  look: BrowserContextOptions;
  act: (page: Page, demo: Demo) => Promise<void>;
}

const LIGHT = { ...PHONE, colorScheme: 'light' as const };
const DARK = { ...PHONE, colorScheme: 'dark' as const };

/** The image files, each of one or more screens side by side. */
const PICTURES: Record<string, Screen[]> = {
  'signing-phone': [
    { look: LIGHT, act: (page, { signingUrl }) => page.goto(signingUrl).then(() => {}) },
    { look: LIGHT, act: drawSignature },
    { look: DARK, act: drawSignature },
  ],
  'signing-desktop': [{ look: DESKTOP, act: typeSignature }],
  'console-desktop': [{ look: DESKTOP, act: showApplication }],
  'start-desktop': [{ look: DESKTOP, act: (page, { owner }) => signIn(page, owner, '/console') }],
  'document-desktop': [{ look: DESKTOP, act: showDocument }],
  'consent-phone': [
    { look: LIGHT, act: showConsent },
    { look: DARK, act: showConsent },
  ],
  'form-phone': [
    { look: LIGHT, act: fillForm },
    { look: DARK, act: fillForm },
  ],
};

const GAP = 40;

/** A sample signature of two loops and a line, in fractions of the pad's size. */
const STROKE = Array.from({ length: 70 }, (_, step) => {
  const t = step / 69;
  return { x: 0.1 + 0.62 * t + 0.05 * Math.sin(t * 21), y: 0.52 - 0.3 * Math.sin(t * 15) * (1 - 0.75 * t) };
});

async function drawSignature(page: Page, { signingUrl }: Demo): Promise<void> {
  await page.goto(signingUrl);
  const pad = page.locator('canvas');
  await pad.scrollIntoViewIfNeeded();
  const box = await pad.boundingBox();
  if (!box) throw new Error('There is nothing to draw on.');
  const [start, ...rest] = STROKE.map(({ x, y }) => ({
    x: box.x + x * box.width,
    y: box.y + y * box.height,
  }));
  await page.mouse.move(start?.x ?? 0, start?.y ?? 0);
  await page.mouse.down();
  for (const { x, y } of rest) await page.mouse.move(x, y);
  await page.mouse.up();
  await page.getByLabel(/I agree/).check();
  await page.evaluate(`document.activeElement.blur(), document.querySelector('.panel').scrollIntoView()`);
  await page.evaluate(`scrollBy(0, -16)`);
}

async function typeSignature(page: Page, { signingUrl }: Demo): Promise<void> {
  await page.goto(signingUrl);
  await page.locator('input.typed').fill('Tove Ahlgren');
  await page.locator('a.mark').first().scrollIntoViewIfNeeded();
  await page.evaluate(`document.querySelector('#page-3').scrollIntoView()`);
}

async function fillForm(page: Page, { formUrl }: Demo): Promise<void> {
  await page.goto(formUrl);
  await page.getByLabel('Day of visit').fill('2026-11-20');
  await page.getByLabel('frost').check();
  await page.getByLabel(/People on site/).fill('14');
  await page.getByLabel(/Remarks/).fill('The third bay is poured. Ice on the ladders.');
  await page.evaluate('document.activeElement.blur(), scrollTo(0, 0)');
}

/** The page of an application in the console, after signing in. */
async function showApplication(
  page: Page,
  { organizationId, owner, confidentialClient }: Demo,
): Promise<void> {
  await signIn(page, owner, `/console/${organizationId}/apps/${confidentialClient.client_id}`);
}

/** The page of a document in the console, reached by clicks. */
async function showDocument(page: Page, { owner }: Demo): Promise<void> {
  await signIn(page, owner, '/console');
  await page.getByRole('link', { name: 'Building contract.pdf' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Building contract.pdf' }).waitFor();
}

async function signIn(page: Page, owner: Demo['owner'], path: string): Promise<void> {
  await page.goto(`/sign-in?return_to=${encodeURIComponent(path)}`);
  await page.getByLabel('E-mail address').fill(owner.email);
  await page.getByLabel('Password').fill(owner.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(`**${path}`);
}

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#b45309"/>
  <path d="M8 23V11l8-4 8 4v12M12 23v-8h8v8" fill="none" stroke="#fff" stroke-width="2.5"/></svg>`;

/** The consent page of an application that has a logo and a home page, which its owner gives it in the console. */
async function showConsent(page: Page, demo: Demo): Promise<void> {
  await showApplication(page, demo);
  const logo = await sharp(Buffer.from(LOGO)).resize(128).png().toBuffer();
  await page
    .getByLabel('New picture')
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo });
  await page.getByRole('button', { name: 'Save the logo' }).click();
  await page.getByText('The logo was changed.').waitFor();
  await page.getByLabel('Home page').fill('https://reports.example/');
  await page.getByLabel('Page about privacy').fill('https://reports.example/privacy');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The application was changed.').waitFor();
  const { client_id, redirect_uri } = demo.confidentialClient;
  const request = {
    client_id,
    redirect_uri,
    response_type: 'code',
    scope: 'documents:read tasks:read',
    state: 's',
  };
  await page.goto(`/oauth/authorize?${new URLSearchParams(request)}`);
}

/** Starts the server; returns its output about the workspace, and a function that stops it. */
async function serve(folder: string): Promise<{ demo: Demo; stop: () => Promise<unknown> }> {
  const env = {
    ...process.env,
    PORT,
    DATA_DIR: folder,
    LOG_LEVEL: 'error',
    DATABASE_URL: '',
    PUBLIC_URL: '',
  };
  const server = spawn(process.execPath, ['dist/src/main.js'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = () => {
    const ended = server.exitCode === null ? once(server, 'exit') : Promise.resolve();
    server.kill('SIGTERM');
    return ended;
  };
  for await (const line of createInterface({ input: server.stdout }))
    if (line.startsWith('Docgraph is ready'))
      return { demo: JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8')), stop };
  throw new Error('The server ended before it was ready.');
}

/** Waits for the images in sight, which load lazily. */
const VISIBLE_IMAGES = `Promise.all([...document.images].filter((image) => {
  const { top, bottom } = image.getBoundingClientRect();
  return top < innerHeight && bottom > 0;
}).map((image) => image.decode()))`;

async function shoot(browser: Browser, demo: Demo, { look, act }: Screen): Promise<Buffer> {
  const context = await browser.newContext({
    ...look,
    // With smooth scrolling, the part of the page in the picture would depend on the time.
    reducedMotion: 'reduce',
    locale: 'en-GB',
    baseURL: `http://localhost:${PORT}`,
  });
  const page = await context.newPage();
  await act(page, demo);
  await page.waitForLoadState('networkidle');
  await page.evaluate(VISIBLE_IMAGES);
  const shot = await page.screenshot();
  await context.close();
  return shot;
}

/** The images in a row, on a transparent background. */
async function beside(shots: readonly Buffer[]): Promise<Buffer> {
  const { width = 0, height = 0 } = await sharp(shots[0]).metadata();
  const row = {
    width: shots.length * (width + GAP) - GAP,
    height,
    channels: 4 as const,
    background: '#0000',
  };
  return sharp({ create: row })
    .composite(shots.map((input, index) => ({ input, left: index * (width + GAP), top: 0 })))
    .webp({ quality: 70 })
    .toBuffer();
}

async function drawAll(demo: Demo): Promise<void> {
  const browser = await launchChromium();
  try {
    for (const [name, screens] of Object.entries(PICTURES)) {
      const shots: Buffer[] = [];
      for (const screen of screens) shots.push(await shoot(browser, demo, screen));
      const bytes = await beside(shots);
      if (bytes.length > MAX_BYTES) throw new Error(`${name} takes ${bytes.length} bytes.`);
      await writeFile(join(FOLDER, `${name}.webp`), bytes);
      console.log(`${FOLDER}/${name}.webp: ${bytes.length} bytes`);
    }
  } finally {
    await browser.close();
  }
}

async function draw(data: string): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  const { demo, stop } = await serve(data);
  await drawAll(demo).finally(stop);
}

if (DATA) await draw(DATA);
else {
  const folder = await mkdtemp(join(tmpdir(), 'docgraph-pictures-'));
  await draw(folder).finally(() => rm(folder, { recursive: true, force: true }));
}
