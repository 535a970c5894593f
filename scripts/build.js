// `npm run build`: generates, compiles, and stores a fingerprint of the sources, so that `npm start` builds only after a
// change. With --if-changed it does nothing when no source has changed. Types are not checked here: `npm run check` does that.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fingerprint, ROOT } from './fingerprint.js';
import { requireInstalled } from './installed.js';

const FINGERPRINT_FILE = join(ROOT, 'dist/.sources');
const SOURCES = [
  'src',
  'packages/client/src',
  'docs',
  'prisma',
  'scripts',
  'codegen.ts',
  'prisma.config.ts',
  'package-lock.json',
];
const COMPILER = ['tsconfig.json', 'tsconfig.build.json'];
/** Written by the build, thus not a source. */
const GENERATED = 'src/generated';
/** Files that the compiler does not copy. */
const ASSETS = `${GENERATED}/assets`;

const state = () => fingerprint([...SOURCES, ...COMPILER], GENERATED);

/** Whether `dist` was built from the present sources. */
export function isBuilt() {
  if (!existsSync(join(ROOT, 'dist/src/main.js'))) return false;
  return existsSync(FINGERPRINT_FILE) && readFileSync(FINGERPRINT_FILE, 'utf8') === state();
}

/** Returns the exit code of a program of node. */
const node = (/** @type {string[]} */ ...args) =>
  spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' }).status ?? 1;

function build() {
  requireInstalled();
  const sources = state();
  rmSync(FINGERPRINT_FILE, { force: true });
  const generated = node('scripts/generate.js');
  if (generated) return generated;
  console.log('Compiling …');
  const compiled = node('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json');
  if (compiled) return compiled;
  const bundled = node('scripts/bundle.js');
  if (bundled) return bundled;
  cpSync(join(ROOT, ASSETS), join(ROOT, 'dist', ASSETS), { recursive: true });
  writeFileSync(FINGERPRINT_FILE, sources);
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.exitCode = process.argv.includes('--if-changed') && isBuilt() ? 0 : build();
