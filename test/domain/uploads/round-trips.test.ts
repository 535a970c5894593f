import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { openPostgres } from '../../../src/db/postgres/postgres.ts';
import { reserveUploads } from '../../../src/domain/uploads/upload.ts';
import { confirmUploads } from '../../../src/domain/uploads/upload-confirm.ts';
import { emptyDatabase } from '../../support/database.ts';
import { proxyBefore, type TcpProxy } from '../../support/servers/tcp-proxy.ts';
import { upload } from '../../support/storage.ts';
import { newWorld } from '../../support/world.ts';

/** Messages to other processes leave beside what is counted: those of the change before and of this one. */
const MESSAGES = 2;

describe.runIf(process.env.TEST_DATABASE_URL)('an upload waits for the database', () => {
  let proxy: TcpProxy;
  let db: Database;

  beforeAll(async () => {
    const before = await proxyBefore(await emptyDatabase());
    proxy = before.proxy;
    db = await openPostgres({ url: before.url, pool: 2, statementTimeout: 60_000 });
  });

  afterAll(async () => {
    await db.close();
    await proxy.close();
  });

  async function roundTrips(work: () => Promise<unknown>): Promise<number> {
    const before = proxy.roundTrips();
    await work();
    return proxy.roundTrips() - before;
  }

  it('three times for a reservation: to begin and read the project, to store it, to commit', async () => {
    const { owner, project } = await newWorld(db);
    const ctx = await owner.context();
    await reserveUploads(ctx, { projectId: project.id });
    const count = await roundTrips(() => reserveUploads(ctx, { projectId: project.id }));
    expect(count).toBeLessThanOrEqual(3 + MESSAGES);
  });

  it('seven times for a confirmation, of one file or of twenty', async () => {
    const { owner, project } = await newWorld(db);
    const ctx = await owner.context();
    const confirm = async (files: number) => {
      const names = Array.from({ length: files }, (_, at) => `${files} ${at}.txt`);
      const input = await Promise.all(
        names.map(async (name) => ({ name, uploadId: await upload(ctx, project.id, name) })),
      );
      return roundTrips(() => confirmUploads(ctx, { projectId: project.id, files: input }));
    };
    await confirm(2);
    expect([await confirm(1), await confirm(20)]).toEqual([
      expect.toSatisfy((count: number) => count <= 7 + MESSAGES),
      expect.toSatisfy((count: number) => count <= 7 + MESSAGES),
    ]);
  });
});
