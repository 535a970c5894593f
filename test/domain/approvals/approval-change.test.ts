import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  approveApprovals,
  declineApprovals,
  delegateApprovals,
  denyApprovals,
} from '../../../src/domain/approvals/approval-change.ts';
import {
  type ApprovalAction,
  type ApprovalProgress,
  transition,
} from '../../../src/domain/approvals/approval-state.ts';
import { updateProcess } from '../../../src/domain/approvals/process-change.ts';
import { startProcess } from '../../../src/domain/approvals/process-start.ts';
import { newApprovalWorld } from '../../support/approvals.ts';
import type { Person } from '../../support/world.ts';

const outcomes = (settled: PromiseSettledResult<unknown>[]) => ({
  won: settled.filter(({ status }) => status === 'fulfilled').length,
  codes: [...new Set(settled.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : [])))],
});

async function act(person: Person, id: string, action: ApprovalAction): Promise<void> {
  const ctx = await person.context();
  const ids = [id];
  if (action.verb === 'APPROVE') await approveApprovals(ctx, { ids });
  else if (action.verb === 'DECLINE') await declineApprovals(ctx, { ids });
  else if (action.verb === 'DENY') await denyApprovals(ctx, { ids });
  else if ('to' in action) await delegateApprovals(ctx, { ids, toUserId: action.to });
}

describe('decisions in the database', () => {
  it('agree with the state machine for any sequence of actions', async () => {
    const { ann, bob, cyd, owner, process, start, document, approvals } = await newApprovalWorld();
    const people = [ann, bob, cyd, owner];
    const processes = {
      ONE: await process({ rule: 'ONE', approvers: [ann, bob, cyd] }),
      ALL: await process({ rule: 'ALL', approvers: [ann, bob, cyd] }),
      TWO: await process({ need: 2, veto: false, approvers: [ann, bob, cyd] }),
    };
    const step = fc.record({
      verb: fc.constantFrom('APPROVE', 'DECLINE', 'DELEGATE', 'DELEGATE', 'DENY'),
      by: fc.nat(3),
      to: fc.nat(3),
    });
    const sequence = fc.array(step, { minLength: 3, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('ONE', 'ALL', 'TWO'), sequence, async (rule, steps) => {
        const itemId = await document();
        await start(processes[rule], itemId);
        const [approval] = await approvals(itemId);
        const quorum = { rule: rule === 'ONE' ? rule : ('ALL' as const), need: rule === 'TWO' ? 2 : null };
        let model: ApprovalProgress = {
          ...{ ...quorum, veto: rule !== 'TWO', excludedIds: [], state: 'PENDING' },
          approvers: approval?.approvers ?? [],
        };
        for (const { verb, by, to } of steps) {
          const [actor, heir] = [people[by], people[to]] as [Person, Person];
          const action = { verb, by: actor.id, to: heir.id } as ApprovalAction;
          const expected = transition(model, action);
          const done = await act(actor, approval?.id as string, action).then(
            () => true,
            (error) => !['CONFLICT', 'FORBIDDEN'].includes(error.code) && Promise.reject(error),
          );
          expect(done).toBe(expected !== undefined);
          model = expected ?? model;
          const [now] = await approvals(itemId);
          const words = (all: ApprovalProgress['approvers']) =>
            all.map(({ userId, state }) => `${userId} ${state}`).sort();
          expect([now?.state, words(now?.approvers ?? [])]).toEqual([model.state, words(model.approvers)]);
        }
      }),
      { numRuns: 18 },
    );
  });
});

describe.runIf(process.env.TEST_DATABASE_URL)('20 concurrent decisions', () => {
  it('by one approver store one answer', async () => {
    const { ann, requestApproval, approvals, db } = await newApprovalWorld();
    const ctx = await ann.context();
    const verbs = { APPROVED: approveApprovals, DECLINED: declineApprovals, DENIED: denyApprovals };
    const names = Object.keys(verbs) as (keyof typeof verbs)[];
    for (let round = 0; round < 10; round++) {
      const { id, itemId } = await requestApproval(ann);
      const calls = Array.from(
        { length: 20 },
        (_, index) => names[(index + round) % 3] as keyof typeof verbs,
      );
      const settled = await Promise.allSettled(calls.map((name) => verbs[name](ctx, { ids: [id] })));
      expect(outcomes(settled)).toEqual({ won: 1, codes: ['CONFLICT'] });
      const winner = calls[settled.findIndex(({ status }) => status === 'fulfilled')];
      const [approval] = await approvals(itemId);
      expect([approval?.state, approval?.approvers[0]?.state]).toEqual([winner, winner]);
      const run = await db.prisma.processRun.findUniqueOrThrow({ where: { id: approval?.runId } });
      expect(run.state).toBe(winner);
      expect(await db.prisma.event.count({ where: { subjectId: id } })).toBe(1);
    }
  });

  it('by four approvers with the rule ONE decide once, with one event', async () => {
    const { ann, bob, cyd, owner, requestApproval, approvals, db } = await newApprovalWorld();
    const contexts = await Promise.all([ann, bob, cyd, owner].map((each) => each.context()));
    for (let round = 0; round < 5; round++) {
      const { id, itemId } = await requestApproval(ann, bob, cyd, owner);
      const settled = await Promise.allSettled(
        Array.from({ length: 20 }, (_, index) => {
          const ctx = contexts[index % 4] as (typeof contexts)[number];
          return (index % 2 ? approveApprovals : denyApprovals)(ctx, { ids: [itemId] });
        }),
      );
      expect(outcomes(settled)).toEqual({ won: 1, codes: ['CONFLICT'] });
      const [approval] = await approvals(itemId);
      const words = approval?.approvers.map(({ state }) => state).filter((state) => state !== 'PENDING');
      expect(words).toEqual([approval?.state]);
      expect(await db.prisma.event.count({ where: { subjectId: id } })).toBe(1);
    }
  });

  it('by item id do not decide the next step of the same approver', async () => {
    const { ann, document, process, start, approvals } = await newApprovalWorld();
    const ctx = await ann.context();
    const releaseProcess = await process({ approvers: [ann] }, { approvers: [ann] }, { approvers: [ann] });
    const itemId = await document();
    await start(releaseProcess, itemId);
    await Promise.allSettled([
      approveApprovals(ctx, { ids: [itemId] }),
      approveApprovals(ctx, { ids: [itemId] }),
    ]);
    const states = (await approvals(itemId)).map(({ state }) => state);
    expect([
      ['APPROVED', 'PENDING'],
      ['APPROVED', 'APPROVED', 'PENDING'],
    ]).toContainEqual(states);
  });

  it('in batches with the same items in opposite order do not deadlock', async () => {
    const { ann, bob, document, task, process, start, approvals } = await newApprovalWorld();
    const releaseProcess = await process({ rule: 'ALL', approvers: [ann, bob] });
    const items = await Promise.all([document(), task(), document(), task()]);
    await start(releaseProcess, ...items);
    const reversed = [...items].reverse();
    const settled = await Promise.allSettled([
      approveApprovals(await ann.context(), { ids: items }),
      approveApprovals(await bob.context(), { ids: reversed }),
    ]);
    expect(outcomes(settled)).toEqual({ won: 2, codes: [] });
    for (const item of items) expect((await approvals(item))[0]?.state).toBe('APPROVED');
  });

  it('and 20 starts of a run create one run', async () => {
    const { owner, ann, document, process, db } = await newApprovalWorld();
    const releaseProcess = await process({ approvers: [ann] });
    const itemId = await document();
    const ctx = await owner.context();
    const settled = await Promise.allSettled(
      Array.from({ length: 20 }, () =>
        startProcess(ctx, { processId: releaseProcess.id, itemIds: [itemId] }),
      ),
    );
    expect(outcomes(settled)).toEqual({ won: 1, codes: ['CONFLICT'] });
    expect(await db.prisma.processRun.count({ where: { documentId: itemId } })).toBe(1);
  });

  it('and a change of the steps leave no run without a current step', async () => {
    const { owner, ann, bob, document, process, start, approvals, db } = await newApprovalWorld();
    for (let round = 0; round < 5; round++) {
      const releaseProcess = await process({ approvers: [ann] }, { approvers: [bob] });
      const itemId = await document();
      await start(releaseProcess, itemId);
      const [first] = await db.prisma.processStep.findMany({
        where: { processId: releaseProcess.id, rank: 0 },
      });
      const only = { id: first?.id, name: 'Only', approverIds: [ann.id] };
      await Promise.allSettled([
        approveApprovals(await ann.context(), { ids: [itemId] }),
        updateProcess(await owner.context(), { processId: releaseProcess.id, steps: [only] }),
      ]);
      const run = await db.prisma.processRun.findFirstOrThrow({ where: { documentId: itemId } });
      const states = (await approvals(itemId)).map(({ state }) => state);
      expect([run.state, ...states]).toEqual(
        states.length === 1 ? ['APPROVED', 'APPROVED'] : ['PENDING', 'APPROVED', 'PENDING'],
      );
    }
  });
});
