// `npm run test:changed`: the tests beside what has changed since main, or since a commit (`-- HEAD~3`), and those of the
// architecture. A change of src/domain/tasks/task.ts runs test/domain/tasks, test/graph/schema/tasks and test/rest/tasks.
// It is for while one works: what is far from its cause, only `npm test` finds.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from './fingerprint.js';

const ALWAYS = ['test/architecture'];
/** Folders of tests with one folder for each part of the domain. */
const BY_PART = ['test/domain', 'test/graph/schema', 'test/rest'];

const TOO_MANY = ['test', 'test/graph', ...BY_PART];
/** @type {Record<string, string[]>} */
const ELSEWHERE = {
  'docs/': ['test/docs/blocks.test.ts', 'test/docs/links.test.ts'],
  'prisma/migrations/': ['test/db/migrate'],
  'scripts/': ['test/scripts'],
  'packages/': ['test/client'],
};

const git = (/** @type {string[]} */ ...args) =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean);

/** Paths that were changed, added or deleted since a commit, committed or not. */
function changedSince(/** @type {string} */ commit) {
  const [base = commit] = git('merge-base', 'HEAD', commit);
  return [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
}

/** @returns {string[]} */
const testsBelow = (/** @type {string} */ folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name}`);

/**
 * The test files and folders for a changed file.
 * @param {string} path @param {{ path: string, text: string }[]} tests
 * @returns {string[]}
 */
export function testsFor(path, tests) {
  if (path.endsWith('.test.ts')) return [path];
  if (path.startsWith('test/'))
    return tests.filter(({ text }) => text.includes(`/${basename(path)}'`)).map((each) => each.path);
  if (path.startsWith('src/')) return besideSource(dirname(path.replace('src/', 'test/')));
  return Object.entries(ELSEWHERE).flatMap(([start, found]) => (path.startsWith(start) ? found : []));
}

/** The folder of tests of the same name, or the one above it; and those of the APIs for that part of the domain. */
function besideSource(/** @type {string} */ folder) {
  const above = dirname(folder);
  const own = existsSync(join(ROOT, folder)) || TOO_MANY.includes(above) ? folder : above;
  return [own, ...BY_PART.map((part) => `${part}/${basename(folder)}`)];
}

function run() {
  const tests = testsBelow('test').map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
  const found = changedSince(process.argv[2] ?? 'main').flatMap((path) => testsFor(path, tests));
  const chosen = [...new Set([...ALWAYS, ...found])].filter((path) => existsSync(join(ROOT, path)));
  console.log(`Tests for what has changed: ${chosen.join(' ')}`);
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...chosen];
  return spawnSync(process.execPath, vitest, { cwd: ROOT, stdio: 'inherit' }).status ?? 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = run();
