import { afterAll, describe, expect, it } from 'vitest';
import { issueApiKey } from '../../../src/auth/api-key.ts';
import { openPostgres } from '../../../src/db/postgres/postgres.ts';
import { createOrganization } from '../../../src/domain/organizations/organization.ts';
import { viewerOfUser } from '../../../src/domain/users/viewer-of-user.ts';
import { newId } from '../../../src/lib/id.ts';
import { fromNow, MINUTE } from '../../../src/lib/time.ts';
import { emptyDatabase } from '../../support/database.ts';
import { type ServerProcess, startServers } from '../../support/servers/processes.ts';
import { testStorage } from '../../support/storage.ts';
import { config } from '../../support/world.ts';

/** Blocks the server after it has committed the effect and before it stores the answer. */
const STALL = `CREATE FUNCTION stall() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN IF NEW.answer IS NOT NULL THEN PERFORM pg_sleep(60); END IF; RETURN NEW; END $$;
  CREATE TRIGGER stall BEFORE UPDATE ON idempotency_keys FOR EACH ROW EXECUTE FUNCTION stall()`;

describe.runIf(process.env.TEST_DATABASE_URL)('a server that is killed', { timeout: 5 * MINUTE }, () => {
  const running: ServerProcess[] = [];
  afterAll(() => Promise.all(running.map((each) => each.stop())));

  it('between an effect and its stored answer leaves one effect, and a retry on another server answers 409', async () => {
    const url = await emptyDatabase();
    for (let index = 0; index < 2; index++) running.push(...(await startServers(1, url, config.publicUrl)));
    const [first, second] = running as [ServerProcess, ServerProcess];
    const db = await openPostgres({ url, pool: 2, statementTimeout: 10_000 });
    const userId = newId('User');
    await db.prisma.user.create({ data: { id: userId, email: 'ada@example.test', name: 'Ada' } });
    const { secret } = await issueApiKey(db.prisma, { userId, name: 'k', scopes: ['read', 'write'] });
    const viewer = await viewerOfUser(db, userId, 'test');
    const ctx = { db, storage: await testStorage(db), viewer, limits: config.limits, requestId: 'test' };
    await createOrganization(ctx, { name: 'Harbor' });
    for (const statement of STALL.split(/;\n {2}(?=CREATE TRIGGER)/))
      await db.prisma.$executeRawUnsafe(statement);

    const create = (server: ServerProcess) =>
      fetch(`${server.url}/api/v1/organizations`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'idempotency-key': 'the one' },
        body: JSON.stringify([{ Name: 'Quay' }]),
      });
    const organizationCount = () => db.prisma.organization.count({ where: { name: 'Quay' } });
    const lostResponse = expect(create(first)).rejects.toThrow();
    while ((await organizationCount()) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await first.end('SIGKILL');
    await lostResponse;
    await db.prisma.$executeRawUnsafe('DROP TRIGGER stall ON idempotency_keys');

    const retryDuringLock = await create(second);
    expect([retryDuringLock.status, retryDuringLock.headers.get('retry-after')]).toEqual([409, '1']);
    await db.prisma.idempotencyKey.updateMany({ data: { heldUntil: fromNow(-1) } });
    const retryAfterLock = await create(second);
    expect([retryAfterLock.status, await retryAfterLock.json()]).toEqual([
      409,
      expect.objectContaining({ message: expect.stringContaining('its answer was lost') }),
    ]);
    expect(await organizationCount()).toBe(1);
    await db.close();
  });
});
