import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { ProjectGroup as ProjectGroupRow } from '../../generated/prisma/client.ts';
import { visibleProjectGroups } from '../access/access-person.ts';
import type { Context } from '../kernel/context.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import { tables } from '../kernel/tables.ts';

/** A group that is a member of a project, with its name. id: its position in a list, the id of the group or of the project. */
export type ProjectGroup = ProjectGroupRow & { id: string; name: string; nameKey: string };

type ProjectGroupListing = Listing<ProjectGroup, object, 'NAME'>;

const columns = sql`pg.*, pg.group_id AS id, gr.name, gr.name_key`;
const from = sql`${tables.projectGroups.from}
  JOIN ${tables.groups.from} ON gr.organization_id = pg.organization_id AND gr.id = pg.group_id`;

const byGroup: ProjectGroupListing['sorts'] = {
  NAME: { ...sortBy(sql`pg.group_id`, sql`gr.name_key`, 'text', (row) => row.nameKey), unique: true },
};

/** The groups of a project that the viewer sees. */
export const groupsOfProject: ProjectGroupListing = {
  name: 'groupsOfProject',
  select: () => columns,
  from,
  where: ({ viewer }) =>
    sql`pg.organization_id = k.organization_id AND pg.project_id = k.id AND ${visibleProjectGroups(viewer, tables.projectGroups)}`,
  sorts: byGroup,
};

/** The groups through which a person, whose ProjectMember is the parent, is in a project. */
export const groupsOfProjectMember: ProjectGroupListing = {
  name: 'groupsOfProjectMember',
  select: () => columns,
  from: sql`project_members own JOIN ${tables.projectGroups.from} ON pg.organization_id = own.organization_id AND pg.project_id = own.project_id
    JOIN group_members gm ON gm.organization_id = own.organization_id AND gm.group_id = pg.group_id AND gm.user_id = own.user_id
    JOIN ${tables.groups.from} ON gr.organization_id = pg.organization_id AND gr.id = pg.group_id`,
  where: ({ viewer }) =>
    sql`own.organization_id = k.organization_id AND own.id = k.id AND ${visibleProjectGroups(viewer, tables.projectGroups)}`,
  sorts: byGroup,
};

/** The projects that a group is in, of those that the viewer sees. */
export const projectsOfGroup: ProjectGroupListing = {
  name: 'projectsOfGroup',
  select: () => sql`pg.*, pg.project_id AS id, gr.name, p.name_key`,
  from: sql`${from} JOIN ${tables.projects.from} ON p.organization_id = pg.organization_id AND p.id = pg.project_id`,
  where: ({ viewer }) =>
    sql`pg.organization_id = k.organization_id AND pg.group_id = k.id AND ${visibleProjectGroups(viewer, tables.projectGroups)}`,
  sorts: { NAME: sortBy(sql`pg.project_id`, sql`p.name_key`, 'text', (row) => row.nameKey) },
};

/** Returns these groups of a project, of those that the viewer sees, in any order. */
export const findProjectGroups = (
  { db, viewer }: Context,
  { id, organizationId }: { id: string; organizationId: string },
  groupIds: readonly string[],
  reader: Reader = db,
): Promise<ProjectGroup[]> =>
  reader.query<ProjectGroup>(sql`SELECT ${columns} FROM ${from} WHERE pg.organization_id = ${organizationId}
    AND pg.project_id = ${id} AND pg.group_id ${sql.any(groupIds)} AND ${visibleProjectGroups(viewer, tables.projectGroups)}`);

/** The groups through which a person is in a project, of those that the viewer sees, by name. */
export const findGroupsOfMember = (
  { db, viewer }: Context,
  { organizationId, id }: { organizationId: string; id: string },
  reader: Reader = db,
): Promise<ProjectGroup[]> =>
  reader.query<ProjectGroup>(sql`SELECT ${columns} FROM ${groupsOfProjectMember.from} WHERE own.organization_id = ${organizationId}
    AND own.id = ${id} AND ${visibleProjectGroups(viewer, tables.projectGroups)} ORDER BY gr.name_key LIMIT 10`);
