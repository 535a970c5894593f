import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { ApprovalRule } from '../../generated/prisma/enums.ts';
import { newId } from '../../lib/id.ts';
import { isEditor } from '../access/access.ts';
import { changes, recordEvents, subjectEvent } from '../kernel/audit.ts';
import { requireDistinct } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { name, normalizedKey, parse, requireBatchSize } from '../kernel/input.ts';
import { isInPath, type ProjectPath, projectPath } from '../kernel/project-path.ts';
import { tables } from '../kernel/tables.ts';
import { changedBy, lockRow, requireVersion } from '../kernel/version.ts';
import { inOrderOf, requireProject } from '../projects/project.ts';
import { findProcesses, type Process } from './process.ts';
import { addSteps, readSteps, replaceSteps, withRanks } from './process-steps.ts';

const step = z.strictObject({
  name,
  rule: z.enum(ApprovalRule).nullish(),
  dueAfterDays: z.int().min(1, 'must be at least 1').max(3_650, 'must be at most 3650').nullish(),
  approverIds: z.array(z.string()).min(1, 'must not be empty').max(50, 'at most 50'),
});

const steps = <Step extends z.ZodType>(each: Step) =>
  z.array(each).min(1, 'must not be empty').max(20, 'at most 20');

const creation = z.strictObject({
  projectId: z.string(),
  organizationId: z.string().nullish(),
  processes: z.array(z.strictObject({ name, steps: steps(step) })),
});

/**
 * Creates processes, all or nothing, and returns them in input order. A step needs ONE of its approvers unless its rule
 * is ALL. Requires the role ADMIN. Throws NOT_FOUND for an approver who is no editor of the project.
 */
export function createProcesses(ctx: Context, input: z.input<typeof creation>): Promise<Process[]> {
  const { projectId, organizationId: pathOrganizationId, processes } = parse(creation, input);
  requireBatchSize(processes, ctx.limits.batchMax, 'processes');
  return inTransaction(ctx.db, async (tx) => {
    const { organizationId } = await requireProject(
      ctx,
      tx,
      projectId,
      'changeProcesses',
      pathOrganizationId,
    );
    await requireApprovers(
      tx,
      projectId,
      processes.flatMap((process, index) => approversOf(process.steps, `processes.${index}.steps`)),
    );
    const rows = processes.map(({ name }) => ({
      organizationId,
      id: newId('Process'),
      projectId,
      name,
      nameKey: normalizedKey(name),
      createdById: ctx.viewer.userId,
    }));
    await tx.prisma.process.createMany({ data: rows });
    await addSteps(
      tx,
      rows.flatMap((row, index) => withRanks(row, processes[index]?.steps ?? [])),
    );
    await recordEvents(
      ctx,
      tx,
      rows.map(({ id, name }, index) => ({
        organizationId,
        projectId,
        subjectId: id,
        kind: 'process.created',
        data: { after: { name, steps: processes[index]?.steps ?? [] } },
      })),
    );
    const ids = rows.map(({ id }) => id);
    return inOrderOf(await findProcesses(ctx, ids, tx), rows);
  });
}

interface NamedApprover {
  userId: string;
  /** Where the input names them. */
  at: string;
}

/** The approvers of the steps in the list at `at`. */
const approversOf = (steps: readonly { approverIds: string[] }[], at: string): NamedApprover[] =>
  steps.flatMap(({ approverIds }, step) =>
    approverIds.map((userId, index) => ({ userId, at: `${at}.${step}.approverIds.${index}` })),
  );

/** Throws NOT_FOUND with its path for an approver who is no editor of the project. */
async function requireApprovers(
  tx: Transaction,
  projectId: string,
  approvers: readonly NamedApprover[],
): Promise<void> {
  const userIds = [...new Set(approvers.map(({ userId }) => userId))];
  const editors = new Set((await findEditors(tx, projectId, userIds)).map(({ userId }) => userId));
  const other = approvers.find(({ userId }) => !editors.has(userId));
  if (other) throw notFound('Editor of the project', other.at);
}

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

const update = z.strictObject({
  processId: z.string(),
  ...projectPath,
  name: name.nullish(),
  steps: steps(step.extend({ id: z.string().nullish() })).nullish(),
  disabled: z.boolean().nullish(),
  expectedVersion: z.int().nullish(),
});

/**
 * Changes a process. Members that are absent or null keep their value; steps replaces the list, a step with an id is
 * kept. Pending runs continue with the changed steps. A disabled process starts no runs. Requires the role ADMIN.
 * Throws NOT_FOUND, CONFLICT for another version or for removing a step that already has approvals.
 */
export function updateProcess(ctx: Context, input: z.input<typeof update>): Promise<Process> {
  const { processId, steps, expectedVersion, ...rest } = parse(update, input);
  return inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, 'processes', processId);
    const before = await requireProcess(ctx, tx, processId, rest);
    requireVersion(before, expectedVersion);
    const after = {
      name: rest.name ?? before.name,
      archivedAt:
        rest.disabled == null ? before.archivedAt : rest.disabled ? (before.archivedAt ?? new Date()) : null,
    };
    await tx.prisma.process.update({
      where: { id: processId },
      data: {
        ...after,
        nameKey: normalizedKey(after.name),
        ...changedBy(ctx),
      },
    });
    const replaced = steps && (await changeSteps(tx, before, steps));
    const data = changes({ ...before, ...replaced?.before }, { ...after, ...replaced?.after });
    await recordEvents(ctx, tx, [subjectEvent(before, 'process.updated', data)]);
    return (await findProcesses(ctx, [processId], tx))[0] as Process;
  });
}

/** Replaces the steps, and returns them before and after. */
async function changeSteps(
  tx: Transaction,
  process: Process,
  given: NonNullable<z.output<typeof update>['steps']>,
) {
  requireDistinctIds(given.flatMap(({ id }) => id ?? []));
  await requireApprovers(tx, process.projectId, approversOf(given, 'steps'));
  const before = { steps: await readSteps(tx, process) };
  await replaceSteps(tx, process, given);
  return { before, after: { steps: await readSteps(tx, process) } };
}

async function requireProcess(
  ctx: Context,
  tx: Transaction,
  id: string,
  path: ProjectPath,
): Promise<Process> {
  const [process] = await findProcesses(ctx, [id], tx);
  if (!process || !isInPath(process, path)) throw notFound('Process');
  await requireProject(ctx, tx, process.projectId, 'changeProcesses');
  return process;
}

function requireDistinctIds(ids: readonly string[]): void {
  requireDistinct(ids, (index) => `steps.${index}.id`, 'an id is given twice');
}
