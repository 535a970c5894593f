import type { Reader, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { visibleDocuments, visibleTasks } from '../access/access.ts';
import type { Context } from '../kernel/context.ts';
import { conflict } from '../kernel/errors.ts';

/** What is under approval: a document or a task, as far as both are alike. */
export interface ApprovalItem {
  organizationId: string;
  projectId: string;
  id: string;
  kind: 'DOCUMENT' | 'TASK';
  name: string;
  description: string;
  createdAt: Date;
  createdById: string;
  dueAt: Date | null;
  /** A document in use, or a task still to be done. */
  open: boolean;
}

/** Those of the ids that are visible documents or tasks, in no particular order. */
export const findApprovalItems = ({ db, viewer }: Context, ids: readonly string[], reader: Reader = db) =>
  reader.query<ApprovalItem>(sql`
    SELECT d.organization_id, d.project_id, d.id, 'DOCUMENT' AS kind, d.name, '' AS description, d.created_at,
      d.created_by_id, NULL::timestamptz AS due_at, d.state = 'ACTIVE' AS open
    FROM documents d WHERE d.id = ANY(${ids}) AND ${visibleDocuments(viewer)}
    UNION ALL
    SELECT t.organization_id, t.project_id, t.id, 'TASK', t.name, t.description, t.created_at,
      t.created_by_id, t.due_at, t.state = 'OPEN'
    FROM tasks t WHERE t.id = ANY(${ids}) AND ${visibleTasks(viewer)}`);

/** Holds the documents and tasks as they are until the transaction ends, in the order of their ids. */
export async function lockItems(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.query(sql`SELECT id FROM documents WHERE id = ANY(${ids}) ORDER BY id FOR NO KEY UPDATE`);
  await tx.query(sql`SELECT id FROM tasks WHERE id = ANY(${ids}) ORDER BY id FOR NO KEY UPDATE`);
}

/** Nothing is asked or decided on what is put away; once it is back, its approvals wait again. */
export function requireOpen(items: readonly ApprovalItem[], at: string): void {
  const closed = items.find(({ open }) => !open);
  if (!closed) return;
  throw conflict(
    closed.kind === 'DOCUMENT' ? 'A document is in the recycle bin.' : 'A task is closed already.',
    at,
  );
}
