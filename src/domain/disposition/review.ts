import type { Database, Transaction } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { RetentionPolicy } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { requestNextSteps } from '../approvals/process-progress.ts';
import { addSteps, withRanks } from '../approvals/process-steps.ts';
import { type NewEvent, recordEvents, serverActor } from '../kernel/audit.ts';
import { normalizedKey } from '../kernel/input.ts';
import { lockUnchanged } from './unchanged.ts';

/**
 * Asks the reviewers of a policy whether documents may be disposed of: a run of approval for each. An approval destroys it with the
 * next run of the server; a denial keeps it for longer. Returns how many; those without enough reviewers are tried again later.
 */
export function requestReviews(
  db: Database,
  organizationId: string,
  policyId: string,
  ids: readonly string[],
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const due = await lockUnchanged(
      tx,
      organizationId,
      ids,
      (each) => each.policyId === policyId && each.state === 'REVIEW',
    );
    if (due.length === 0) return 0;
    const policy = await tx.prisma.retentionPolicy.findUniqueOrThrow({ where: { id: policyId } });
    const events: NewEvent[] = [];
    for (const projectId of new Set(due.map(({ document }) => document.projectId))) {
      const documentIds = due.flatMap(({ document }) =>
        document.projectId === projectId ? document.id : [],
      );
      events.push(...(await startRuns(tx, policy, projectId, documentIds)));
    }
    if (events.length > 0) await recordEvents(serverActor('sweep'), tx, events);
    return events.filter(({ kind }) => kind === 'document.processStarted').length;
  });
}

/** Starts a run on each document of a project, and returns the events to record. */
async function startRuns(
  tx: Transaction,
  policy: RetentionPolicy,
  projectId: string,
  documentIds: readonly string[],
): Promise<NewEvent[]> {
  const { organizationId } = policy;
  const { processId, events } = await currentProcess(tx, policy, projectId);
  const runs = documentIds.map((documentId) => ({
    ...{ organizationId, id: newId('ProcessRun'), projectId, processId, documentId },
    createdById: policy.lockedById ?? policy.createdById,
  }));
  await tx.prisma.processRun.createMany({ data: runs });
  const { requested, stuck } = await requestNextSteps(
    tx,
    runs.map(({ id }) => id),
  );
  await tx.prisma.processRun.deleteMany({ where: { id: { in: stuck.map(({ runId }) => runId) } } });
  const started = requested.map((step) => {
    const subjectId = runs.find(({ id }) => id === step.runId)?.documentId as string;
    return {
      ...{ organizationId, projectId, subjectId, kind: 'document.processStarted' },
      data: { processId, retentionPolicyId: policy.id, ...step },
    };
  });
  return started.length > 0 ? [...events, ...started] : events;
}

/** The process of the policy in a project, with the reviewers that the policy names now: people do not change it. */
async function currentProcess(
  tx: Transaction,
  policy: RetentionPolicy,
  projectId: string,
): Promise<{ processId: string; events: NewEvent[] }> {
  const { organizationId, id: retentionPolicyId, reviewGroupId, reviewNeed } = policy;
  const where = { organizationId, projectId, retentionPolicyId, archivedAt: null };
  const current = await tx.prisma.process.findFirst({
    where: {
      ...where,
      steps: { some: { need: needOf(reviewNeed), groups: { some: { groupId: reviewGroupId as string } } } },
    },
  });
  if (current) return { processId: current.id, events: [] };
  await tx.prisma.process.updateMany({ where, data: { archivedAt: new Date() } });
  const name = `Disposal review: ${policy.name}`.slice(0, 255);
  const row = { organizationId, id: newId('Process'), projectId, retentionPolicyId, name };
  await tx.prisma.process.create({
    data: { ...row, nameKey: normalizedKey(name), createdById: policy.createdById },
  });
  const step = { name: 'Approve the disposal', need: reviewNeed, groupIds: [reviewGroupId as string] };
  await addSteps(tx, withRanks(row, [step]));
  const data = { after: { name, retentionPolicyId } };
  return {
    processId: row.id,
    events: [{ organizationId, projectId, subjectId: row.id, kind: 'process.created', data }],
  };
}

/** As steps store it: one approver is the rule, not a number. */
const needOf = (reviewNeed: number): number | null => (reviewNeed > 1 ? reviewNeed : null);
