import { expect, it } from 'vitest';
import type { Sql } from '../../../src/db/sql/sql.ts';
import { sql } from '../../../src/db/sql/sql.ts';
import { claimRoundRobin } from '../../../src/domain/due-work/round-robin.ts';
import { newWorld } from '../../support/world.ts';

it('work that fails again and again in one organization does not keep the others waiting', async () => {
  const worlds = [await newWorld(), await newWorld(), await newWorld()];
  const [{ db }] = worlds as [(typeof worlds)[0]];
  const ids = worlds.map(({ organization }) => organization.id).sort();
  const [broken, ...others] = ids;
  const claim = async (condition: Sql, found: (organizationId: string) => void) => {
    const [row] = await db.query<{
      organizationId: string;
    }>(sql`SELECT id AS organization_id FROM organizations
      WHERE id = ANY(${ids}) AND id ${condition} ORDER BY id LIMIT 1`);
    if (row) found(row.organizationId);
    if (row?.organizationId === broken) throw new Error('broken');
    return row;
  };
  const served: string[] = [];
  for (let turn = 0; turn < 6; turn++)
    await claimRoundRobin(db, 'broken work', claim).then(
      (claimed) => served.push(claimed?.organizationId as string),
      () => served.push('failed'),
    );
  expect(served).toEqual(['failed', ...others, 'failed', ...others]);
});
