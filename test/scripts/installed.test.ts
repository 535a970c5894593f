import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

describe('a checkout without installed packages', () => {
  it.each(['start.js', 'build.js', 'generate.js', 'run.js'])('is sent by scripts/%s to npm ci', (script) => {
    const folder = mkdtempSync(join(tmpdir(), 'docgraph-bare-'));
    for (const name of ['scripts', 'bin']) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const { status, stderr } = spawnSync(process.execPath, [join('scripts', script)], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([1, 'The packages are not installed. Run npm ci first.\n']);
    rmSync(folder, { recursive: true });
  });
});
