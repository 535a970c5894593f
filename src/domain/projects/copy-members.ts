import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { ProjectAccess, ProjectRole } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { requireNoApplication } from '../access/access-application.ts';
import type { NewEvent } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { NewProjectCopy } from './copy-run.ts';

/**
 * The access of a copy: that of its source, unless a person chooses another one. An application may choose a narrower one only,
 * since what it opens would stay open after its grant. Throws FORBIDDEN.
 */
export function accessOfCopy(
  viewer: Viewer,
  source: { access: ProjectAccess },
  chosen: ProjectAccess | null | undefined,
): ProjectAccess {
  if (chosen === 'OPEN' && source.access === 'RESTRICTED') requireNoApplication(viewer, 'projectAccess');
  return chosen ?? source.access;
}

/**
 * Puts the members of each source into its copy, with their roles, and returns the events. Without them, a member of an open
 * source with a lower role could do more in the copy. The sources are locked.
 */
export async function copyMembers(
  { viewer }: Context,
  tx: Transaction,
  copies: readonly NewProjectCopy[],
): Promise<NewEvent[]> {
  if (copies.length === 0) return [];
  const members = await tx.query<{ projectId: string; userId: string; role: ProjectRole; email: string }>(sql`
    SELECT q.project_id, q.user_id, q.role::text AS role, u.email FROM project_members q JOIN users u ON u.id = q.user_id
    WHERE q.project_id = ANY(${copies.map(({ sourceId }) => sourceId)}) ORDER BY q.id FOR SHARE OF q`);
  const added = copies.flatMap(({ organizationId, projectId, sourceId }) =>
    members
      .filter((member) => member.projectId === sourceId)
      .map((member) => ({ ...member, organizationId, projectId })),
  );
  await tx.prisma.projectMember.createMany({
    data: added.map(({ email: _, ...member }) => ({
      ...member,
      id: newId('ProjectMember'),
      createdById: viewer.userId,
    })),
  });
  return added.map(({ organizationId, projectId, userId: subjectId, role, email }) => ({
    organizationId,
    projectId,
    subjectId,
    kind: 'projectMember.added',
    data: { after: { role, email } },
  }));
}
