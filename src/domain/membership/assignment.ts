import type { Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Context } from '../kernel/context.ts';

/** The ids of what is no longer assigned to a person. */
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
 * Withdraws what is assigned to these addresses: folders, documents and shared forms, which grant access in a
 * restricted project, and open tasks. Closed tasks keep their assignee. Returns what was withdrawn by address, for the
 * event.
 */
export async function withdrawAssignments(
  ctx: Context,
  tx: Transaction,
  scope: AssignmentScope,
  emails: readonly string[],
): Promise<Map<string, WithdrawnAssignments>> {
  const folders = await tx.query<Row>(deleteAssignments(ctx, scope, emails, FOLDERS));
  const documents = await tx.query<Row>(deleteAssignments(ctx, scope, emails, DOCUMENTS));
  const forms = await tx.query<Row>(deleteAssignments(ctx, scope, emails, FORMS));
  const tasks = await tx.query<Row>(unassignOpenTasks(ctx, scope, emails));
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

/** A table of things that are assigned to addresses, and that of the assignments. */
export interface AssignmentTable {
  table: Sql;
  assignments: Sql;
  key: Sql;
}

export const FOLDERS: AssignmentTable = {
  table: sql`folders`,
  assignments: sql`folder_assignments`,
  key: sql`folder_id`,
};
export const DOCUMENTS: AssignmentTable = {
  table: sql`documents`,
  assignments: sql`document_assignments`,
  key: sql`document_id`,
};
export const FORMS: AssignmentTable = {
  table: sql`form_templates`,
  assignments: sql`form_shares`,
  key: sql`form_template_id`,
};

const inScope = ({ organizationId, projectId }: AssignmentScope): Sql =>
  sql`t.organization_id = ${organizationId} AND ${projectId ? sql`t.project_id = ${projectId}` : sql`true`}`;

const changed = ({ viewer }: Context): Sql =>
  sql`version = t.version + 1, modified_by_id = ${viewer.userId}, modified_at = now()`;

/** Increments the versions, so that a list of assignees read before cannot be written back. */
const deleteAssignments = (
  ctx: Context,
  scope: AssignmentScope,
  emails: readonly string[],
  { table, assignments, key }: AssignmentTable,
) => sql`
  WITH locked AS (
    SELECT t.id FROM ${table} t WHERE ${inScope(scope)} AND t.id IN (
      SELECT a.${key} FROM ${assignments} a
      WHERE a.organization_id = ${scope.organizationId} AND a.email = ANY(${emails}))
    ORDER BY t.id FOR UPDATE),
  touched AS (
    UPDATE ${table} t SET ${changed(ctx)} FROM locked
    WHERE t.organization_id = ${scope.organizationId} AND t.id = locked.id)
  DELETE FROM ${assignments} a USING locked
  WHERE a.organization_id = ${scope.organizationId} AND a.${key} = locked.id AND a.email = ANY(${emails})
  RETURNING a.email, a.${key} AS id`;

const unassignOpenTasks = (ctx: Context, scope: AssignmentScope, emails: readonly string[]) => sql`
  WITH locked AS (
    SELECT t.id, t.assignee_email FROM tasks t
    WHERE ${inScope(scope)} AND t.state = 'OPEN' AND t.assignee_email = ANY(${emails}) ORDER BY t.id FOR UPDATE)
  UPDATE tasks t SET assignee_email = NULL, assignee_id = NULL, ${changed(ctx)} FROM locked
  WHERE t.organization_id = ${scope.organizationId} AND t.id = locked.id
  RETURNING locked.assignee_email AS email, t.id`;
