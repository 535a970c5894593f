import { describe, expect, it } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { sql } from '../../../src/db/sql/sql.ts';
import {
  mayHavePartialProjects,
  seesAllContent,
  visibleDocuments,
  visibleFolders,
  visibleProcessRuns,
  visibleProjects,
  visibleTasks,
} from '../../../src/domain/access/access.ts';
import { visibleEvents } from '../../../src/domain/access/access-event.ts';
import { visibleFormTemplates } from '../../../src/domain/access/access-form.ts';
import { tables } from '../../../src/domain/kernel/tables.ts';
import type { Viewer } from '../../../src/domain/kernel/viewer.ts';
import { mixedRights } from '../../support/mixed-rights.ts';
import { newDocuments } from '../../support/storage.ts';
import { joinProject, newMember, newWorld, type Person } from '../../support/world.ts';

const viewerOf = async (person: Person): Promise<Viewer> => (await person.context()).viewer;

/** The same viewer without `seesAllContent`, whose reads check each object. */
const asking = (viewer: Viewer): Viewer => ({
  ...viewer,
  memberships: viewer.memberships.map((each) => ({ ...each, seesAllContent: false })),
});

/** The ids of all visible objects of a viewer. */
async function visibleIds(db: Database, viewer: Viewer): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    SELECT d.id FROM ${tables.documents.from} WHERE ${visibleDocuments(viewer, tables.documents)}
    UNION ALL SELECT f.id FROM ${tables.folders.from} WHERE ${visibleFolders(viewer, tables.folders)}
    UNION ALL SELECT t.id FROM ${tables.tasks.from} WHERE ${visibleTasks(viewer, tables.tasks)}
    UNION ALL SELECT t.id FROM ${tables.formTemplates.from} WHERE ${visibleFormTemplates(viewer, tables.formTemplates)}
    UNION ALL SELECT r.id FROM ${tables.processRuns.from} WHERE ${visibleProcessRuns(viewer, tables.processRuns)}
    UNION ALL SELECT e.id FROM ${tables.events.from} WHERE ${visibleEvents(viewer, tables.events)}`);
  return rows.map(({ id }) => id).sort();
}

describe('seesAllContent of a membership', () => {
  it.each([
    ['OWNER', 'RESTRICTED', undefined, true],
    ['ADMIN', 'RESTRICTED', 'VIEWER', true],
    ['MEMBER', 'OPEN', undefined, true],
    ['MEMBER', 'OPEN', 'VIEWER', true],
    ['MEMBER', 'RESTRICTED', undefined, true],
    ['MEMBER', 'RESTRICTED', 'EDITOR', false],
    ['MEMBER', 'RESTRICTED', 'VIEWER', false],
    ['MEMBER', 'RESTRICTED', 'ADMIN', true],
    ['GUEST', 'OPEN', 'VIEWER', true],
    ['GUEST', 'OPEN', undefined, true],
    ['GUEST', 'RESTRICTED', 'ADMIN', false],
  ] as const)('of the role %s, with a project that is %s and the project role %s: %s', async (role, access, within, seesAll) => {
    const { db, organization, project } = await newWorld();
    await db.prisma.project.updateMany({ where: { id: project.id }, data: { access } });
    const person = await newMember(db, organization.id, role);
    if (within) await joinProject(db, project, person, within);
    expect((await viewerOf(person)).memberships.map((each) => each.seesAllContent)).toEqual([seesAll]);
  });

  it('is false for a member of more than 20 projects', async () => {
    const { db, organization, owner } = await newWorld();
    const person = await newMember(db, organization.id, 'MEMBER');
    const join = (from: number, to: number) =>
      db.query(sql`WITH made AS (INSERT INTO projects (organization_id, id, name, name_key, access, created_by_id)
          SELECT ${organization.id}, 'prj_' || right(${organization.id}, 20) || lpad(n::text, 6, '0'), 'P', 'p' || n, 'OPEN', ${owner.id}
          FROM generate_series(${from}::int, ${to}::int) n RETURNING *)
        INSERT INTO project_members (organization_id, id, project_id, user_id, role, created_by_id)
        SELECT organization_id, replace(id, 'prj', 'pmb'), id, ${person.id}, 'EDITOR', ${owner.id} FROM made`);
    const seesAllContent = async () => (await viewerOf(person)).memberships[0]?.seesAllContent;
    await join(1, 20);
    expect(await seesAllContent()).toBe(true);
    await join(21, 21);
    expect(await seesAllContent()).toBe(false);
  });

  it('does not change which objects are visible', async () => {
    const { db, people } = await mixedRights();
    let seesAll = 0;
    for (const person of people) {
      const viewer = await viewerOf(person);
      const parts = await db.query(
        sql`SELECT FROM ${tables.projects.from} WHERE ${visibleProjects(viewer, tables.projects)} AND NOT ${seesAllContent(viewer, tables.projects)}`,
      );
      expect(mayHavePartialProjects(viewer)).toBe(parts.length > 0);
      expect(await visibleIds(db, viewer)).toEqual(await visibleIds(db, asking(viewer)));
      seesAll += Number(!mayHavePartialProjects(viewer));
    }
    expect([seesAll > 1, people.length - seesAll > 1]).toEqual([true, true]);
  });

  it('does not disclose a project that becomes restricted during the request', async () => {
    const { db, owner, organization, project } = await newWorld();
    const person = await newMember(db, organization.id, 'MEMBER');
    await joinProject(db, project, person, 'EDITOR');
    const [ownDocument] = await newDocuments(await person.context(), project.id, [{ name: 'mine' }]);
    const [otherDocument] = await newDocuments(await owner.context(), project.id, [{ name: 'theirs' }]);
    const before = await viewerOf(person);
    const ids = async (viewer: Viewer) => {
      const rows = await db.query<{ id: string }>(
        sql`SELECT d.id FROM ${tables.documents.from} WHERE d.project_id = ${project.id} AND ${visibleDocuments(viewer, tables.documents)} ORDER BY d.created_at`,
      );
      return rows.map(({ id }) => id);
    };
    expect(await ids(before)).toEqual([ownDocument?.id, otherDocument?.id]);
    await db.prisma.project.updateMany({ where: { id: project.id }, data: { access: 'RESTRICTED' } });
    expect([await ids(before), await ids(await viewerOf(person))]).toEqual([[], [ownDocument?.id]]);
  });
});
