import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requireOwnStore } from '../../src/domain/maintenance/store-owner.ts';
import { explain } from '../../src/startup/explain.ts';
import { openStorage } from '../../src/startup/storage.ts';
import { testDatabase } from '../support/database.ts';
import { config } from '../support/world.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'docgraph-storage-'));
});
afterEach(() => {
  spawnSync('umount', [dataDir]);
  rmSync(dataDir, { recursive: true, force: true });
});

/** What a start prints when the files cannot be used; fails if they can. */
async function refusal(): Promise<unknown> {
  const db = await testDatabase();
  try {
    const { store } = await openStorage({ ...config, dataDir, s3: undefined }, db);
    await requireOwnStore(db, store);
  } catch (error) {
    return explain(error);
  }
  throw new Error('the folder was accepted');
}

const mount = (options: string) => spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', dataDir]);
const ADVICE = 'Set DATA_DIR to a folder for the files, or S3_BUCKET.';

describe('a data folder beside PostgreSQL', () => {
  it('is refused in one line when it is a file', async () => {
    const file = join(dataDir, 'file');
    writeFileSync(file, '');
    dataDir = file;
    expect(await refusal()).toBe(`The data folder ${file} cannot be used: a file is in its path. ${ADVICE}`);
  });
});

const mounts = spawnSync('mount', ['-V']).status === 0 && process.getuid?.() === 0;

describe.skipIf(!mounts)('a data folder (needs the right to mount a tmpfs)', () => {
  it.each([
    '',
    '/new/folder',
  ])('is refused in one line when its file system is read-only%s', async (below) => {
    mount('ro');
    const mounted = dataDir;
    dataDir += below;
    const refused = await refusal();
    dataDir = mounted;
    expect(refused).toBe(
      `The data folder ${dataDir}${below} cannot be used: its file system is read-only. ${ADVICE}`,
    );
  });

  it('is refused in one line when its disk is full', async () => {
    mount('size=64k');
    const filled = spawnSync('dd', ['if=/dev/zero', `of=${join(dataDir, 'filler')}`, 'bs=4k', 'count=100']);
    expect(filled.status).toBe(1);
    expect(await refusal()).toBe(`The data folder ${dataDir} cannot be used: its disk is full. ${ADVICE}`);
    expect(existsSync(join(dataDir, 'files'))).toBe(true);
  });
});
