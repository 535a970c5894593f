import { afterAll, describe, expect, it } from 'vitest';
import { issueApiKey } from '../../../src/auth/api-key.ts';
import { viewerOfUser } from '../../../src/auth/viewer-of-user.ts';
import { openPostgres } from '../../../src/db/postgres/postgres.ts';
import { createOrganization } from '../../../src/domain/organizations/organization.ts';
import { newId } from '../../../src/lib/id.ts';
import { fromNow, MINUTE } from '../../../src/lib/time.ts';
import { emptyDatabase } from '../../support/database.ts';
import { type ServerProcess, startServers } from '../../support/servers/processes.ts';
import { testStorage } from '../../support/storage.ts';
import { config } from '../../support/world.ts';

/** Keeps the server where it has committed the effect, and is about to keep its answer. */
const STALL = `CREATE FUNCTION stall() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN IF NEW.answer IS NOT NULL THEN PERFORM pg_sleep(60); END IF; RETURN NEW; END $$;
  CREATE TRIGGER stall BEFORE UPDATE ON idempotency_keys FOR EACH ROW EXECUTE FUNCTION stall()`;

describe.runIf(process.env.TEST_DATABASE_URL)('a server that is killed', { timeout: 5 * MINUTE }, () => {
  const running: ServerProcess[] = [];
  afterAll(() => Promise.all(running.map((each) => each.stop())));

  it('between an effect and its answer has done it once, and a retry elsewhere says so', async () => {
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
    const made = () => db.prisma.organization.count({ where: { name: 'Quay' } });
    const lost = expect(create(first)).rejects.toThrow();
    while ((await made()) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await first.end('SIGKILL');
    await lost;
    await db.prisma.$executeRawUnsafe('DROP TRIGGER stall ON idempotency_keys');

    const early = await create(second);
    expect([early.status, early.headers.get('retry-after')]).toEqual([409, '1']);
    await db.prisma.idempotencyKey.updateMany({ data: { heldUntil: fromNow(-1) } });
    const late = await create(second);
    expect([late.status, await late.json()]).toEqual([
      409,
      expect.objectContaining({ message: expect.stringContaining('its answer was lost') }),
    ]);
    expect(await made()).toBe(1);
    await db.close();
  });
});
