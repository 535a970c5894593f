import type { Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Context } from '../kernel/context.ts';

/** What was assigned to someone. */
export interface WithdrawnAssignments {
  folderIds: string[];
  documentIds: string[];
  formTemplateIds: string[];
  taskIds: string[];
}

/** An organization, or one project of it. */
export interface AssignmentScope {
  organizationId: string;
  projectId?: string;
}

type Row = { email: string; id: string };

/**
 * Takes back what is assigned to these addresses: folders, documents and shared forms, for that is what shows them in a
 * restricted project and would show them again to whoever comes back, and open tasks, which nobody would do. Closed
 * tasks keep who did them. Gives for each address what it was, for the event.
 */
export async function withdrawAssignments(
  ctx: Context,
  tx: Transaction,
  scope: AssignmentScope,
  emails: readonly string[],
): Promise<Map<string, WithdrawnAssignments>> {
  const folders = await tx.query<Row>(takeBack(ctx, scope, emails, FOLDERS));
  const documents = await tx.query<Row>(takeBack(ctx, scope, emails, DOCUMENTS));
  const forms = await tx.query<Row>(takeBack(ctx, scope, emails, FORMS));
  const tasks = await tx.query<Row>(openTasks(ctx, scope, emails));
  return new Map(
    emails.map((email) => {
      const idsOf = (rows: Row[]) => rows.filter((row) => row.email === email).map(({ id }) => id);
      return [
        email,
        {
          folderIds: idsOf(folders),
          documentIds: idsOf(documents),
          formTemplateIds: idsOf(forms),
          taskIds: idsOf(tasks),
        },
      ];
    }),
  );
}

interface Kind {
  table: Sql;
  assignments: Sql;
  key: Sql;
}

const FOLDERS: Kind = { table: sql`folders`, assignments: sql`folder_assignments`, key: sql`folder_id` };
const DOCUMENTS: Kind = {
  table: sql`documents`,
  assignments: sql`document_assignments`,
  key: sql`document_id`,
};
const FORMS: Kind = {
  table: sql`form_templates`,
  assignments: sql`form_shares`,
  key: sql`form_template_id`,
};

const inScope = ({ organizationId, projectId }: AssignmentScope): Sql =>
  sql`t.organization_id = ${organizationId} AND ${projectId ? sql`t.project_id = ${projectId}` : sql`true`}`;

const changed = ({ viewer }: Context): Sql =>
  sql`version = t.version + 1, modified_by_id = ${viewer.userId}, modified_at = now()`;

/** The version counts on: a list of assignees that was read before must not be written back. */
const takeBack = (
  ctx: Context,
  scope: AssignmentScope,
  emails: readonly string[],
  { table, assignments, key }: Kind,
) => sql`
  WITH held AS (
    SELECT t.id FROM ${table} t WHERE ${inScope(scope)} AND t.id IN (
      SELECT a.${key} FROM ${assignments} a
      WHERE a.organization_id = ${scope.organizationId} AND a.email = ANY(${emails}))
    ORDER BY t.id FOR UPDATE),
  touched AS (
    UPDATE ${table} t SET ${changed(ctx)} FROM held
    WHERE t.organization_id = ${scope.organizationId} AND t.id = held.id)
  DELETE FROM ${assignments} a USING held
  WHERE a.organization_id = ${scope.organizationId} AND a.${key} = held.id AND a.email = ANY(${emails})
  RETURNING a.email, a.${key} AS id`;

const openTasks = (ctx: Context, scope: AssignmentScope, emails: readonly string[]) => sql`
  WITH held AS (
    SELECT t.id, t.assignee_email FROM tasks t
    WHERE ${inScope(scope)} AND t.state = 'OPEN' AND t.assignee_email = ANY(${emails}) ORDER BY t.id FOR UPDATE)
  UPDATE tasks t SET assignee_email = NULL, assignee_id = NULL, ${changed(ctx)} FROM held
  WHERE t.organization_id = ${scope.organizationId} AND t.id = held.id
  RETURNING held.assignee_email AS email, t.id`;
