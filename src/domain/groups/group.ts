import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Group as GroupRow } from '../../generated/prisma/client.ts';
import { editsProjectOf } from '../access/access.ts';
import { visibleGroups, visibleMemberships } from '../access/access-person.ts';
import type { Context } from '../kernel/context.ts';
import { normalizedKey } from '../kernel/input.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import { finder } from '../kernel/relation.ts';
import { startsWith } from '../kernel/starts-with.ts';
import { tables } from '../kernel/tables.ts';
import type { Member } from '../organizations/member.ts';
import { personColumns } from '../users/person.ts';

/** People of an organization under a name. */
export type Group = GroupRow;

interface GroupFilter {
  /** Prefix of the name, in any case. */
  namePrefix?: string | null;
}

const startOf = ({ namePrefix }: GroupFilter): Sql =>
  namePrefix ? startsWith(sql`gr.name_key`, normalizedKey(namePrefix)) : sql`true`;

/** The groups of an organization. */
export const groupsOfOrganization: Listing<Group, GroupFilter, 'NAME' | 'CREATED_AT'> = {
  name: 'groupsOfOrganization',
  select: () => sql`gr.*`,
  from: tables.groups.from,
  where: ({ viewer }, filter) =>
    sql`gr.organization_id = k.id AND ${startOf(filter)} AND ${visibleGroups(viewer, tables.groups)}`,
  sorts: {
    NAME: { ...sortBy(sql`gr.id`, sql`gr.name_key`, 'text', (row) => row.nameKey), unique: true },
    CREATED_AT: sortBy(sql`gr.id`, sql`gr.created_at`, 'timestamptz', (row) => row.createdAt),
  },
};

/** The groups that a member of the organization, who is the parent, is in. */
export const groupsOfMember: Listing<Group, object, 'NAME'> = {
  name: 'groupsOfMember',
  select: () => sql`gr.*`,
  from: sql`memberships person
    JOIN group_members own ON own.organization_id = person.organization_id AND own.user_id = person.user_id
    JOIN ${tables.groups.from} ON gr.organization_id = own.organization_id AND gr.id = own.group_id`,
  where: ({ viewer }) =>
    sql`person.organization_id = k.organization_id AND person.id = k.id AND ${visibleGroups(viewer, tables.groups)}`,
  sorts: { NAME: groupsOfOrganization.sorts.NAME },
};

/** The groups that a step of a process names. */
export const groupsOfStep: Listing<Group, object, 'NAME'> = {
  name: 'groupsOfStep',
  select: () => sql`gr.*`,
  from: sql`process_step_groups y
    JOIN ${tables.groups.from} ON gr.organization_id = y.organization_id AND gr.id = y.group_id`,
  where: ({ viewer }) =>
    sql`y.organization_id = k.organization_id AND y.step_id = k.id AND ${visibleGroups(viewer, tables.groups)}`,
  sorts: { NAME: groupsOfOrganization.sorts.NAME },
};

/** The groups with which a form is shared; for those who do not edit it, the ones that they are in. */
export const groupsOfForm: Listing<Group, object, 'NAME'> = {
  name: 'groupsOfForm',
  select: () => sql`gr.*`,
  from: sql`form_group_shares y
    JOIN ${tables.formTemplates.from} ON t.organization_id = y.organization_id AND t.id = y.form_template_id
    JOIN ${tables.groups.from} ON gr.organization_id = y.organization_id AND gr.id = y.group_id`,
  where: ({ viewer }) => sql`y.organization_id = k.organization_id AND y.form_template_id = k.id
    AND (${editsProjectOf(tables.formTemplates, viewer)} OR EXISTS (SELECT FROM group_members gm
      WHERE gm.organization_id = y.organization_id AND gm.group_id = y.group_id AND gm.user_id = ${viewer.userId}))
    AND ${visibleGroups(viewer, tables.groups)}`,
  sorts: { NAME: groupsOfOrganization.sorts.NAME },
};

/** The members of a group whom the viewer sees. */
export const membersOfGroup: Listing<Member, object, 'NAME'> = {
  name: 'membersOfGroup',
  select: () => sql`m.*, ${personColumns(tables.users)}`,
  from: sql`group_members own
    JOIN ${tables.memberships.from} ON m.organization_id = own.organization_id AND m.user_id = own.user_id
    JOIN ${tables.users.from} ON u.id = m.user_id`,
  where: ({ viewer }) => sql`own.organization_id = k.organization_id AND own.group_id = k.id
    AND ${visibleMemberships(viewer, tables.memberships)}`,
  sorts: { NAME: sortBy(sql`m.id`, sql`m.name_key`, 'text', (row) => row.nameKey) },
};

/** Reads the visible groups with these ids. */
export const findGroups = finder<Group>(
  ({ viewer }, are) =>
    sql`SELECT gr.* FROM ${tables.groups.from} WHERE gr.id ${are} AND ${visibleGroups(viewer, tables.groups)}`,
);

/** The visible groups of an organization with these ids. */
export const findGroupsOf = async (
  ctx: Context,
  tx: Reader,
  organizationId: string,
  ids: readonly string[],
): Promise<Group[]> =>
  (await findGroups(ctx, ids, tx)).filter((group) => group.organizationId === organizationId);
