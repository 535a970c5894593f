import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { PathOf } from '../kernel/batch.ts';
import { conflict } from '../kernel/errors.ts';
import type { MemberPair } from './settle-members.ts';

/**
 * Members times projects of a group, and the memberships that one command changes by groups: each is a row and an event, and
 * other writers of the organization wait for the events.
 */
const MAX_MEMBERSHIPS = 20_000;

/** Locks groups against changes of their members and projects; before the memberships of people, in the order of ids. */
export const lockGroups = (tx: Transaction, organizationId: string, ids: readonly string[]) =>
  tx.query(sql`SELECT id FROM groups WHERE organization_id = ${organizationId} AND id ${sql.any(ids)}
    ORDER BY id FOR NO KEY UPDATE`);

/** Locks the memberships of all who are in these groups, which are locked: no role changes meanwhile, and nobody leaves. */
export const lockPeopleOf = (tx: Transaction, organizationId: string, groupIds: readonly string[]) =>
  tx.query(sql`SELECT m.id FROM memberships m WHERE m.organization_id = ${organizationId} AND m.user_id IN (
    SELECT gm.user_id FROM group_members gm WHERE gm.organization_id = ${organizationId} AND gm.group_id ${sql.any(groupIds)})
    ORDER BY m.id FOR NO KEY UPDATE OF m`);

/** The ids of all who are in these groups. */
export async function peopleOf(
  tx: Transaction,
  organizationId: string,
  groupIds: readonly string[],
): Promise<string[]> {
  if (groupIds.length === 0) return [];
  const rows = await tx.query<{ userId: string }>(sql`SELECT DISTINCT gm.user_id FROM group_members gm
    WHERE gm.organization_id = ${organizationId} AND gm.group_id ${sql.any(groupIds)}`);
  return rows.map(({ userId }) => userId);
}

/** The ids of the projects of a group, deleted ones too, which are kept from being purged until the transaction ends. */
export async function projectsOf(
  tx: Transaction,
  organizationId: string,
  groupIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`SELECT p.id FROM projects p
    WHERE p.organization_id = ${organizationId} AND p.id IN (SELECT pg.project_id FROM project_groups pg
      WHERE pg.organization_id = ${organizationId} AND pg.group_id ${sql.any(groupIds)})
    ORDER BY p.id FOR KEY SHARE OF p`);
  return rows.map(({ id }) => id);
}

/** Everyone in these groups with each of these projects that their group is in. Throws CONFLICT for more than one command changes. */
export async function pairsOfGroups(
  tx: Transaction,
  organizationId: string,
  { groupIds, projectIds }: { groupIds: readonly string[]; projectIds: readonly string[] },
  at: string,
): Promise<MemberPair[]> {
  if (groupIds.length === 0 || projectIds.length === 0) return [];
  const rows = await tx.query<MemberPair>(sql`
    SELECT pg.project_id, gm.user_id, array_agg(pg.group_id ORDER BY pg.group_id) AS group_ids
    FROM project_groups pg JOIN group_members gm ON gm.organization_id = pg.organization_id AND gm.group_id = pg.group_id
    WHERE pg.organization_id = ${organizationId} AND pg.group_id ${sql.any(groupIds)} AND pg.project_id ${sql.any(projectIds)}
    GROUP BY pg.project_id, gm.user_id ORDER BY pg.project_id, gm.user_id LIMIT ${MAX_MEMBERSHIPS + 1}`);
  if (rows.length > MAX_MEMBERSHIPS)
    throw conflict('One command changes at most 20,000 memberships of projects by groups.', at);
  return rows;
}

/** Throws CONFLICT for a group with too many members times projects. Called after the change, with the groups locked. */
export async function requireBounded(
  tx: Transaction,
  organizationId: string,
  groupIds: readonly string[],
  pathOf: PathOf,
): Promise<void> {
  if (groupIds.length === 0) return;
  const [tooLarge] = await tx.query<{ id: string }>(sql`SELECT gr.id FROM groups gr
    WHERE gr.organization_id = ${organizationId} AND gr.id ${sql.any(groupIds)}
    AND (SELECT count(*) FROM group_members gm WHERE gm.organization_id = gr.organization_id AND gm.group_id = gr.id)
      * (SELECT count(*) FROM project_groups pg WHERE pg.organization_id = gr.organization_id AND pg.group_id = gr.id)
      > ${MAX_MEMBERSHIPS} ORDER BY gr.id LIMIT 1`);
  if (tooLarge)
    throw conflict(
      'The members of a group, times the projects that it is in, are at most 20,000.',
      pathOf(tooLarge.id),
    );
}
