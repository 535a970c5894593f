import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import type {
  Approval as ApprovalRow,
  ApprovalState,
  Approver as ApproverRow,
} from '../../generated/prisma/client.ts';
import { NO_SEMI_JOIN, visibleApprovals } from '../access/access.ts';
import { approvalIdsOf, approvalIdsOfRuns, involvedApprovalIds } from '../access/access-involved.ts';
import { projectListing, rowsById } from '../access/project-listing.ts';
import type { Context } from '../kernel/context.ts';
import type { Listing } from '../kernel/listing.ts';
import { type Sort, sortBy } from '../kernel/page.ts';
import { tables } from '../kernel/tables.ts';
import type { Viewer } from '../kernel/viewer.ts';

/** A step of a run, requested from its approvers. waitsForViewer: the viewer may decide it now. */
export type Approval = ApprovalRow & {
  processId: string;
  itemId: string;
  waitsForViewer: boolean;
  /** Whether it is pending and its due time has passed, as the database's clock said when it was read. */
  isOverdue: boolean;
};

/** An approver of an approval. id: of their project membership, else organization membership, else (they left) user. */
export type Approver = ApproverRow & { id: string };

interface ApprovalFilter {
  state?: ApprovalState | null;
  /** true: only those that the viewer may decide now; false: only the others. */
  waitsForViewer?: boolean | null;
  organizationId?: string | null;
  projectId?: string | null;
  processId?: string | null;
  /** On this document or task. */
  itemId?: string | null;
  /** Of runs that this person started. */
  requestedById?: string | null;
}

const joins = sql`LEFT JOIN process_runs r ON r.organization_id = a.organization_id AND r.id = a.run_id
  LEFT JOIN ${tables.documents.from} ON d.organization_id = r.organization_id AND d.id = r.document_id
  LEFT JOIN ${tables.tasks.from} ON t.organization_id = r.organization_id AND t.id = r.task_id`;

const from = sql`${tables.approvals.from} ${joins}`;

/** Ids of approvals on which the viewer's answer is pending. */
const pendingApprovalIds = ({ userId }: Viewer): Sql =>
  sql`SELECT x.approval_id FROM approvers x WHERE x.user_id = ${userId} AND x.state = 'PENDING'`;

const pendingApprovalIdsIn = (viewer: Viewer, organizationId: Sql): Sql =>
  sql`${pendingApprovalIds(viewer)} AND x.organization_id = ${organizationId}`;

/** A condition, by a look-up for each row: the viewer's answer is pending, and the item is active or open. */
const waitsOnViewer = ({ viewer }: Context): Sql =>
  sql`(a.state = 'PENDING' AND coalesce(d.state = 'ACTIVE', t.state = 'OPEN') AND EXISTS (${pendingApprovalIdsIn(viewer, sql`a.organization_id`)}
    AND x.approval_id = a.id ${NO_SEMI_JOIN}))`;

const columns = (ctx: Context) => sql`a.*, r.process_id, coalesce(r.document_id, r.task_id) AS item_id,
  ${waitsOnViewer(ctx)} AS waits_for_viewer,
  (a.state = 'PENDING' AND a.due_at IS NOT NULL AND a.due_at <= now()) AS is_overdue`;

/** Literals instead of parameters, so that the indexes that begin with the state are used. */
const STATES: Record<ApprovalState, Sql> = {
  PENDING: sql`'PENDING'`,
  APPROVED: sql`'APPROVED'`,
  DECLINED: sql`'DECLINED'`,
  DENIED: sql`'DENIED'`,
  WITHDRAWN: sql`'WITHDRAWN'`,
};

const inState = ({ state }: ApprovalFilter): Sql => (state ? sql`a.state = ${STATES[state]}` : sql`true`);

/** The conditions of the members that are present. */
function matches(filter: ApprovalFilter, ctx: Context): Sql {
  const { organizationId, projectId, processId, itemId, waitsForViewer, requestedById } = filter;
  return sql.all([
    inState(filter),
    organizationId && sql`a.organization_id = ${organizationId}`,
    projectId && sql`a.project_id = ${projectId}`,
    processId && sql`r.process_id = ${processId}`,
    requestedById && sql`r.created_by_id = ${requestedById}`,
    itemId && sql`(r.document_id = ${itemId} OR r.task_id = ${itemId})`,
    waitsForViewer != null && (waitsForViewer ? waitsOnViewer(ctx) : sql`NOT ${waitsOnViewer(ctx)}`),
  ]);
}

const sorts: Record<'CREATED_AT' | 'ITEM_NAME', Sort<Approval>> = {
  CREATED_AT: sortBy(sql`a.id`, sql`a.created_at`, 'timestamptz', (row) => row.createdAt),
  ITEM_NAME: sortBy(sql`a.id`, sql`a.item_name_key`, 'text', (row) => row.itemNameKey),
};

type ApprovalListing = Listing<Approval, ApprovalFilter, 'CREATED_AT' | 'ITEM_NAME'>;

const common = { select: columns, joins, sorts };

const listing = (name: string, parent: (ctx: Context) => Sql): ApprovalListing => ({
  ...common,
  name,
  from: tables.approvals.from,
  where: (ctx, filter) =>
    sql`${parent(ctx)} AND ${matches(filter, ctx)} AND ${visibleApprovals(ctx.viewer, tables.approvals)}`,
});

/** Ids of the approvals of one item, or of those pending for the viewer: always few. */
function fewIds({ itemId, waitsForViewer }: ApprovalFilter, viewer: Viewer): Sql | undefined {
  if (itemId) return approvalIdsOf(sql`SELECT ${itemId}::text`, sql`k.organization_id`);
  return waitsForViewer
    ? sql`${pendingApprovalIds(viewer)} AND x.organization_id = k.organization_id`
    : undefined;
}

/** Ids of the approvals of the runs of one process, or of those that one person started. */
const idsOfRuns = ({ processId, requestedById }: ApprovalFilter) =>
  processId || requestedById
    ? approvalIdsOfRuns(
        sql`SELECT r.id FROM process_runs r WHERE r.organization_id = k.organization_id
          AND ${processId ? sql`r.process_id = ${processId}` : sql`r.created_by_id = ${requestedById}`}`,
        sql`k.organization_id`,
      )
    : undefined;

const ofVisibleItems = {
  ...{ rows: tables.approvals, matches, indexCondition: inState, candidateIds: idsOfRuns, fewIds },
  visible: visibleApprovals,
  involvedIds: (viewer: Viewer) => involvedApprovalIds(viewer, sql`k.organization_id`),
};

/** The approvals of a project's documents and tasks. */
export const approvalsOfProject: ApprovalListing = projectListing(
  { ...common, name: 'approvalsOfProject' },
  {
    ...ofVisibleItems,
    projectId: sql`k.id`,
    parentCondition: sql`a.organization_id = k.organization_id AND a.project_id = k.id`,
  },
);

/** The approvals of the documents and tasks of an organization. */
export const approvalsOfOrganization: Listing<Approval, ApprovalFilter, 'CREATED_AT'> = projectListing(
  { ...common, sorts: { CREATED_AT: sorts.CREATED_AT }, name: 'approvalsOfOrganization' },
  {
    ...ofVisibleItems,
    projectId: sql`a.project_id`,
    parentCondition: sql`a.organization_id = k.id`,
  },
);

/** The approvals of a process run. */
export const approvalsOfRun = listing(
  'approvalsOfRun',
  () => sql`a.organization_id = k.organization_id AND a.run_id = k.id`,
);

/** FROM and WHERE of the approvals, as `a`, that wait for the viewer in an organization: of the first `most` on which they may answer. */
export const approvalsWaitingForViewer = (ctx: Context, organizationId: Sql, most: Sql): Sql =>
  sql`${rowsById(tables.approvals, sql`${pendingApprovalIdsIn(ctx.viewer, organizationId)} LIMIT ${most}`)} ${joins}
    WHERE ${waitsOnViewer(ctx)} AND ${visibleApprovals(ctx.viewer, tables.approvals)}`;

/** The approvals that wait for the viewer, in all projects. */
export const approvalsOfViewer = listing('approvalsOfViewer', waitsOnViewer);

/** Returns the approvals with these ids that the viewer may see, in any order. */
export const findApprovals = (ctx: Context, ids: readonly string[], reader: Reader = ctx.db) =>
  reader.query<Approval>(
    sql`SELECT ${columns(ctx)} FROM ${from} WHERE a.id ${sql.any(ids)} AND ${visibleApprovals(ctx.viewer, tables.approvals)}`,
  );

/** Returns the oldest pending approval of each of these items, for any approver. */
const oldestPending = (item: Rows<'documents'> | Rows<'tasks'>) => (ctx: Context, ids: readonly string[]) =>
  ctx.db.query<Approval>(sql`SELECT DISTINCT ON (${item}.id) ${columns(ctx)} FROM ${from}
    WHERE ${item}.id ${sql.any(ids)} AND a.state = 'PENDING' AND ${visibleApprovals(ctx.viewer, tables.approvals)}
    ORDER BY ${item}.id, a.created_at, a.id`);

export const findPendingOfDocuments = oldestPending(tables.documents);
export const findPendingOfTasks = oldestPending(tables.tasks);

/** The approvers of an approval, with the answer of each. */
export const approversOfApproval: Listing<Approver, object, 'ID'> = {
  name: 'approversOfApproval',
  select: () => sql`x.*, coalesce(
    (SELECT pm.id FROM project_members pm WHERE pm.organization_id = a.organization_id
      AND pm.project_id = a.project_id AND pm.user_id = x.user_id),
    (SELECT m.id FROM memberships m WHERE m.organization_id = a.organization_id AND m.user_id = x.user_id),
    x.user_id) AS id`,
  from: sql`${tables.approvals.from} JOIN approvers x ON x.organization_id = a.organization_id AND x.approval_id = a.id`,
  where: ({ viewer }) =>
    sql`a.organization_id = k.organization_id AND a.id = k.id AND ${visibleApprovals(viewer, tables.approvals)}`,
  sorts: {
    ID: {
      column: sql`x.user_id`,
      id: sql`x.user_id`,
      type: 'text',
      value: (row) => row.userId,
      idOf: (row) => row.userId,
    },
  },
};
