// `npm run build`: generates and compiles, and notes from which sources, for `npm start` to build only what has changed.
// With --generate it only generates.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const NOTE = join(ROOT, 'dist/.sources');
const WINDOWS = process.platform === 'win32';
const SOURCES = ['src', 'prisma', 'scripts', 'codegen.ts', 'prisma.config.ts', 'package-lock.json'];
const COMPILER = ['tsconfig.json', 'tsconfig.build.json'];
/** Made by the build. */
const GENERATED = 'src/generated';

/**
 * The files below a path, with what tells one state of them from another: a file need not be newer to be another.
 *
 * @param {string} path
 * @returns {Generator<string>}
 */
function* statesOf(path) {
  const stats = path === GENERATED ? undefined : statSync(join(ROOT, path), { throwIfNoEntry: false });
  if (!stats) return;
  if (!stats.isDirectory()) yield `${path}\0${stats.size}\0${stats.mtimeMs}\n`;
  else for (const name of readdirSync(join(ROOT, path)).sort()) yield* statesOf(`${path}/${name}`);
}

function fingerprint() {
  const hash = createHash('sha256');
  for (const path of [...SOURCES, ...COMPILER]) for (const state of statesOf(path)) hash.update(state);
  return hash.digest('hex');
}

/** Whether `dist` was built from the sources as they are, or came without sources. */
export function isBuilt() {
  if (!existsSync(join(ROOT, 'dist/src/main.js'))) return false;
  if (!existsSync(join(ROOT, 'src'))) return true;
  return existsSync(NOTE) && readFileSync(NOTE, 'utf8') === fingerprint();
}

/** Returns the exit code of the script. */
function npmRun(/** @type {string} */ script) {
  const options = /** @type {const} */ ({ cwd: ROOT, stdio: 'inherit', shell: WINDOWS });
  return spawnSync('npm', ['run', '--silent', script], options).status ?? 1;
}

function build() {
  const sources = fingerprint();
  rmSync(NOTE, { force: true });
  const failed = npmRun('compile');
  if (failed) return failed;
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  writeFileSync(NOTE, sources);
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.exitCode = process.argv.includes('--generate') ? npmRun('generate') : build();
