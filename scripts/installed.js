// What the scripts of package.json check first, in place of Node's error about a module that is missing.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './fingerprint.js';

/** Ends the process with one line unless the packages are installed. */
export function requireInstalled() {
  if (existsSync(join(ROOT, 'node_modules/.package-lock.json'))) return;
  console.error('The packages are not installed. Run npm ci first.');
  process.exit(1);
}
