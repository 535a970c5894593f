import type { Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { type AssignmentTable, DOCUMENTS, FOLDERS, FORMS } from './assignment.ts';

interface Move {
  organizationIds: readonly string[];
  from: string;
  to: string;
}

/**
 * Assigns what is assigned to one address in these organizations to another: folders, documents, shared forms and tasks,
 * closed ones too. What is assigned to both stays assigned once.
 */
export async function moveAssignments(
  tx: Transaction,
  organizationIds: readonly string[],
  from: string,
  to: string,
): Promise<void> {
  const move = { organizationIds, from, to };
  for (const table of [FOLDERS, DOCUMENTS, FORMS]) {
    await tx.query(incrementVersions(move, table));
    await tx.query(renameAssignments(move, table));
    await tx.query(sql`DELETE FROM ${table.assignments} WHERE ${matches(move)}`);
  }
  await tx.query(sql`
    WITH locked AS (
      SELECT t.organization_id, t.id FROM tasks t
      WHERE t.organization_id = ANY(${organizationIds}) AND t.assignee_email = ${from} ORDER BY t.id FOR UPDATE)
    UPDATE tasks t SET assignee_email = ${to}, version = t.version + 1 FROM locked
    WHERE t.organization_id = locked.organization_id AND t.id = locked.id`);
}

const matches = ({ organizationIds, from }: Move): Sql =>
  sql`organization_id = ANY(${organizationIds}) AND email = ${from}`;

/** So that a list of assignees read before cannot be written back. */
const incrementVersions = (move: Move, { table, assignments, key }: AssignmentTable): Sql => sql`
  WITH locked AS (
    SELECT t.organization_id, t.id FROM ${table} t
    WHERE (t.organization_id, t.id) IN (SELECT organization_id, ${key} FROM ${assignments} WHERE ${matches(move)})
    ORDER BY t.id FOR UPDATE)
  UPDATE ${table} t SET version = t.version + 1 FROM locked
  WHERE t.organization_id = locked.organization_id AND t.id = locked.id`;

const renameAssignments = (move: Move, { assignments, key }: AssignmentTable): Sql => sql`
  UPDATE ${assignments} a SET email = ${move.to} WHERE ${matches(move)} AND NOT EXISTS (
    SELECT FROM ${assignments} b WHERE b.organization_id = a.organization_id AND b.${key} = a.${key} AND b.email = ${move.to})`;
