import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sql } from '../../../src/db/sql/sql.ts';
import {
  approveApprovals,
  declineApprovals,
  delegateApprovals,
  denyApprovals,
} from '../../../src/domain/approvals/approval-change.ts';
import { noteNextOverdueApproval } from '../../../src/domain/approvals/approval-overdue.ts';
import { withdrawProcessRuns } from '../../../src/domain/approvals/process-withdraw.ts';
import { DAY, fromNow } from '../../../src/lib/time.ts';
import { newApprovalWorld, type StepOf } from '../../support/approvals.ts';
import { newMember, type Person } from '../../support/world.ts';
import { requireLegal } from './legal-run.ts';
import type { World } from './runs.ts';

const RUNS = 60;
const REFUSALS = ['CONFLICT', 'FORBIDDEN', 'NOT_FOUND'];

const verb = fc.constantFrom(
  ...(['APPROVE', 'APPROVE', 'APPROVE', 'APPROVE', 'DECLINE'] as const),
  ...(['DENY', 'DELEGATE', 'OVERDUE', 'WITHDRAW'] as const),
);
const action = fc.record({ verb, by: fc.nat(4), to: fc.nat(4), approval: fc.nat(2) });
const step = fc.record({
  rank: fc.nat(1),
  need: fc.constantFrom(1, 2, undefined),
  veto: fc.boolean(),
  excludeRequester: fc.boolean(),
  distinctFromEarlier: fc.boolean(),
  onOverdue: fc.constantFrom('REMIND', 'ESCALATE', 'DECLINE'),
});
/** Who is away, and who decides in their place. */
const substitutes = fc.uniqueArray(fc.record({ from: fc.nat(3), to: fc.nat(4) }), {
  maxLength: 2,
  selector: ({ from }) => from,
});

type Action = typeof action extends fc.Arbitrary<infer Each> ? Each : never;

/** Has the pending approvals of a run become overdue, and several workers act on it at once. */
async function overdue({ db }: World, runId: string): Promise<void> {
  await db.query(sql`UPDATE approvals SET due_at = now() - interval '1 hour', overdue_next_at = now() - interval '1 hour'
    WHERE run_id = ${runId} AND state = 'PENDING' AND overdue_next_at IS NOT NULL`);
  const drain = async () => {
    while (await noteNextOverdueApproval(db));
  };
  await Promise.all([drain(), drain(), drain()]);
}

/** Replaces the substitutes of all people. */
async function substitute(
  { db, organization }: World,
  people: Person[],
  pairs: { from: number; to: number }[],
) {
  const organizationId = organization.id;
  await db.prisma.substitute.deleteMany({ where: { organizationId } });
  const data = pairs
    .filter(({ from, to }) => from !== to)
    .map(({ from, to }) => ({
      ...{ organizationId, userId: people[from]?.id as string, toId: people[to]?.id as string },
      ...{ startsAt: fromNow(-DAY), endsAt: fromNow(DAY) },
    }));
  await db.prisma.substitute.createMany({ data });
}

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
    OVERDUE: () => overdue(world, approval?.runId as string),
    WITHDRAW: () => withdrawProcessRuns(ctx, { runIds: [approval?.runId as string] }),
  }[each.verb];
  return call().then(
    () => true,
    (error) => !REFUSALS.includes(error.code) && Promise.reject(error),
  );
}

it('a run keeps its invariants through any sequence of actions', async () => {
  const world = await newApprovalWorld();
  const { ann, bob, cyd, owner, db, organization } = world;
  const people = [ann, bob, cyd, owner, await newMember(db, organization.id, 'MEMBER')];
  const approvers = people.slice(0, 4);
  const counts = { runs: 0, accepted: 0, refused: 0 };
  const steps = fc.array(step, { minLength: 1, maxLength: 3 });
  const actions = fc.array(action, { minLength: 4, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(steps, substitutes, actions, async (given, away, sequence) => {
      const named = given.map(
        ({ onOverdue, ...each }): StepOf => ({
          ...{ ...each, rule: undefined, approvers, dueAfterDays: 3, onOverdue },
          ...(onOverdue === 'ESCALATE' && { escalateTo: people }),
        }),
      );
      const itemId = await world.document();
      await substitute(world, people, away);
      await world.start(await world.process(...named), itemId);
      counts.runs++;
      let before = await requireLegal(world, itemId);
      for (const each of sequence) {
        counts[(await act(world, people, itemId, each)) ? 'accepted' : 'refused']++;
        const after = await requireLegal(world, itemId);
        // What was decided never changes, delegation keeps the number of votes, and an escalation takes none away.
        for (const one of before) {
          const now = after.find(({ id }) => id === one.id);
          if (one.state !== 'PENDING') expect(now).toEqual(one);
          if (each.verb === 'OVERDUE')
            expect(now?.approvers.length).toBeGreaterThanOrEqual(one.approvers.length);
          else expect(now?.approvers.length).toBe(one.approvers.length);
        }
        before = after;
      }
    }),
    { numRuns: RUNS },
  );
  console.info('runs and actions:', counts);
  expect(counts.accepted).toBeGreaterThan(RUNS);
}, 180_000);
