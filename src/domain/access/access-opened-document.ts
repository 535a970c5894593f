import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { tables } from '../kernel/tables.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { visibleDocuments } from './access.ts';

/** On opened documents: the viewer's own, while they see the document and it is not in the recycle bin. */
export const visibleOpenedDocuments = (
  viewer: Viewer,
  od: Rows<'opened_documents'>,
): Sql => sql`(${od}.user_id = ${viewer.userId} AND EXISTS (SELECT FROM ${tables.documents.from}
  WHERE d.organization_id = ${od}.organization_id AND d.id = ${od}.document_id AND d.state = 'ACTIVE'
  AND ${visibleDocuments(viewer, tables.documents)}))`;
