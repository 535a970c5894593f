import { describe, expect, it } from 'vitest';
import type { Transaction } from '../../../src/db/database.ts';
import { sql } from '../../../src/db/sql/sql.ts';
import { inTransaction } from '../../../src/db/transaction.ts';
import { approvalsOfProject } from '../../../src/domain/approvals/approval.ts';
import { eventsOfOrganization } from '../../../src/domain/events/event-feed.ts';
import { type Listing, listPages, type Parent } from '../../../src/domain/kernel/listing.ts';
import { countRows } from '../../../src/domain/kernel/listing-count.ts';
import { declineForFormerApprovers } from '../../../src/domain/membership/former-approver.ts';
import { lockMembers } from '../../../src/domain/membership/member-guard.ts';
import { membersOfProject } from '../../../src/domain/membership/project-member.ts';
import { membersOfOrganization } from '../../../src/domain/organizations/member.ts';
import { tasksOfProject, tasksOfViewer } from '../../../src/domain/tasks/task.ts';
import { newDatabase } from '../../support/database.ts';
import { rowsRead } from '../../support/plans.ts';
import { newWorld } from '../../support/world.ts';

/** Members, tasks, runs and events; a filter that matches few of them may read this many rows. */
const MANY = 8_000;
const FEW = 1_500;

type AnyListing = Listing<{ id: string }, object, string>;

/** One of the tasks is due and one is called otherwise; one member is an admin; no run is of the second process. */
async function manyOfAll() {
  const db = await newDatabase();
  const world = await newWorld(db);
  const { organization, owner, project } = world;
  const org = organization.id;
  const all = sql`generate_series(1, ${MANY}::int) n`;
  const id = (prefix: string) => sql`${`${prefix}_${org}`} || n`;
  const statements = [
    sql`INSERT INTO users (id, email, name) SELECT ${id('usr')}, 'many' || n || '@example.test', 'Many ' || n FROM ${all}`,
    sql`INSERT INTO memberships (organization_id, id, user_id, role, created_by_id)
      SELECT ${org}, ${id('mem')}, ${id('usr')}, (CASE WHEN n = 4321 THEN 'ADMIN' ELSE 'MEMBER' END)::organization_role, ${owner.id} FROM ${all}`,
    sql`INSERT INTO project_members (organization_id, id, project_id, user_id, role, own_role, created_by_id)
      SELECT ${org}, ${id('pmb')}, ${project.id}, ${id('usr')}, r.role, r.role, ${owner.id}
      FROM ${all}, LATERAL (SELECT (CASE WHEN n = 4321 THEN 'ADMIN' ELSE 'VIEWER' END)::project_role) r(role)`,
    sql`INSERT INTO tasks (organization_id, id, project_id, name, name_key, assignee_email, due_at, created_by_id)
      SELECT ${org}, ${id('tsk')}, ${project.id}, 'n', CASE WHEN n = 4321 THEN 'zzz' ELSE 'n' || n END, ${owner.email},
        CASE WHEN n = 4321 THEN timestamptz '2020-01-01' END, CASE WHEN n = 4321 THEN ${`usr_${org}4321`} ELSE ${owner.id} END FROM ${all}`,
    sql`INSERT INTO processes (organization_id, id, project_id, name, name_key, created_by_id)
      SELECT ${org}, ${id('prc')}, ${project.id}, 'n', 'n', ${owner.id} FROM generate_series(1, 2) n`,
    sql`INSERT INTO process_steps (organization_id, id, process_id, rank, name, rule)
      SELECT ${org}, ${id('pst')}, ${id('prc')}, 1, 'n', 'ONE' FROM generate_series(1, 2) n`,
    sql`INSERT INTO process_runs (organization_id, id, project_id, process_id, task_id, created_by_id)
      SELECT ${org}, ${id('run')}, ${project.id}, ${`prc_${org}1`}, ${id('tsk')}, ${owner.id} FROM ${all}`,
    sql`INSERT INTO approvals (organization_id, id, project_id, run_id, step_id, rule)
      SELECT ${org}, ${id('apr')}, ${project.id}, ${id('run')}, ${`pst_${org}1`}, 'ONE' FROM ${all}`,
    sql`INSERT INTO approvers (organization_id, approval_id, user_id) SELECT ${org}, ${id('apr')}, ${owner.id} FROM ${all}`,
    sql`INSERT INTO events (organization_id, sequence, id, project_id, subject_id, kind, data, created_at, hash)
      SELECT ${org}, 1000 + n, ${id('evt')}, ${project.id}, ${id('tsk')}, CASE WHEN n = 4321 THEN 'task.denied' ELSE 'task.updated' END, '{}', now(), sha256('x')
      FROM ${all}`,
    sql`VACUUM ANALYZE`,
  ];
  for (const statement of statements) await db.query(statement);
  return world;
}

const orderedBy = (listing: AnyListing) => ({
  field: Object.keys(listing.sorts)[0] as string,
  direction: 'ASC' as const,
});

describe.runIf(process.env.TEST_DATABASE_URL)('a large organization on PostgreSQL', () => {
  it('is filtered without reading all of it', async () => {
    const world = await manyOfAll();
    const { db, organization, owner, project } = world;
    const ctx = await owner.context();
    const parents = {
      organization: { organizationId: organization.id, id: organization.id },
      project,
      viewer: { organizationId: '', id: owner.id },
    };
    const due = { dueBefore: new Date('2021-01-01') };
    const other = { createdById: `usr_${organization.id}4321` };
    const people = [{ roles: ['ADMIN'] }, { namePrefix: 'many 77' }, { emailPrefix: 'many77' }];
    const cases: [unknown, Parent, string, number, object[]][] = [
      [membersOfOrganization, parents.organization, 'memberships', 1, people],
      [membersOfProject, parents.project, 'project_members', 1, people],
      [tasksOfProject, parents.project, 'tasks', 1, [due, { overdue: true }, { namePrefix: 'zz' }, other]],
      [tasksOfViewer, parents.viewer, 'tasks', 1, [due, { overdue: true }, { namePrefix: 'zz' }, other]],
      [approvalsOfProject, parents.project, 'approvals', 0, [{ processId: `prc_${organization.id}2` }]],
      [
        eventsOfOrganization(ctx, organization.id),
        parents.organization,
        'events',
        1,
        [{ kinds: ['task.denied'] }],
      ],
    ];
    await inTransaction(db, async (tx: Transaction) => {
      for (const [list, parent, table, found, filters] of cases)
        for (const filter of filters) {
          const listing = list as AnyListing;
          const page = { first: 5, filter, orderBy: orderedBy(listing) };
          const read = await rowsRead(
            tx,
            async () => {
              const [rows] = await listPages(ctx, listing, [parent], page, { reader: tx });
              const [total] = await countRows(ctx, listing, [parent], filter, tx);
              expect([listing.name, filter, (rows?.rows.length ?? 0) >= found, total?.exact]).toEqual([
                listing.name,
                filter,
                true,
                true,
              ]);
              if (found === 0) expect(total?.count).toBe(0);
            },
            table,
          );
          expect([listing.name, filter, read, read < FEW]).toEqual([listing.name, filter, read, true]);
        }
    });
    await db.close();
  });

  it('shows what waits for a person without reading all of it', async () => {
    const { db, owner, project } = await manyOfAll();
    const ctx = await owner.context();
    const orderBy = { field: 'CREATED_AT', direction: 'ASC' } as const;
    await inTransaction(db, async (tx) => {
      const page = { first: 25, filter: {}, orderBy };
      const read = () => listPages(ctx, approvalsOfProject, [project], page, { reader: tx });
      expect(await rowsRead(tx, read, 'approvers')).toBeLessThan(FEW);
    });
    await db.close();
  });

  it('changes a member without reading all members and approvals', async () => {
    const { db, owner, organization } = await manyOfAll();
    const ctx = await owner.context();
    const organizationId = organization.id;
    const change = { organizationId, userIds: [`usr_${organizationId}9`] };
    await inTransaction(db, async (tx) => {
      const lock = () => lockMembers(ctx, tx, organizationId, [`mem_${organizationId}9`]);
      expect(await rowsRead(tx, lock, 'memberships')).toBeLessThan(100);
      const decline = () => declineForFormerApprovers(ctx, tx, change);
      expect(await rowsRead(tx, decline, 'approvals')).toBeLessThan(100);
    });
    await db.close();
  });
});
