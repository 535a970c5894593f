import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { OrganizationRole, ProjectAccess, ProjectRole } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import type { Context } from '../kernel/context.ts';

/** A person and a project between which something has changed that the membership depends on. */
export interface MemberPair {
  projectId: string;
  userId: string;
  /** The own role that the person gets in the project; null takes it away, undefined leaves it. */
  own?: ProjectRole | null;
  /** The groups by which they are concerned. */
  groupIds?: string[];
}

/** A membership that has changed, with its roles before and after; a role is null where there is none. */
export interface SettledMember {
  id: string;
  organizationId: string;
  projectId: string;
  userId: string;
  email: string;
  organizationRole: OrganizationRole;
  access: ProjectAccess;
  before: ProjectRole | null;
  after: ProjectRole | null;
  ownBefore: ProjectRole | null;
  ownAfter: ProjectRole | null;
}

/**
 * Writes into project_members what follows from own roles, groups and roles in the organization: the highest role, of a guest
 * VIEWER, and no row without a role. Returns what has changed. The memberships of these people are locked, and their groups too
 * where those change, so that each pair is settled by one transaction at a time.
 */
export async function settleMembers(
  { viewer }: Context,
  tx: Transaction,
  organizationId: string,
  pairs: readonly MemberPair[],
): Promise<SettledMember[]> {
  if (pairs.length === 0) return [];
  return tx.query<SettledMember>(sql`
    WITH k AS MATERIALIZED (SELECT * FROM unnest(${sql.texts(pairs.map(({ projectId }) => projectId))},
      ${sql.texts(pairs.map(({ userId }) => userId))}, ${sql.texts(pairs.map(ownAsText))},
      ${sql.texts(pairs.map(() => newId('ProjectMember')))}) AS k(project_id, user_id, own, new_id)),
    settled AS MATERIALIZED (
      SELECT k.project_id, k.user_id, q.id, k.new_id, q.role AS before, q.own_role AS own_before, own.role AS own_after, m.role AS organization_role,
        CASE WHEN m.role = 'GUEST' AND least(own.role, groups.role) IS NOT NULL THEN 'VIEWER' ELSE least(own.role, groups.role) END AS after
      FROM k JOIN memberships m ON m.organization_id = ${organizationId} AND m.user_id = k.user_id
      LEFT JOIN project_members q ON q.organization_id = ${organizationId} AND q.project_id = k.project_id AND q.user_id = k.user_id
      CROSS JOIN LATERAL (SELECT CASE k.own WHEN 'KEEP' THEN q.own_role WHEN 'NONE' THEN NULL ELSE k.own::project_role END) AS own(role)
      CROSS JOIN LATERAL (SELECT min(pg.role) FROM group_members gm
        JOIN project_groups pg ON pg.organization_id = gm.organization_id AND pg.group_id = gm.group_id
        WHERE gm.organization_id = ${organizationId} AND gm.user_id = k.user_id AND pg.project_id = k.project_id) AS groups(role)),
    gone AS (
      DELETE FROM project_members q USING settled s WHERE q.organization_id = ${organizationId} AND q.id = s.id AND s.after IS NULL),
    changed AS (
      UPDATE project_members q SET role = s.after, own_role = s.own_after FROM settled s
      WHERE q.organization_id = ${organizationId} AND q.id = s.id AND s.after IS NOT NULL
      AND (s.after <> s.before OR s.own_after IS DISTINCT FROM s.own_before)),
    joined AS (
      INSERT INTO project_members (organization_id, id, project_id, user_id, role, own_role, created_by_id)
      SELECT ${organizationId}, s.new_id, s.project_id, s.user_id, s.after, s.own_after, ${viewer.userId}
      FROM settled s WHERE s.id IS NULL AND s.after IS NOT NULL)
    SELECT coalesce(s.id, s.new_id) AS id, ${organizationId}::text AS organization_id, s.project_id, s.user_id, u.email,
      s.organization_role::text AS organization_role, p.access::text AS access, s.before::text AS before, s.after::text AS after,
      s.own_before::text AS own_before, s.own_after::text AS own_after
    FROM settled s JOIN users u ON u.id = s.user_id JOIN projects p ON p.organization_id = ${organizationId} AND p.id = s.project_id
    WHERE s.before IS DISTINCT FROM s.after OR s.own_before IS DISTINCT FROM s.own_after
    ORDER BY s.project_id, s.new_id`);
}

const ownAsText = ({ own }: MemberPair): string => (own === undefined ? 'KEEP' : (own ?? 'NONE'));
