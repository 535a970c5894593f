import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql/sql.ts';
import { verifyChains } from '../../../src/domain/events/audit-verify.ts';
import { updateFolder } from '../../../src/domain/folders/folder-change.ts';
import { createFolders } from '../../../src/domain/folders/folder-create.ts';
import { completeStates } from '../../../src/domain/history/complete-states.ts';
import { pastContext } from '../../../src/domain/history/past-context.ts';
import { changedStates } from '../../../src/domain/kernel/record/state-write.ts';
import { deleteProjects } from '../../../src/domain/projects/project-delete.ts';
import { purgeProjects } from '../../../src/domain/projects/project-purge.ts';
import { newDatabase } from '../../support/database.ts';
import { staleStates } from '../../support/history/stale-states.ts';
import { explaining } from '../../support/plans.ts';
import { newWorld } from '../../support/world.ts';

async function setUp() {
  const db = await newDatabase();
  const world = await newWorld(db);
  const ctx = await world.owner.context();
  const folders = await createFolders(ctx, {
    projectId: world.project.id,
    folders: ['a', 'b', 'c'].map((name) => ({ name })),
  });
  const organizationId = world.organization.id;
  const head = () => db.prisma.eventHead.findUniqueOrThrow({ where: { organizationId } });
  const findings = async () => {
    const found = [];
    for await (const { finding } of verifyChains(db, organizationId)) found.push(finding?.text);
    return found;
  };
  return { ...world, ctx, organizationId, folderIds: folders.map(({ id }) => id), head, findings };
}

describe('the past of a table', () => {
  it.each([
    'projects',
    'project_settings',
    'folders',
    'fields',
    'documents',
    'revisions',
  ])('has all columns of %s', async (table) => {
    const { db, ctx, organizationId } = await setUp();
    const past = pastContext(ctx, { organizationId, sequence: 1n });
    const read = async (on: Pick<typeof db, 'query'>) =>
      Object.keys(
        (
          await on.query<object>(
            sql`SELECT x.* FROM (SELECT) one LEFT JOIN ${sql.raw(table)} x ON true LIMIT 1`,
          )
        )[0] ?? {},
      ).sort();
    expect(await read(past.db)).toEqual(await read(db));
  });
});

describe('states', () => {
  it.runIf(process.env.TEST_DATABASE_URL)(
    'are compared by the key of the item, however many others there are',
    async () => {
      const { db, organizationId, folderIds, project } = await setUp();
      const { lines, reader } = explaining(db);
      await changedStates(reader, organizationId, folderIds.slice(0, 1));
      await changedStates(reader, organizationId, [...folderIds, project.id]);
      const scans = lines.filter((line) => / on states\b/.test(line));
      expect(scans.length).toBe(2);
      expect(scans.filter((line) => !line.includes('using states_pkey'))).toEqual([]);
    },
  );

  it('are recorded for what an earlier server wrote, from then on', async () => {
    const { db, organizationId, head, findings } = await setUp();
    await db.query(sql`DELETE FROM states`);
    await db.query(sql`UPDATE events SET state_hash = NULL`);
    await db.query(sql`UPDATE event_heads SET states_since = NULL, states_until = 0`);
    const before = await head();
    expect(await completeStates(db, 2)).toBe(2);
    const after = await head();
    expect(after.sequence).toBe(before.sequence + 2n);
    expect(after).toMatchObject({ statesSince: after.sequence, statesUntil: after.sequence });
    expect(await staleStates(db, organizationId)).toEqual([]);
    expect(await db.prisma.state.count({ where: { organizationId } })).toBe(4);
    expect(await completeStates(db)).toBe(0);
    expect((await head()).sequence).toBe(after.sequence);
    expect((await findings())[0]).toContain('altered or replaced');
  });

  it('are not complete after an event of an earlier server, until they are compared again', async () => {
    const { db, ctx, organizationId, folderIds, head } = await setUp();
    await db.query(sql`UPDATE folders SET name = 'by an earlier server' WHERE id = ${folderIds[0]}`);
    await db.query(
      sql`UPDATE event_heads SET states_until = sequence - 1 WHERE organization_id = ${organizationId}`,
    );
    await updateFolder(ctx, { folderId: folderIds[1] as string, name: 'by this one' });
    expect((await head()).statesSince).toBeNull();
    expect(await completeStates(db)).toBe(1);
    const { statesSince, sequence } = await head();
    expect(statesSince).toBe(sequence);
    expect(await staleStates(db, organizationId)).toEqual([]);
  });

  it('are compared with the log: one that was altered, added or removed is found', async () => {
    const { db, organizationId, folderIds, findings } = await setUp();
    expect(await findings()).toEqual([undefined]);
    const where = sql`organization_id = ${organizationId} AND subject_id = ${folderIds[0]}`;
    const [{ body }] = (await db.query<{ body: object }>(sql`SELECT body FROM states WHERE ${where}`)) as [
      { body: object },
    ];
    await db.query(sql`UPDATE states SET body = jsonb_set(body, '{name}', '"x"') WHERE ${where}`);
    expect((await findings())[0]).toContain(`recorded another state of ${folderIds[0]}`);
    await db.query(sql`UPDATE states SET body = ${JSON.stringify(body)}::jsonb WHERE ${where}`);
    expect(await findings()).toEqual([undefined]);
    await db.query(sql`UPDATE states SET hash = '\\x00' WHERE ${where}`);
    expect((await findings())[0]).toContain('recorded another state');
    await db.query(sql`DELETE FROM states WHERE ${where}`);
    expect((await findings())[0]).toContain('recorded other states');
  });

  it('lose their content with the project', async () => {
    const { db, ctx, organizationId, project, findings } = await setUp();
    await deleteProjects(ctx, { organizationId, projectIds: [project.id] });
    await purgeProjects(db, -1_000);
    const kept = await db.prisma.state.findMany({ where: { organizationId } });
    expect(kept.length).toBeGreaterThan(4);
    expect(kept.filter(({ body, salt }) => body !== null || salt !== null)).toEqual([]);
    expect(await findings()).toEqual([undefined]);
  });

  it.runIf(process.env.TEST_DATABASE_URL)(
    'follow from the tables after any number of changes at once',
    async () => {
      const { db, ctx, organizationId, folderIds, findings } = await setUp();
      const [outer, inner, third] = folderIds as [string, string, string];
      await Promise.all(
        Array.from({ length: 30 }, (_, n) =>
          updateFolder(ctx, {
            folderId: [outer, inner, third][n % 3] as string,
            name: `name ${n}`,
            ...(n % 3 === 1 && { parentId: n % 2 ? outer : null }),
          }),
        ),
      );
      expect(await staleStates(db, organizationId)).toEqual([]);
      expect(await findings()).toEqual([undefined]);
    },
  );
});
