import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Count, countsOf, printCounts, type Report } from './counts.ts';
import { SUBJECTS, type Subject } from './subjects.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));
const CONFIG = `${folder}stryker.config.json`;
const REPORT = `${root}.stryker-tmp/report.json`;

/** The minimum percentage of the mutants of a module that its tests must detect. */
const LEAST = 85;

function run(command: string, args: string[], cwd: string, env: Record<string, string> = {}): void {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit', env: { ...process.env, ...env } });
  if (status !== 0) throw new Error(`${command} failed in ${cwd}.`);
}

/** Mutates the modules one change at a time, and runs the tests after each. */
function mutate({ modules, tests }: Subject): Report {
  const files = modules.map((each) => `src/${each}.ts`).join();
  run(`${folder}node_modules/.bin/stryker`, ['run', CONFIG, '--mutate', files], root, {
    MUTATION_TESTS: tests.map((each) => `test/${each}.test.ts`).join(),
  });
  return JSON.parse(readFileSync(REPORT, 'utf8'));
}

const requested = process.argv.slice(2);
const unknown = requested.find((name) => !Object.hasOwn(SUBJECTS, name));
if (unknown) throw new Error(`There is no ${unknown}, but ${Object.keys(SUBJECTS).join(', ')}.`);

if (!existsSync(`${folder}node_modules`)) run('npm', ['ci', '--no-audit', '--no-fund'], folder);

const counts: Count[] = Object.entries(SUBJECTS)
  .filter(([name]) => requested.length === 0 || requested.includes(name))
  .flatMap(([, subject]) => countsOf(mutate(subject)));
printCounts(counts);
if (counts.some(({ score }) => score < LEAST)) process.exitCode = 1;
