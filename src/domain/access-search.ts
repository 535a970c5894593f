import { type Sql, sql } from '../db/sql.ts';
import { seesAllContent, sharedForms, visibleProjects } from './access.ts';
import { askedRuns, ownFolders } from './access-own.ts';
import type { Viewer } from './viewer.ts';

/** A value that the planner does not see: then it does not plan a search anew for each. */
const unseen = (value: string): Sql => sql`(SELECT ${value}::text)`;

/**
 * Joins to each search entry `e` of this organization its project as `p`, where the viewer sees that; `whole` says whether
 * they see all content of it. A project is looked up, and not every one that they see.
 */
export const projectOfEntry = (viewer: Viewer, organizationId: string): Sql => sql`
  LEFT JOIN LATERAL (SELECT coalesce(${seesAllContent(viewer)}, false) AS whole FROM projects p
    WHERE p.organization_id = ${unseen(organizationId)} AND p.id = e.project_id AND ${visibleProjects(viewer)} OFFSET 0) p ON true`;

/**
 * On search entries as `e` of this organization, with `whole` of their projectOfEntry: the thing that each stands for is
 * visible, as access.ts says it of documents, folders, tasks and form templates. What was assigned to the viewer is found
 * once for a whole search, not thing by thing; a test holds the two together.
 */
export const visibleEntries = (viewer: Viewer, organizationId: string): Sql =>
  sql`(e.whole OR (NOT e.whole AND (e.created_by_id = ${viewer.userId}
      OR e.subject_id IN (${assigned(viewer, organizationId)}) OR e.subject_id IN (${asked(viewer, organizationId)})
      OR e.folder_id IN (${folders(viewer, organizationId)})))
    OR e.subject_id IN (SELECT t.id FROM form_templates t WHERE t.organization_id = ${unseen(organizationId)} AND ${sharedForms(viewer)}))`;

/** The folders assigned to the viewer, and all below them: what is in these is visible. */
const folders = ({ email }: Viewer, organizationId: string): Sql =>
  ownFolders(sql`b.id`, unseen(email), unseen(organizationId));

/** Documents, tasks and folders that are assigned, and the folders that lead there. */
const assigned = ({ email }: Viewer, organizationId: string): Sql => sql`
  SELECT a.document_id FROM document_assignments a WHERE a.organization_id = ${unseen(organizationId)} AND a.email = ${unseen(email)}
  UNION ALL SELECT t.id FROM tasks t WHERE t.organization_id = ${unseen(organizationId)} AND t.assignee_email = ${unseen(email)}
  UNION ALL SELECT unnest(f.id || f.ancestor_ids) FROM folder_assignments a
    JOIN folders f ON f.organization_id = a.organization_id AND f.id = a.folder_id
    WHERE a.organization_id = ${unseen(organizationId)} AND a.email = ${unseen(email)}`;

/** What the viewer was asked to approve, or handed on to someone. */
const asked = ({ userId }: Viewer, organizationId: string): Sql =>
  askedRuns(sql`coalesce(r.document_id, r.task_id)`, unseen(userId), unseen(organizationId));
