// `npm run check`: style, types, and whether what is generated matches its sources. Runs the steps side by side, prints the
// output of each when it ends, and fails if one fails.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { ROOT } from './fingerprint.js';
import { BIOME, ESLINT, installLinters, KNIP } from './linters.js';

const TSX = 'node_modules/tsx/dist/cli.mjs';
/** The longest first. One checker: several repeat work, and leave no processor to the other steps. */
const STEPS = [
  ['node_modules/typescript/bin/tsc', '-p', '.', '--checkers', '1'],
  [TSX, 'scripts/migrate-new.ts', '--check'],
  [BIOME, 'check', '.'],
  [KNIP, '--config', 'tools/lint/knip.json', '--no-progress', '--no-config-hints'],
  [ESLINT, '--config', 'tools/lint/eslint.config.js', 'schema.graphql'],
  [TSX, 'scripts/print-schema.ts', '--check'],
  [TSX, 'scripts/breaking-changes.ts'],
  [TSX, 'scripts/migration-sums.ts', '--check'],
];

/** Runs a step and prints its output; returns whether it succeeded. */
async function run(/** @type {string[]} */ step) {
  const child = spawn(process.execPath, step, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  process.stdout.write(output);
  if (code !== 0) console.error(`check: ${step.join(' ')} ended with ${code}`);
  return code === 0;
}

installLinters();
const waiting = [...STEPS];
async function runNext() {
  for (let step = waiting.shift(); step; step = waiting.shift()) if (!(await run(step))) process.exitCode = 1;
}
await Promise.all(Array.from({ length: availableParallelism() }, runNext));
