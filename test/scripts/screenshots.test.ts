import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { hasChromium } from '../../scripts/chromium.ts';
import { copyDemo } from '../support/servers/demo-folder.ts';
import { freePort } from '../support/servers/processes.ts';
import { npmRun } from './programs.ts';

it.runIf(hasChromium)(
  'npm run screenshots draws the pictures of the documentation (needs Chromium)',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'docgraph-screenshots-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const [images, data] = [join(folder, 'images'), join(folder, 'data')];
    await copyDemo(data);
    const PORT = String(await freePort());
    const { code, output } = await npmRun('screenshots', [images, data], { PORT });
    expect(code, output).toBe(0);
    expect(readdirSync(images)).toEqual(readdirSync('docs/images').filter((name) => name.endsWith('.webp')));
  },
  300_000,
);
