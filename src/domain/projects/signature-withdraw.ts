import type { Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import type { NewEvent } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { tables } from '../kernel/tables.ts';

interface Withdrawn {
  id: string;
  organizationId: string;
  projectId: string;
  documentId: string;
}

/**
 * Stops the active signature sessions of documents that match `condition`; returns the events to record.
 * Locks the documents first, as signing does, so that the two are serialized.
 */
export async function withdrawSessions(
  { viewer }: Context,
  tx: Transaction,
  condition: (documents: Rows<'documents'>) => Sql,
): Promise<NewEvent[]> {
  await tx.query(sql`SELECT d.id FROM ${tables.documents.from} WHERE ${condition(tables.documents)} AND EXISTS (SELECT FROM signature_sessions g
    WHERE g.organization_id = d.organization_id AND g.document_id = d.id AND g.state = 'ACTIVE')
    ORDER BY d.id FOR NO KEY UPDATE OF d`);
  const withdrawn = await tx.query<Withdrawn>(sql`UPDATE signature_sessions g
    SET state = 'STOPPED', stop_reason = 'WITHDRAWN', stopped_at = now(), version = g.version + 1,
      modified_at = now(), modified_by_id = ${viewer.userId}
    FROM ${tables.documents.from} WHERE d.organization_id = g.organization_id AND d.id = g.document_id
    AND g.state = 'ACTIVE' AND ${condition(tables.documents)}
    RETURNING g.id, g.organization_id, g.document_id, d.project_id`);
  return withdrawn.map(({ id: sessionId, documentId, ...projectPath }) => ({
    ...projectPath,
    subjectId: documentId,
    kind: 'document.signingStopped',
    data: { sessionId, after: { state: 'STOPPED', stopReason: 'WITHDRAWN' } },
  }));
}
