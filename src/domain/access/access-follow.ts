import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { visibleDocuments, visibleFolders, visibleProjects, visibleTasks } from './access.ts';

/** On follows as `w`: the viewer's own, of what the viewer still sees. */
export const visibleFollows = (viewer: Viewer): Sql => sql`(w.user_id = ${viewer.userId} AND CASE
  WHEN w.document_id IS NOT NULL THEN EXISTS (SELECT FROM documents d
    WHERE d.organization_id = w.organization_id AND d.id = w.document_id AND ${visibleDocuments(viewer)})
  WHEN w.folder_id IS NOT NULL THEN EXISTS (SELECT FROM folders f
    WHERE f.organization_id = w.organization_id AND f.id = w.folder_id AND ${visibleFolders(viewer)})
  WHEN w.task_id IS NOT NULL THEN EXISTS (SELECT FROM tasks t
    WHERE t.organization_id = w.organization_id AND t.id = w.task_id AND ${visibleTasks(viewer)})
  ELSE EXISTS (SELECT FROM projects p
    WHERE p.organization_id = w.organization_id AND p.id = w.project_id AND ${visibleProjects(viewer)}) END)`;
