import { Prisma } from '../generated/prisma/client.ts';
import { seesAllContent, sharedForms, visibleProjects } from './access.ts';
import type { Viewer } from './viewer.ts';

const { sql } = Prisma;

/**
 * On search entries as `e` of this organization: the thing that each stands for is visible, as access.ts says it of
 * documents, folders, tasks and form templates. What was assigned to the viewer is found once for a whole search, not
 * thing by thing; a test holds the two together.
 */
export function visibleEntries(viewer: Viewer, organizationId: string): Prisma.Sql {
  const projects = sql`SELECT p.id FROM projects p WHERE p.organization_id = ${organizationId} AND ${visibleProjects(viewer)}`;
  return sql`(e.project_id IN (${projects} AND ${seesAllContent(viewer)})
    OR (e.project_id IN (${projects}) AND (e.created_by_id = ${viewer.userId}
      OR e.subject_id IN (${assigned(viewer, organizationId)}) OR e.subject_id IN (${asked(viewer, organizationId)})
      OR e.folder_id IN (${folders(viewer, organizationId)})))
    OR e.subject_id IN (SELECT t.id FROM form_templates t WHERE t.organization_id = ${organizationId} AND ${sharedForms(viewer)}))`;
}

/** The folders assigned to the viewer, and all below them: what is in these is visible. */
const folders = ({ email }: Viewer, organizationId: string): Prisma.Sql => sql`
  SELECT b.id FROM folder_assignments a JOIN folders b ON b.organization_id = a.organization_id
    AND (b.id = a.folder_id OR b.ancestor_ids @> ARRAY[a.folder_id])
  WHERE a.organization_id = ${organizationId} AND a.email = ${email}`;

/** Documents, tasks and folders that are assigned, and the folders that lead there. */
const assigned = ({ email }: Viewer, organizationId: string): Prisma.Sql => sql`
  SELECT a.document_id FROM document_assignments a WHERE a.organization_id = ${organizationId} AND a.email = ${email}
  UNION ALL SELECT t.id FROM tasks t WHERE t.organization_id = ${organizationId} AND t.assignee_email = ${email}
  UNION ALL SELECT unnest(f.id || f.ancestor_ids) FROM folder_assignments a
    JOIN folders f ON f.organization_id = a.organization_id AND f.id = a.folder_id
    WHERE a.organization_id = ${organizationId} AND a.email = ${email}`;

/** What the viewer was asked to approve, or handed on to someone. */
const asked = ({ userId }: Viewer, organizationId: string): Prisma.Sql => sql`
  SELECT coalesce(r.document_id, r.task_id) FROM approvers x
    JOIN approvals a ON a.organization_id = x.organization_id AND a.id = x.approval_id
    JOIN process_runs r ON r.organization_id = a.organization_id AND r.id = a.run_id
  WHERE x.organization_id = ${organizationId} AND (x.user_id = ${userId} OR x.delegated_from_id = ${userId})`;
