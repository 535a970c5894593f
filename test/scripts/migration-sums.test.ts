import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runScript } from '../support/script.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'docgraph-migration-sums-'));
  write('1_init', 'CREATE TABLE "Thing" ("id" TEXT);\n');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const fileOf = (name: string) => join(root, 'prisma/migrations', name, 'migration.sql');
const sums = () => readFileSync(join(root, 'prisma/migrations/SHA256SUMS'), 'utf8');

function write(name: string, sql: string): void {
  mkdirSync(join(root, 'prisma/migrations', name), { recursive: true });
  writeFileSync(fileOf(name), sql);
}

const run = (...args: string[]) => runScript('migration-sums.ts', root, ...args);

describe('the checksums of the migrations', () => {
  it('are required of each migration, in the format of sha256sum', async () => {
    expect(await run('--check')).toEqual({
      code: 1,
      output: expect.stringContaining('1_init/migration.sql has no sum yet'),
    });
    expect(await run()).toEqual({ code: 0, output: '' });
    expect(sums()).toMatch(/^[0-9a-f]{64} {2}1_init\/migration\.sql\n$/);
    expect(await run('--check')).toEqual({ code: 0, output: '' });
  });

  it('prevent changing or removing a migration, also when new checksums are written', async () => {
    await run();
    const before = sums();
    appendFileSync(fileOf('1_init'), '-- tidied\n');
    write('2_more', 'SELECT 1;\n');
    for (const args of [['--check'], []])
      expect(await run(...args)).toEqual({
        code: 1,
        output: expect.stringContaining('1_init/migration.sql is not what it was'),
      });
    rmSync(join(root, 'prisma/migrations/1_init'), { recursive: true });
    expect(await run()).toMatchObject({ code: 1 });
    expect(sums()).toBe(before);
  });

  it('are the same for a checkout with other line endings', async () => {
    await run();
    write('1_init', 'CREATE TABLE "Thing" ("id" TEXT);\r\n');
    expect(await run('--check')).toEqual({ code: 0, output: '' });
  });
});
