// The linters have a package of their own, which is installed when they are first needed.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './fingerprint.js';

const FOLDER = join(ROOT, 'tools/lint');
const INSTALLED = join(FOLDER, 'node_modules/.package-lock.json');
const LOCK = join(FOLDER, 'package-lock.json');

export const BIOME = 'tools/lint/node_modules/@biomejs/biome/bin/biome';
export const KNIP = 'tools/lint/node_modules/knip/bin/knip.js';
export const ESLINT = 'tools/lint/node_modules/eslint/bin/eslint.js';

/** Installs the linters, if they are not, or others are wanted now. Ends the process if that fails. */
export function installLinters() {
  if (existsSync(INSTALLED) && statSync(INSTALLED).mtimeMs > statSync(LOCK).mtimeMs) return;
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel', 'error'];
  const { status } = spawnSync('npm', args, { cwd: FOLDER, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) process.exit(1);
}
