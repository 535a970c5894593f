import type { Reader, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { typeOfId } from '../../lib/id.ts';
import { visibleDocuments, visibleTasks } from '../access/access.ts';
import type { PathOf } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { conflict } from '../kernel/errors.ts';
import { tables } from '../kernel/tables.ts';

/** The subject of an approval: what documents and tasks have in common. */
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
  /** An active document, or an open task. */
  open: boolean;
}

/** Returns the documents and tasks with these ids that the viewer may see, in any order. */
export const findApprovalItems = ({ db, viewer }: Context, ids: readonly string[], reader: Reader = db) =>
  reader.query<ApprovalItem>(sql`
    SELECT d.organization_id, d.project_id, d.id, 'DOCUMENT' AS kind, d.name, '' AS description, d.created_at,
      d.created_by_id, NULL::timestamptz AS due_at, d.state = 'ACTIVE' AS open
    FROM ${tables.documents.from} WHERE d.id ${sql.any(ids)} AND ${visibleDocuments(viewer, tables.documents)}
    UNION ALL
    SELECT t.organization_id, t.project_id, t.id, 'TASK', t.name, t.description, t.created_at,
      t.created_by_id, t.due_at, t.state = 'OPEN'
    FROM ${tables.tasks.from} WHERE t.id ${sql.any(ids)} AND ${visibleTasks(viewer, tables.tasks)}`);

/** Locks the rows of documents and tasks, in the order of ids, until the transaction ends. */
export async function lockItems(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.query(sql`SELECT id FROM documents WHERE id = ANY(${ids}) ORDER BY id FOR NO KEY UPDATE`);
  await tx.query(sql`SELECT id FROM tasks WHERE id = ANY(${ids}) ORDER BY id FOR NO KEY UPDATE`);
}

/** Locks the row of a document or task as lockItems does, unless somebody else has locked it; whether it did. */
export async function tryLockItem(tx: Transaction, id: string): Promise<boolean> {
  const from = typeOfId(id) === 'Task' ? sql`tasks` : sql`documents`;
  const rows = await tx.query<{ id: string }>(
    sql`SELECT id FROM ${from} WHERE id = ${id} FOR NO KEY UPDATE SKIP LOCKED`,
  );
  return rows.length > 0;
}

/** Throws CONFLICT for a recycled document or a closed task. Its approvals are pending again once it is restored. */
export function requireOpen(items: readonly ApprovalItem[], pathOf: PathOf): void {
  const closed = items.find(({ open }) => !open);
  if (!closed) return;
  throw conflict(
    closed.kind === 'DOCUMENT' ? 'A document is in the recycle bin.' : 'A task is closed already.',
    pathOf(closed.id),
  );
}
