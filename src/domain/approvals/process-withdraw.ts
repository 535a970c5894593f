import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type NewEvent, recordEvents } from '../kernel/audit.ts';
import { idsOf, type PathOf, positionIn, requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { conflict } from '../kernel/errors.ts';
import { parse, requireBatchSize, text } from '../kernel/input.ts';
import { isInPath, projectPath } from '../kernel/project-path.ts';
import { inOrderOf, requireProject } from '../projects/project.ts';
import { lockItems } from './approval-item.ts';
import { runEndEvent, withdrawalEvent, withdrawPending } from './approval-outcome.ts';
import { findProcessRuns, type ProcessRun } from './process-run.ts';

const withdrawal = z.strictObject({
  ...projectPath,
  runIds: z.array(z.string()),
  reason: text(2_000).nullish(),
});

/**
 * Takes back runs, all or nothing, and withdraws their pending approvals; answers and decided steps stay. Requires the
 * role EDITOR of who started a run, of others the role ADMIN. Throws NOT_FOUND, CONFLICT for a run that has ended.
 */
export function withdrawProcessRuns(ctx: Context, input: z.input<typeof withdrawal>): Promise<ProcessRun[]> {
  const { runIds, reason, ...path } = parse(withdrawal, input);
  requireBatchSize(runIds, ctx.limits.batchMax, 'runIds');
  const ids = [...new Set(runIds)];
  const pathOf = positionIn('runIds', runIds);
  return inTransaction(ctx.db, async (tx) => {
    const visible = (await findProcessRuns(ctx, ids, tx)).filter((run) => isInPath(run, path));
    requireFound('ProcessRun', ids, visible, pathOf);
    const runs = inOrderOf(
      visible,
      ids.map((id) => ({ id })),
    );
    for (const { projectId, createdById } of runs) {
      const isOwn = createdById === ctx.viewer.userId;
      await requireProject(ctx, tx, projectId, isOwn ? 'startProcesses' : 'delegateForOthers');
    }
    await recordEvents(ctx, tx, await withdrawRuns(ctx, tx, runs, { pathOf, reason }));
    return inOrderOf(await findProcessRuns(ctx, ids, tx), runs);
  });
}

/** Takes back pending runs; returns the events to record. Throws CONFLICT for one that has ended. */
export async function withdrawRuns(
  ctx: Context,
  tx: Transaction,
  runs: readonly ProcessRun[],
  { pathOf, reason }: { pathOf: PathOf; reason?: string | null },
): Promise<NewEvent[]> {
  // As decisions do, so that one of them comes first.
  await lockItems(
    tx,
    runs.map(({ itemId }) => itemId),
  );
  await endPending(ctx, tx, runs, pathOf);
  const references = runs.map((run) => ({ ...run, runId: run.id }));
  const withdrawn = await withdrawPending(ctx, tx, references);
  return [
    ...withdrawn.map(withdrawalEvent),
    ...references.map((run) => runEndEvent(run, 'WITHDRAWN', reason ? { reason } : {})),
  ];
}

/** Ends the pending runs in one conditional update. Throws CONFLICT for one that has ended. */
async function endPending(
  ctx: Context,
  tx: Transaction,
  runs: readonly ProcessRun[],
  pathOf: PathOf,
): Promise<void> {
  const organizationIds = runs.map(({ organizationId }) => organizationId);
  const ended = await tx.query<{ id: string }>(sql`UPDATE process_runs r
    SET state = 'WITHDRAWN', completed_at = now(), completed_by_id = ${ctx.viewer.userId}
    WHERE r.organization_id ${sql.any(organizationIds)} AND r.id ${sql.any(idsOf(runs))} AND r.state = 'PENDING'
    RETURNING r.id`);
  const open = new Set(idsOf(ended));
  const other = runs.find(({ id }) => !open.has(id));
  if (other) throw conflict('A run has ended already.', pathOf(other.id));
}
