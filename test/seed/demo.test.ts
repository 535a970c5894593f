import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedDemo } from '../../prisma/seed/demo.ts';
import { testStorage } from '../support/storage.ts';
import { config, newWorld } from '../support/world.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'docgraph-demo-'));
});
afterAll(() => rm(dataDir, { recursive: true }));

/** A start on a database that has users, with this demo.json, if any. */
async function startAgain(publicUrl: string, demo?: object) {
  const { db } = await newWorld();
  const file = join(dataDir, 'demo.json');
  await rm(file, { force: true });
  if (demo) await writeFile(file, JSON.stringify(demo), { mode: 0o600 });
  const signIn = await seedDemo(
    db,
    await testStorage(db),
    { dataDir, publicUrl, limits: config.limits },
    () => {},
  );
  return { signIn, file };
}

describe('the file demo.json at a later start', () => {
  const owner = { email: 'ann@example.com', password: 'secret', apiKey: 'dgk_1' };
  const demo = {
    url: 'http://localhost:4000',
    signingUrl: 'http://localhost:4000/sign/dgs_1',
    formUrl: null,
    organizationId: 'org_1',
    owner,
  };

  it('has the address of this start, also in its links, and else what it had', async () => {
    const { signIn, file } = await startAgain('https://docs.example.com', demo);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      ...demo,
      url: 'https://docs.example.com',
      signingUrl: 'https://docs.example.com/sign/dgs_1',
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(signIn).toEqual(owner);
  });

  it('is not made again once it was removed', async () => {
    const { signIn } = await startAgain('http://localhost:4000');
    expect(signIn).toBeUndefined();
  });
});
