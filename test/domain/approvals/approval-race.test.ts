import { describe, expect, it } from 'vitest';
import {
  approveApprovals,
  declineApprovals,
  denyApprovals,
} from '../../../src/domain/approvals/approval-change.ts';
import { noteNextOverdueApproval } from '../../../src/domain/approvals/approval-overdue.ts';
import { withdrawProcessRuns } from '../../../src/domain/approvals/process-withdraw.ts';
import { DAY } from '../../../src/lib/time.ts';
import { newApprovalWorld } from '../../support/approvals.ts';
import { passTime } from '../../support/passed-time.ts';
import { newMember, type Person } from '../../support/world.ts';

describe.runIf(process.env.TEST_DATABASE_URL)('20 racing decisions of two parallel steps', () => {
  it('give one legal outcome, with one event for each transition', async () => {
    const world = await newApprovalWorld();
    const { db, owner, organization } = world;
    const people: Person[] = [];
    for (let index = 0; index < 10; index++) people.push(await newMember(db, organization.id, 'MEMBER'));
    const definition = await world.process(
      { rank: 0, need: 3, veto: false, approvers: people },
      { rank: 0, need: 2, approvers: people },
      { rank: 1, approvers: [owner] },
    );
    const outcomes = new Map<string, number>();
    for (let round = 0; round < 12; round++) {
      const itemId = await world.document();
      const [run] = await world.start(definition, itemId);
      const [first, second] = await world.approvals(itemId);
      const contexts = await Promise.all(people.map((person) => person.context()));
      const verbs = [approveApprovals, approveApprovals, approveApprovals, declineApprovals, denyApprovals];
      const calls = contexts.flatMap((ctx, index) =>
        [first, second].map((each, step) => () => {
          // In some rounds nobody denies, and in some the requester withdraws.
          const verb = verbs[(index + step + round) % (round % 3 === 0 ? 4 : 5)] as typeof approveApprovals;
          return verb(ctx, { ids: [each?.id as string] });
        }),
      );
      const ctx = await owner.context();
      if (round % 4 === 3)
        calls.push(() => withdrawProcessRuns(ctx, { runIds: [run?.id as string] }) as Promise<never>);
      const settled = await Promise.allSettled(calls.map((call) => call()));
      for (const each of settled)
        if (each.status === 'rejected') expect(['CONFLICT']).toContain(each.reason.code);
      const { state } = await db.prisma.processRun.findUniqueOrThrow({ where: { id: run?.id as string } });
      const approvals = await world.approvals(itemId);
      const states = approvals.map((each) => each.state);
      if (state === 'PENDING') {
        const stillOpen = states.some((each) => each === 'PENDING');
        expect(stillOpen).toBe(true);
        // The second rank is requested once, and only after the first.
        if (approvals.length === 3) expect(states.slice(0, 2)).toEqual(['APPROVED', 'APPROVED']);
      } else {
        expect(states).toContain(state);
        expect(states).not.toContain('PENDING');
      }
      const events = await db.prisma.event.findMany({
        where: { organizationId: organization.id, data: { path: ['runId'], equals: run?.id as string } },
      });
      const votes = approvals.flatMap(({ approvers }) =>
        approvers.filter((each) => each.state !== 'PENDING'),
      );
      const count = (...kinds: string[]) => events.filter(({ kind }) => kinds.includes(kind)).length;
      expect({
        votes: count('approval.approved', 'approval.denied', 'approval.declined'),
        withdrawn: count('approval.withdrawn'),
        ended: count('document.processEnded'),
      }).toEqual({
        votes: votes.length,
        withdrawn: states.filter((each) => each === 'WITHDRAWN').length,
        ended: state === 'PENDING' ? 0 : 1,
      });
      outcomes.set(state, (outcomes.get(state) ?? 0) + 1);
    }
    expect([...outcomes.values()].reduce((sum, each) => sum + each, 0)).toBe(12);
    console.info('outcomes of 12 rounds:', Object.fromEntries(outcomes));
  }, 120_000);
});

describe.runIf(process.env.TEST_DATABASE_URL)('decisions that race with the job of overdue approvals', () => {
  it.each([
    'DECLINE',
    'ESCALATE',
  ] as const)('%s: one legal outcome, with one event for each transition', async (onOverdue) => {
    const world = await newApprovalWorld();
    const { db, organization, ann, bob, cyd } = world;
    const escalation = onOverdue === 'ESCALATE' ? { escalateTo: [cyd] } : {};
    const definition = await world.process(
      { rule: 'ALL', dueAfterDays: 3, approvers: [ann, bob], onOverdue, ...escalation },
      { approvers: [cyd] },
    );
    const outcomes = new Map<string, number>();
    for (let round = 0; round < 12; round++) {
      const itemId = await world.document();
      const [run] = await world.start(definition, itemId);
      const [approval] = await world.approvals(itemId);
      const id = approval?.id as string;
      await passTime(db, organization.id, 4 * DAY);
      const [first, second, third] = await Promise.all([ann, bob, cyd].map((person) => person.context()));
      const calls: (() => Promise<unknown>)[] = [
        () => approveApprovals(first as never, { ids: [id] }),
        () => noteNextOverdueApproval(db),
        () => (round % 2 ? denyApprovals : approveApprovals)(second as never, { ids: [id] }),
        () => noteNextOverdueApproval(db),
        () => approveApprovals(third as never, { ids: [id] }),
        () => noteNextOverdueApproval(db),
      ];
      await Promise.allSettled(calls.slice(round % 3).map((call) => call()));
      while (await noteNextOverdueApproval(db));
      const [after, ...later] = await world.approvals(itemId);
      const { state } = await db.prisma.processRun.findUniqueOrThrow({ where: { id: run?.id as string } });
      expect(state).toBe(after?.state === 'APPROVED' ? 'PENDING' : after?.state);
      expect(later).toHaveLength(after?.state === 'APPROVED' ? 1 : 0);
      const events = await db.prisma.event.findMany({
        where: { organizationId: organization.id, data: { path: ['runId'], equals: run?.id as string } },
      });
      const count = (...kinds: string[]) => events.filter(({ kind }) => kinds.includes(kind)).length;
      const approvers = after?.approvers ?? [];
      const byJob = events.filter(
        ({ kind, actorId }) => kind === 'approval.declined' && actorId === null,
      ).length;
      expect({
        votes: count('approval.approved', 'approval.denied', 'approval.declined') - byJob,
        escalated: count('approval.escalated'),
        byJob,
        ended: count('document.processEnded'),
      }).toEqual({
        votes: approvers.filter((each) => each.state !== 'PENDING').length,
        escalated: approvers.length - 2,
        byJob: after?.state === 'DECLINED' ? 1 : 0,
        ended: state === 'PENDING' ? 0 : 1,
      });
      outcomes.set(String(after?.state), (outcomes.get(String(after?.state)) ?? 0) + 1);
    }
    console.info(`${onOverdue}, outcomes of 12 rounds:`, Object.fromEntries(outcomes));
  }, 120_000);
});
