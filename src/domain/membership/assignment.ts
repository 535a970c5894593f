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

/** Those of them that have states, for `touched` of the event. */
export const itemsOf = ({ folderIds, documentIds }: WithdrawnAssignments): string[] => [
  ...folderIds,
  ...documentIds,
];

/** From whom it is withdrawn: in all projects of the organization, or each in the project at their position. */
interface Withdrawal {
  organizationId: string;
  emails: readonly string[];
  projectIds?: readonly string[];
}

/** A person who loses a project. */
interface Leaver {
  projectId: string;
  email: string;
}

type Row = Leaver & { id: string };
type WithdrawnRow = Row & { member: keyof WithdrawnAssignments };

/**
 * Withdraws what is assigned to these addresses in an organization: folders, documents and shared forms, which grant access in
 * a restricted project, and open tasks. Closed tasks keep their assignee. Returns what was withdrawn by address, for the
 * event.
 */
export async function withdrawAssignments(
  ctx: Context,
  tx: Transaction,
  { organizationId }: { organizationId: string },
  emails: readonly string[],
): Promise<(person: { email: string }) => WithdrawnAssignments> {
  const rows = await withdraw(ctx, tx, { organizationId, emails });
  return groupedBy(rows, ({ email }) => email);
}

/** The same for people who lose a project, each in that one. */
export async function withdrawFromProjects(
  ctx: Context,
  tx: Transaction,
  organizationId: string,
  leavers: readonly Leaver[],
): Promise<(leaver: Leaver) => WithdrawnAssignments> {
  const projectIds = leavers.map(({ projectId }) => projectId);
  const emails = leavers.map(({ email }) => email);
  const rows = leavers.length > 0 ? await withdraw(ctx, tx, { organizationId, emails, projectIds }) : [];
  return groupedBy<Leaver>(rows, ({ projectId, email }) => `${projectId} ${email}`);
}

async function withdraw(ctx: Context, tx: Transaction, withdrawal: Withdrawal): Promise<WithdrawnRow[]> {
  const run = async (member: WithdrawnRow['member'], statement: Sql) =>
    (await tx.query<Row>(statement)).map((row) => ({ ...row, member }));
  return [
    ...(await run('folderIds', deleteAssignments(ctx, withdrawal, FOLDERS))),
    ...(await run('documentIds', deleteAssignments(ctx, withdrawal, DOCUMENTS))),
    ...(await run('formTemplateIds', deleteAssignments(ctx, withdrawal, FORMS))),
    ...(await run('taskIds', unassignOpenTasks(ctx, withdrawal))),
  ];
}

function groupedBy<Person>(rows: readonly (WithdrawnRow & Person)[], keyOf: (person: Person) => string) {
  const groups = new Map<string, WithdrawnAssignments>();
  const none = (): WithdrawnAssignments => ({
    folderIds: [],
    documentIds: [],
    formTemplateIds: [],
    taskIds: [],
  });
  for (const row of rows) {
    const group = groups.get(keyOf(row)) ?? none();
    groups.set(keyOf(row), group);
    group[row.member].push(row.id);
  }
  return (person: Person): WithdrawnAssignments => groups.get(keyOf(person)) ?? none();
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

const changed = ({ viewer }: Context): Sql =>
  sql`version = t.version + 1, modified_by_id = ${viewer.userId}, modified_at = now()`;

/** The people, and with projects the project of each. */
const leaversIn = ({ emails, projectIds }: Withdrawal): Sql =>
  projectIds
    ? sql`unnest(${sql.texts(projectIds)}, ${sql.texts(emails)}) AS l(project_id, email)`
    : sql`unnest(${sql.texts(emails)}) AS l(email)`;

/** The row of a project is in what the person leaves. */
const isLeft = ({ projectIds }: Withdrawal): Sql =>
  projectIds ? sql`l.project_id = t.project_id` : sql`true`;

/** Increments the versions, so that a list of assignees read before cannot be written back. */
const deleteAssignments = (
  ctx: Context,
  withdrawal: Withdrawal,
  { table, assignments, key }: AssignmentTable,
) => sql`
  WITH withdrawn AS MATERIALIZED (
    SELECT a.${key} AS id, a.email, t.project_id FROM ${leaversIn(withdrawal)}
    JOIN ${assignments} a ON a.organization_id = ${withdrawal.organizationId} AND a.email = l.email
    JOIN ${table} t ON t.organization_id = a.organization_id AND t.id = a.${key} AND ${isLeft(withdrawal)}),
  locked AS (
    SELECT t.id FROM ${table} t WHERE t.organization_id = ${withdrawal.organizationId} AND t.id IN (SELECT id FROM withdrawn)
    ORDER BY t.id FOR UPDATE),
  touched AS (
    UPDATE ${table} t SET ${changed(ctx)} FROM locked
    WHERE t.organization_id = ${withdrawal.organizationId} AND t.id = locked.id)
  DELETE FROM ${assignments} a USING locked JOIN withdrawn w ON w.id = locked.id
  WHERE a.organization_id = ${withdrawal.organizationId} AND a.${key} = w.id AND a.email = w.email
  RETURNING w.project_id, a.email, a.${key} AS id`;

const unassignOpenTasks = (ctx: Context, withdrawal: Withdrawal) => sql`
  WITH locked AS (
    SELECT t.id, t.project_id, t.assignee_email FROM ${leaversIn(withdrawal)}
    JOIN tasks t ON t.organization_id = ${withdrawal.organizationId} AND t.assignee_email = l.email AND ${isLeft(withdrawal)}
    WHERE t.state = 'OPEN' ORDER BY t.id FOR UPDATE OF t)
  UPDATE tasks t SET assignee_email = NULL, assignee_id = NULL, ${changed(ctx)} FROM locked
  WHERE t.organization_id = ${withdrawal.organizationId} AND t.id = locked.id
  RETURNING locked.project_id, locked.assignee_email AS email, t.id`;
