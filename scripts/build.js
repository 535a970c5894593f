// `npm run build`: generates, compiles, and stores a fingerprint of the sources, so that `npm start` builds only after a
// change. With --generate it only generates.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fingerprint, ROOT } from './fingerprint.js';

const FINGERPRINT_FILE = join(ROOT, 'dist/.sources');
const WINDOWS = process.platform === 'win32';
const SOURCES = ['src', 'prisma', 'scripts', 'codegen.ts', 'prisma.config.ts', 'package-lock.json'];
const COMPILER = ['tsconfig.json', 'tsconfig.build.json'];
/** Written by the build, thus not a source. */
const GENERATED = 'src/generated';

const state = () => fingerprint([...SOURCES, ...COMPILER], GENERATED);

/** Whether `dist` was built from the present sources, or is a package without sources. */
export function isBuilt() {
  if (!existsSync(join(ROOT, 'dist/src/main.js'))) return false;
  if (!existsSync(join(ROOT, 'src'))) return true;
  return existsSync(FINGERPRINT_FILE) && readFileSync(FINGERPRINT_FILE, 'utf8') === state();
}

/** Returns the exit code of the script. */
function npmRun(/** @type {string} */ script) {
  const options = /** @type {const} */ ({ cwd: ROOT, stdio: 'inherit', shell: WINDOWS });
  return spawnSync('npm', ['run', '--silent', script], options).status ?? 1;
}

function build() {
  const sources = state();
  rmSync(FINGERPRINT_FILE, { force: true });
  const failed = npmRun('compile');
  if (failed) return failed;
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  writeFileSync(FINGERPRINT_FILE, sources);
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.exitCode = process.argv.includes('--generate') ? npmRun('generate') : build();
