import { expect } from 'vitest';
import type { World } from './runs.ts';

export type Approvals = Awaited<ReturnType<World['approvals']>>;

/** What must hold of a run at every moment. Returns its approvals. */
export async function requireLegal(world: World, itemId: string): Promise<Approvals> {
  const { db, organization, owner } = world;
  const run = await db.prisma.processRun.findFirstOrThrow({ where: { documentId: itemId } });
  const approvals = await world.approvals(itemId);
  const steps = await db.prisma.processStep.findMany({ where: { processId: run.processId } });
  const rankOf = (approval: Approvals[number]) => steps.find(({ id }) => id === approval.stepId)?.rank ?? -1;
  const states = approvals.map(({ state }) => state);
  // A step is requested once, and a rank only after those before it.
  expect(new Set(approvals.map(({ stepId }) => stepId)).size).toBe(approvals.length);
  const last = Math.max(...approvals.map(rankOf));
  expect(approvals.filter((each) => rankOf(each) < last).every(({ state }) => state === 'APPROVED')).toBe(
    true,
  );
  // A run is pending exactly while it has an approval that is, and that somebody can decide.
  expect(run.state === 'PENDING').toBe(states.includes('PENDING'));
  for (const { state, need, rule, approvers, excludeRequester, distinctFromEarlier, ...each } of approvals) {
    const voters = approvers.filter((one) => one.state === 'APPROVED').map(({ userId }) => userId);
    expect(new Set(approvers.map(({ userId }) => userId)).size).toBe(approvers.length);
    if (state === 'PENDING') expect(approvers.some((one) => one.state === 'PENDING')).toBe(true);
    if (state === 'APPROVED') expect(voters.length).toBeGreaterThanOrEqual(rule === 'ONE' ? 1 : (need ?? 1));
    if (excludeRequester) expect(approvers.map(({ userId }) => userId)).not.toContain(owner.id);
    const rank = steps.find(({ id }) => id === each.stepId)?.rank ?? -1;
    const earlier = approvals
      .filter((other) => rankOf(other) < rank)
      .flatMap((other) => other.approvers.filter((one) => ['APPROVED', 'DENIED'].includes(one.state)));
    if (distinctFromEarlier)
      expect(earlier.filter(({ userId }) => approvers.some((one) => one.userId === userId))).toEqual([]);
  }
  const events = await db.prisma.event.findMany({
    where: { organizationId: organization.id, data: { path: ['runId'], equals: run.id } },
  });
  // What happens to an overdue approval has no actor.
  const count = (...kinds: string[]) =>
    events.filter(({ kind, actorId }) => kinds.includes(kind) && actorId !== null).length;
  const alone = (kind: string) => events.filter((event) => event.kind === kind && event.actorId === null);
  expect([
    count('approval.approved', 'approval.denied', 'approval.declined'),
    events.filter(({ kind }) => kind === 'approval.withdrawn').length,
    events.filter(({ kind }) => kind === 'document.processEnded').length,
  ]).toEqual([
    approvals.flatMap(({ approvers }) => approvers.filter(({ state }) => state !== 'PENDING')).length,
    states.filter((state) => state === 'WITHDRAWN').length,
    run.state === 'PENDING' ? 0 : 1,
  ]);
  // The job acts once for each approval.
  for (const kind of ['approval.overdue', 'approval.escalated', 'approval.declined']) {
    const subjects = alone(kind).map(({ subjectId }) => subjectId);
    expect(new Set(subjects).size).toBe(subjects.length);
  }
  return approvals;
}
