import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { EXECUTABLE } from '../support/servers/chromium.ts';
import { freePort } from '../support/servers/processes.ts';
import { npmRun } from './programs.ts';

it.runIf(existsSync(EXECUTABLE))(
  'npm run screenshots draws the pictures of the documentation (needs Chromium)',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'docgraph-screenshots-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const { code, output } = await npmRun('screenshots', [folder], {
      PORT: String(await freePort()),
      CHROMIUM: EXECUTABLE,
    });
    expect(code, output).toBe(0);
    expect(readdirSync(folder)).toEqual(readdirSync('docs/images').filter((name) => name.endsWith('.webp')));
  },
  300_000,
);
