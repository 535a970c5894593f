import { expect, it } from 'vitest';
import { sql } from '../../../src/db/sql/sql.ts';
import { createOrganizations } from '../../../src/domain/organizations/organization.ts';
import { testDatabase } from '../../support/database.ts';
import { config, newPerson } from '../../support/world.ts';

const named = (count: number) => ({
  organizations: Array.from({ length: count }, () => ({ name: 'Payroll' })),
});

it('one person creates ten organizations within a day, in one request or in many at once', async () => {
  const db = await testDatabase();
  const person = await newPerson(db);
  const ctx = { ...(await person.context()), limits: { ...config.limits, organizationsPerDay: 10 } };
  const conflict = { code: 'CONFLICT', at: 'organizations' };
  await expect(createOrganizations(ctx, named(11))).rejects.toMatchObject(conflict);
  await createOrganizations(ctx, named(6));
  const answers = await Promise.allSettled(
    Array.from({ length: 4 }, () => createOrganizations(ctx, named(2))),
  );
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  const where = { createdById: person.id };
  expect(await db.prisma.organization.count({ where })).toBe(10);
  await db.query(
    sql`UPDATE organizations SET created_at = now() - interval '25 hours' WHERE created_by_id = ${person.id}`,
  );
  expect(await createOrganizations(ctx, named(10))).toHaveLength(10);
});
