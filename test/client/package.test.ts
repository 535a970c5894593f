import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { generate } from '@graphql-codegen/cli';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sizeOf } from '../../packages/client/size.js';
import { clientServer } from './client-server.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PACKAGE = join(ROOT, 'packages/client');
const run = promisify(execFile);

let folder: string;
let server: Awaited<ReturnType<typeof clientServer>>;
/** A folder with nothing but the package, installed from its tarball. */
beforeAll(async () => {
  server = await clientServer();
  folder = await mkdtemp(join(tmpdir(), 'docgraph-package-'));
  await run('npm', ['pack', '--pack-destination', folder], { cwd: PACKAGE });
  const [tarball = ''] = await readdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await run('npm', ['install', '--no-audit', '--no-fund', '--offline', `./${tarball}`], { cwd: folder });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the workspace', () => {
  it('is linked by `npm ci` in the root, and has no dependencies', async () => {
    expect(await realpath(join(ROOT, 'node_modules/@docgraph/client'))).toBe(await realpath(PACKAGE));
    const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8'));
    const { version, license } = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8'));
    expect(packages['packages/client']).toEqual({ name: '@docgraph/client', version, license });
  });
});

describe('the packed package', () => {
  it('runs in an empty folder: a query, an upload from a path, and an error class', async () => {
    const program = `
      import { createClient, NotFoundError } from '@docgraph/client';
      import { fileSource } from '@docgraph/client/node';
      const [url, token, projectId] = process.argv.slice(2);
      const docgraph = createClient({ url, token });
      const { project } = await docgraph.request('query ($id: ID!) { project(id: $id) { name } }', { id: projectId });
      const { name, size } = await docgraph.upload(await fileSource('package.json'), { projectId });
      const error = await docgraph.request('{ project(id: "prj_x") { id } }').catch((each) => each);
      console.log(JSON.stringify([project.name, name, size > 0, error instanceof NotFoundError]));`;
    await writeFile(join(folder, 'program.js'), program);
    const args = ['program.js', server.url, server.owner.key, server.project.id];
    const { stdout } = await run(process.execPath, args, { cwd: folder });
    expect(JSON.parse(stdout)).toEqual(['Quay', 'package.json', true, true]);
  });

  it('has no dependencies, and only what is needed', async () => {
    expect(await readdir(join(folder, 'node_modules'))).toEqual(['.package-lock.json', '@docgraph']);
    const installed = join(folder, 'node_modules/@docgraph/client');
    expect((await readdir(installed)).sort()).toEqual(['README.md', 'dist', 'package.json', 'src']);
  });

  it('uses only what all runtimes have', async () => {
    const { code } = await sizeOf();
    expect(code).not.toMatch(/node:|\bBuffer\b|\bprocess\b|\brequire\b/);
  });

  it('is small: at most 8 KiB, minified and compressed', async () => {
    const { gzipped } = await sizeOf();
    expect(gzipped).toBeLessThanOrEqual(8_192);
  });

  it('has the size that its documentation says', async () => {
    const { minified, gzipped } = await sizeOf();
    const page = await readFile(join(ROOT, 'docs/client.md'), 'utf8');
    const kib = (bytes: number) => (bytes / 1_024).toFixed(1);
    expect(page).toContain(`${kib(minified)} KiB minified, ${kib(gzipped)} KiB with gzip`);
  });

  it('loses what is not imported', async () => {
    const entry = join(folder, 'only.js');
    await writeFile(entry, `export { verifyWebhook } from '@docgraph/client';`);
    expect((await sizeOf(entry)).gzipped).toBeLessThanOrEqual(1_024);
  });
});

/** What the blocks of the README take from the application around them. */
const SURROUNDINGS = `
  import type { Client } from '@docgraph/client';
  declare global {
    const docgraph: Client;
    const file: File;
    const controller: AbortController;
    const request: Request;
    const process: { env: { WEBHOOK_SECRET: string } };
    const [UPDATE, taskId]: string[];
  }`;

describe('the README of the package', () => {
  it('has blocks that compile with the types of the package, and of the generated operations', async () => {
    const readme = await readFile(join(PACKAGE, 'README.md'), 'utf8');
    const blocks = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, text]) => text as string);
    expect(blocks.length).toBeGreaterThan(7);
    await mkdir(join(folder, 'blocks'));
    await Promise.all(
      blocks.map((text, index) => writeFile(join(folder, `blocks/${index}.ts`), `${text}\nexport {};\n`)),
    );
    await generateOperations(join(folder, 'blocks'));
    await writeFile(join(folder, 'blocks/surroundings.d.ts'), SURROUNDINGS);
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'ES2022',
      lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
      types: [],
      module: 'ESNext',
      moduleResolution: 'bundler',
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['blocks'] }));
    const compiled = await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', '.'], { cwd: folder }).catch(
      ({ stdout }) => ({ stdout }),
    );
    expect(compiled.stdout).toBe('');
  });
});

/** As graphql-codegen writes them for the operations of the blocks. */
async function generateOperations(target: string) {
  const schema = join(ROOT, 'schema.graphql');
  const documents = [join(target, '*.ts')];
  const files: { filename: string; content: string }[] = await generate(
    { schema, documents, generates: { 'gql/': { preset: 'client' } }, silent: true },
    false,
  );
  for (const { filename, content } of files) {
    const path = join(target, filename);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  for (const name of ['graphql', '@graphql-typed-document-node']) {
    await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  }
}
