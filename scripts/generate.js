// `npm run generate`: Prisma's client, schema.graphql, the types of the stored operations, and files that browsers load. Does
// nothing when neither the sources nor what was generated from them have changed. With --force it always generates.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprint, ROOT } from './fingerprint.js';
import { requireInstalled } from './installed.js';

const GENERATED = 'src/generated';
const MARKER = `${GENERATED}/.state`;
const MARKER_FILE = join(ROOT, MARKER);
const SOURCES = [
  'src',
  'packages/client/src',
  'docs',
  'prisma/schema.prisma',
  'scripts',
  'codegen.ts',
  'prisma.config.ts',
];
const PACKAGES = ['package.json', 'package-lock.json', 'node_modules/.package-lock.json'];
const PRISMA = ['node_modules/prisma/build/index.js', 'generate', '--no-hints'];
const SCHEMA = ['node_modules/tsx/dist/cli.mjs', 'scripts/print-schema.ts'];
const OPERATIONS = ['node_modules/@graphql-codegen/cli/esm/bin.js'];
const ASSETS = ['scripts/page-assets.js'];

const sources = () => fingerprint([...SOURCES, ...PACKAGES], GENERATED);
const results = () => fingerprint([GENERATED, 'schema.graphql'], MARKER);
const schemaText = () => readFileSync(join(ROOT, 'schema.graphql'), 'utf8');
const isGenerated = () =>
  existsSync(MARKER_FILE) && readFileSync(MARKER_FILE, 'utf8') === `${sources()} ${results()}`;

/**
 * Runs a program of node. Resolves to its exit code and what it printed.
 *
 * @param {string[]} args
 * @returns {Promise<{ code: number, output: string }>}
 */
function node(args) {
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code: code ?? 1, output })));
}

/** The results of the steps up to the first that failed. The operations' types depend only on schema.graphql, which rarely changes. */
async function steps() {
  const before = schemaText();
  const [prisma, operations, assets] = await Promise.all([node(PRISMA), node(OPERATIONS), node(ASSETS)]);
  if (prisma.code || assets.code) return [prisma, assets];
  const schema = await node(SCHEMA);
  if (schema.code) return [prisma, schema];
  const isCurrent = operations.code === 0 && schemaText() === before;
  return [prisma, schema, isCurrent ? operations : await node(OPERATIONS)];
}

async function generate() {
  console.log('Generating the database client, the schema and the operations …');
  // Before the steps: a source that changes meanwhile is generated from next time.
  const from = sources();
  rmSync(MARKER_FILE, { force: true });
  const failed = (await steps()).find(({ code }) => code !== 0);
  if (failed) {
    console.error(failed.output);
    return failed.code;
  }
  writeFileSync(MARKER_FILE, `${from} ${results()}`);
  return 0;
}

requireInstalled();
process.exitCode = !process.argv.includes('--force') && isGenerated() ? 0 : await generate();
