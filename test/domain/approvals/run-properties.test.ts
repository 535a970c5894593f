import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  approveApprovals,
  declineApprovals,
  delegateApprovals,
  denyApprovals,
} from '../../../src/domain/approvals/approval-change.ts';
import { withdrawProcessRuns } from '../../../src/domain/approvals/process-withdraw.ts';
import { newApprovalWorld, type StepOf } from '../../support/approvals.ts';
import type { Person } from '../../support/world.ts';
import type { World } from './runs.ts';

const RUNS = 60;
const REFUSALS = ['CONFLICT', 'FORBIDDEN', 'NOT_FOUND'];

const verb = fc.constantFrom('APPROVE', 'APPROVE', 'APPROVE', 'DECLINE', 'DENY', 'DELEGATE', 'WITHDRAW');
const action = fc.record({ verb, by: fc.nat(3), to: fc.nat(3), approval: fc.nat(2) });
const step = fc.record({
  rank: fc.nat(1),
  need: fc.constantFrom(1, 2, undefined),
  veto: fc.boolean(),
  excludeRequester: fc.boolean(),
  distinctFromEarlier: fc.boolean(),
});

type Action = typeof action extends fc.Arbitrary<infer Each> ? Each : never;

/** Whether the action was not refused. */
async function act(world: World, people: Person[], itemId: string, each: Action): Promise<boolean> {
  const approvals = await world.approvals(itemId);
  const approval = approvals[each.approval % approvals.length];
  const ctx = await (people[each.by] as Person).context();
  const ids = [approval?.id as string];
  const call = {
    APPROVE: () => approveApprovals(ctx, { ids }),
    DECLINE: () => declineApprovals(ctx, { ids }),
    DENY: () => denyApprovals(ctx, { ids }),
    DELEGATE: () => delegateApprovals(ctx, { ids, toUserId: people[each.to]?.id as string }),
    WITHDRAW: () => withdrawProcessRuns(ctx, { runIds: [approval?.runId as string] }),
  }[each.verb];
  return call().then(
    () => true,
    (error) => !REFUSALS.includes(error.code) && Promise.reject(error),
  );
}

type Approvals = Awaited<ReturnType<World['approvals']>>;

/** What must hold of a run at every moment. */
async function requireLegal(world: World, itemId: string): Promise<Approvals> {
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
  const count = (...kinds: string[]) => events.filter(({ kind }) => kinds.includes(kind)).length;
  expect([
    count('approval.approved', 'approval.denied', 'approval.declined'),
    count('approval.withdrawn'),
    count('document.processEnded'),
  ]).toEqual([
    approvals.flatMap(({ approvers }) => approvers.filter(({ state }) => state !== 'PENDING')).length,
    states.filter((state) => state === 'WITHDRAWN').length,
    run.state === 'PENDING' ? 0 : 1,
  ]);
  return approvals;
}

it('a run keeps its invariants through any sequence of actions', async () => {
  const world = await newApprovalWorld();
  const people = [world.ann, world.bob, world.cyd, world.owner];
  const counts = { runs: 0, accepted: 0, refused: 0 };
  const steps = fc.array(step, { minLength: 1, maxLength: 3 });
  const actions = fc.array(action, { minLength: 4, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(steps, actions, async (given, sequence) => {
      const named = given.map((each): StepOf => ({ ...each, rule: undefined, approvers: people }));
      const itemId = await world.document();
      await world.start(await world.process(...named), itemId);
      counts.runs++;
      let before = await requireLegal(world, itemId);
      for (const each of sequence) {
        counts[(await act(world, people, itemId, each)) ? 'accepted' : 'refused']++;
        const after = await requireLegal(world, itemId);
        // What was decided never changes, and delegation keeps the number of votes.
        for (const one of before) {
          const now = after.find(({ id }) => id === one.id);
          if (one.state !== 'PENDING') expect(now).toEqual(one);
          expect(now?.approvers.length).toBe(one.approvers.length);
        }
        before = after;
      }
    }),
    { numRuns: RUNS },
  );
  console.info('runs and actions:', counts);
  expect(counts.accepted).toBeGreaterThan(RUNS);
}, 180_000);
