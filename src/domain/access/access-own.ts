import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { tables } from '../kernel/tables.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { visibleDocuments, visibleFolders, visibleProjects, visibleTasks } from './access.ts';

/** On follows: the viewer's own, of what the viewer still sees. */
export const visibleFollows = (
  viewer: Viewer,
  w: Rows<'follows'>,
): Sql => sql`(${w}.user_id = ${viewer.userId} AND CASE
  WHEN ${w}.document_id IS NOT NULL THEN EXISTS (SELECT FROM ${tables.documents.from}
    WHERE d.organization_id = ${w}.organization_id AND d.id = ${w}.document_id AND ${visibleDocuments(viewer, tables.documents)})
  WHEN ${w}.folder_id IS NOT NULL THEN EXISTS (SELECT FROM ${tables.folders.from}
    WHERE f.organization_id = ${w}.organization_id AND f.id = ${w}.folder_id AND ${visibleFolders(viewer, tables.folders)})
  WHEN ${w}.task_id IS NOT NULL THEN EXISTS (SELECT FROM ${tables.tasks.from}
    WHERE t.organization_id = ${w}.organization_id AND t.id = ${w}.task_id AND ${visibleTasks(viewer, tables.tasks)})
  ELSE EXISTS (SELECT FROM ${tables.projects.from}
    WHERE p.organization_id = ${w}.organization_id AND p.id = ${w}.project_id AND ${visibleProjects(viewer, tables.projects)}) END)`;

/** On opened documents: the viewer's own, while they see the document and it is not in the recycle bin. */
export const visibleOpenedDocuments = (
  viewer: Viewer,
  od: Rows<'opened_documents'>,
): Sql => sql`(${od}.user_id = ${viewer.userId} AND EXISTS (SELECT FROM ${tables.documents.from}
  WHERE d.organization_id = ${od}.organization_id AND d.id = ${od}.document_id AND d.state = 'ACTIVE'
  AND ${visibleDocuments(viewer, tables.documents)}))`;
