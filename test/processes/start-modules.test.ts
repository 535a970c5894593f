import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newDataFolder } from '../support/servers/embedded-folder.ts';
import { freePort, start } from '../support/servers/processes.ts';

const LIMIT = 400_000;
const folder = mkdtempSync(join(tmpdir(), 'docgraph-modules-'));
const coverage = join(folder, 'coverage');

beforeAll(() => newDataFolder(join(folder, 'data')), LIMIT);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the start needs of node_modules: the log, numbers of fields, and the lock of the embedded database's folder. */
const LOADED = ['pino', '@prisma/client-runtime-utils', 'fs-native-extensions'];

/** Packages with their dependencies: 65 files in all. A start that loads many more takes longer. */
const MAX_FILES = 100;

/** The files that the main thread of a server loaded until it was ready; V8 lists them in the coverage that it writes. */
async function loadedFiles(): Promise<string[]> {
  const env = { DATABASE_URL: '', DATA_DIR: join(folder, 'data') };
  // The first start creates keys.
  await (await start(await freePort(), env)).end('SIGTERM');
  const server = await start(await freePort(), { ...env, NODE_V8_COVERAGE: coverage });
  await server.end('SIGTERM');
  const lists = readdirSync(coverage).map((name): string[] => {
    const { result } = JSON.parse(readFileSync(join(coverage, name), 'utf8'));
    return result.map(({ url }: { url: string }) => url).filter((url: string) => url.startsWith('file:'));
  });
  return lists.find((urls) => urls.some((url) => url.endsWith('/dist/src/main.js'))) ?? [];
}

/** The direct dependencies of which files were loaded. */
function packagesOf(urls: string[]): string[] {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  return Object.keys(dependencies).filter((name) =>
    urls.some((url) => url.includes(`/node_modules/${name}/`)),
  );
}

describe.runIf(process.env.TEST_SERVER)('the compiled server', () => {
  it(
    'loads few files at its start, and no package that only some requests need',
    async () => {
      const urls = await loadedFiles();
      expect(packagesOf(urls).sort()).toEqual(LOADED.toSorted());
      expect(urls.length).toBeLessThan(MAX_FILES);
    },
    LIMIT,
  );
});
