// `npm run generate`: Prisma's client, schema.graphql and the types of the stored operations. Does nothing when neither the
// sources nor what was generated from them have changed. With --force it always generates.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprint, ROOT } from './fingerprint.js';

const GENERATED = 'src/generated';
const MARKER = `${GENERATED}/.state`;
const MARKER_FILE = join(ROOT, MARKER);
const SOURCES = ['src', 'prisma/schema.prisma', 'scripts', 'codegen.ts', 'prisma.config.ts'];
const PACKAGES = ['package.json', 'package-lock.json', 'node_modules/.package-lock.json'];
const STEPS = [
  ['node_modules/prisma/build/index.js', 'generate', '--no-hints'],
  ['node_modules/tsx/dist/cli.mjs', 'scripts/print-schema.ts'],
  ['node_modules/@graphql-codegen/cli/esm/bin.js'],
];

const sources = () => fingerprint([...SOURCES, ...PACKAGES], GENERATED);
const results = () => fingerprint([GENERATED, 'schema.graphql'], MARKER);
const isGenerated = () =>
  existsSync(MARKER_FILE) && readFileSync(MARKER_FILE, 'utf8') === `${sources()} ${results()}`;

function generate() {
  // Before the steps: a source that changes meanwhile is generated from next time.
  const from = sources();
  rmSync(MARKER_FILE, { force: true });
  for (const step of STEPS) {
    const { status } = spawnSync(process.execPath, step, { cwd: ROOT, stdio: 'inherit' });
    if (status !== 0) return status ?? 1;
  }
  writeFileSync(MARKER_FILE, `${from} ${results()}`);
  return 0;
}

process.exitCode = !process.argv.includes('--force') && isGenerated() ? 0 : generate();
