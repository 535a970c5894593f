import { expect, it } from 'vitest';
import { COMMANDS } from '../../src/admin/commands.ts';
import { addUsage } from '../../src/domain/usage/usage-count.ts';
import { newId } from '../../src/lib/id.ts';
import { newClient } from '../support/oauth.ts';
import { testStorage } from '../support/storage.ts';
import { config, newWorld } from '../support/world.ts';

it('the operator sees what is deprecated, and whom to write to about it', async () => {
  const { db, owner, organization } = await newWorld();
  const { id } = await newClient(owner, organization.id, { name: 'Old "app"' });
  const key = await db.prisma.apiKey.findFirstOrThrow({ where: { userId: owner.id } });
  const gone = newId('Client');
  const lastAt = new Date();
  const mark = { day: lastAt.toISOString().slice(0, 10), kind: 'DEPRECATED' as const, lastAt };
  await addUsage(
    db,
    [],
    [
      { ...mark, usedBy: id, name: 'scope admin', count: 4 },
      { ...mark, usedBy: key.id, name: 'scope admin', count: 2 },
      { ...mark, usedBy: gone, name: 'Query.removed', count: 1 },
    ],
  );
  const storage = await testStorage(db);
  const text = await COMMANDS.deprecations?.run({ db, storage, limits: config.limits }, {});
  const lines = text?.split('\n') ?? [];
  const at = lastAt.toISOString();
  expect(lines).toContain(
    'scope admin: Use `organizations:read organizations:write events:read`. Deprecated since 2026-11-26, no removal is planned.',
  );
  expect(lines).toContain(`  ${id} "Old \\"app\\"" of "Harbor": 4 times, last ${at}`);
  expect(lines).toContain(`  ${key.id} "test" of "${owner.email}": 2 times, last ${at}`);
  expect(lines.slice(lines.indexOf('Query.removed: It is not there any more.'))).toContain(
    `  ${gone} (deleted): 1 times, last ${at}`,
  );
});
