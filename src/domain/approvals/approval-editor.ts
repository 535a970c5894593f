import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { isEditor } from '../access/access.ts';
import { tables } from '../kernel/tables.ts';

/**
 * Returns those of the users who may approve in the project. Their memberships are locked until the transaction ends.
 */
export async function findEditors(tx: Transaction, projectId: string, userIds: readonly string[]) {
  const people = sql`${tables.memberships.from} JOIN ${tables.projects.from} ON p.organization_id = m.organization_id
    WHERE p.id = ${projectId} AND m.user_id = ANY(${userIds})`;
  await tx.query(sql`SELECT m.id FROM ${people} ORDER BY m.id FOR SHARE OF m, p`);
  // A second statement, to see what the transactions changed that the lock waited for.
  return tx.query<{ userId: string }>(
    sql`SELECT m.user_id FROM ${people} AND ${isEditor(tables.memberships, tables.projects)}`,
  );
}
