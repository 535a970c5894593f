import { describe, expect, it } from 'vitest';
import {
  approveApprovals,
  declineApprovals,
  delegateApprovals,
  denyApprovals,
} from '../../../src/domain/approvals/approval-change.ts';
import { removeMembers } from '../../../src/domain/membership/member-change.ts';
import { newApprovalWorld, type StepOf } from '../../support/approvals.ts';
import { askedOf, decide, idsOf, memberId, started, stateOf, type World } from './runs.ts';

/** The kinds of the events of a run, in their order. */
const eventsOf = async ({ db, organization }: World, itemId: string) => {
  const events = await db.prisma.event.findMany({
    where: { organizationId: organization.id },
    orderBy: { sequence: 'asc' },
  });
  return events
    .filter(({ data, subjectId }) => subjectId === itemId || JSON.stringify(data).includes(itemId))
    .map(({ kind, data }) => ({ kind, data: data as Record<string, unknown> }));
};

/** Ann and Bob in parallel, then Cyd. */
const parallel = ({ ann, bob, cyd }: World): StepOf[] => [
  { rank: 0, approvers: [ann] },
  { rank: 0, approvers: [bob] },
  { rank: 1, approvers: [cyd] },
];

describe('steps of an equal rank', () => {
  it('are requested together, and the next rank once all of them are approved', async () => {
    const world = await newApprovalWorld();
    const { ann, bob, cyd } = world;
    const itemId = await started(world, ...parallel(world));
    const first = await askedOf(world, itemId);
    await decide(approveApprovals, bob, itemId);
    const second = await askedOf(world, itemId);
    await decide(approveApprovals, ann, itemId);
    expect([first, second, await askedOf(world, itemId)]).toEqual([
      [idsOf(ann), idsOf(bob)],
      [idsOf(ann), idsOf(bob)],
      [idsOf(ann), idsOf(bob), idsOf(cyd)],
    ]);
  });

  it('are named in one event of the start', async () => {
    const world = await newApprovalWorld();
    const itemId = await started(world, ...parallel(world));
    const [start] = (await eventsOf(world, itemId)).filter(({ kind }) => kind === 'document.processStarted');
    expect(start?.data).toMatchObject({
      approverIds: idsOf(world.ann),
      parallel: [{ approverIds: idsOf(world.bob) }],
    });
  });

  it('end with the first denial, which withdraws the others', async () => {
    const world = await newApprovalWorld();
    const { ann, bob } = world;
    const itemId = await started(world, ...parallel(world));
    await decide(denyApprovals, bob, itemId);
    expect(await stateOf(world, itemId)).toEqual(['DENIED', 'WITHDRAWN', 'DENIED']);
    expect((await eventsOf(world, itemId)).map(({ kind }) => kind).slice(-3)).toEqual([
      'approval.denied',
      'approval.withdrawn',
      'document.processEnded',
    ]);
    await expect(decide(approveApprovals, ann, itemId)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('end with a declined step, which withdraws the others', async () => {
    const world = await newApprovalWorld();
    const itemId = await started(world, ...parallel(world));
    await decide(declineApprovals, world.ann, itemId);
    expect(await stateOf(world, itemId)).toEqual(['DECLINED', 'DECLINED', 'WITHDRAWN']);
  });

  it('that one person decides in one call are followed by the next rank once', async () => {
    const world = await newApprovalWorld();
    const { ann, cyd } = world;
    const itemId = await started(
      world,
      { rank: 0, approvers: [ann] },
      { rank: 0, approvers: [ann] },
      { rank: 1, approvers: [cyd] },
    );
    await decide(approveApprovals, ann, itemId);
    expect(await stateOf(world, itemId)).toEqual(['PENDING', 'APPROVED', 'APPROVED', 'PENDING']);
    const next = (await eventsOf(world, itemId)).filter(({ data }) => data.next);
    expect(next).toHaveLength(1);
  });

  it('are declined when the approver of one leaves, which withdraws the others', async () => {
    const world = await newApprovalWorld();
    const { ann, owner, organization } = world;
    const itemId = await started(world, ...parallel(world));
    const memberIds = [await memberId(world, ann)];
    await removeMembers(await owner.context(), { organizationId: organization.id, memberIds });
    expect(await stateOf(world, itemId)).toEqual(['DECLINED', 'DECLINED', 'WITHDRAWN']);
  });

  it('are given for all steps or for none', async () => {
    const world = await newApprovalWorld();
    const { ann, bob } = world;
    const creation = world.process({ rank: 0, approvers: [ann] }, { approvers: [bob] });
    await expect(creation).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      at: 'processes.0.steps.1.rank',
    });
  });
});

describe('a denied task', () => {
  it('stays open while a vote without a veto may still be approved', async () => {
    const world = await newApprovalWorld();
    const { ann, bob, cyd, db } = world;
    const itemId = await world.task();
    const process = await world.process({ need: 2, veto: false, approvers: [ann, bob, cyd] });
    await world.start(process, itemId);
    await decide(denyApprovals, ann, itemId);
    const before = await db.prisma.task.findUnique({ where: { id: itemId } });
    await decide(declineApprovals, bob, itemId);
    const after = await db.prisma.task.findUnique({ where: { id: itemId } });
    expect([before?.state, after?.state]).toEqual(['OPEN', 'DENIED']);
  });
});

describe('a step that excludes the requester', () => {
  it('is requested from the others', async () => {
    const world = await newApprovalWorld();
    const { ann, owner } = world;
    const itemId = await started(world, { excludeRequester: true, approvers: [ann, owner] });
    expect(await askedOf(world, itemId)).toEqual([idsOf(ann)]);
  });

  it('is not delegated to the requester', async () => {
    const world = await newApprovalWorld();
    const { ann, owner } = world;
    const itemId = await started(world, { excludeRequester: true, approvers: [ann] });
    const delegation = delegateApprovals(await ann.context(), { ids: [itemId], toUserId: owner.id });
    await expect(delegation).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await askedOf(world, itemId)).toEqual([idsOf(ann)]);
  });

  it('without anybody else starts no run', async () => {
    const world = await newApprovalWorld();
    const process = await world.process({ excludeRequester: true, approvers: [world.owner] });
    const itemId = await world.document();
    await expect(world.start(process, itemId)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('Nobody may decide the step'),
    });
    expect(await stateOf(world, itemId)).toEqual([undefined]);
  });
});

describe('a step that is distinct from earlier ones', () => {
  it('is requested from those who did not vote before', async () => {
    const world = await newApprovalWorld();
    const { ann, bob } = world;
    const itemId = await started(
      world,
      { approvers: [ann, bob] },
      { distinctFromEarlier: true, approvers: [ann, bob] },
    );
    await decide(approveApprovals, ann, itemId);
    expect(await askedOf(world, itemId)).toEqual([idsOf(ann, bob), idsOf(bob)]);
  });

  it('is not delegated to who voted before', async () => {
    const world = await newApprovalWorld();
    const { ann, bob } = world;
    const itemId = await started(
      world,
      { approvers: [ann] },
      { distinctFromEarlier: true, approvers: [bob] },
    );
    await decide(approveApprovals, ann, itemId);
    const delegation = delegateApprovals(await bob.context(), { ids: [itemId], toUserId: ann.id });
    await expect(delegation).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await askedOf(world, itemId)).toEqual([idsOf(ann), idsOf(bob)]);
  });

  it('refuses the vote that would leave nobody for it, and says why', async () => {
    const world = await newApprovalWorld();
    const { ann } = world;
    const itemId = await started(
      world,
      { approvers: [ann] },
      { name: 'Second look', distinctFromEarlier: true, approvers: [ann] },
    );
    await expect(decide(approveApprovals, ann, itemId)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('Nobody may decide the step Second look'),
    });
    expect(await stateOf(world, itemId)).toEqual(['PENDING', 'PENDING']);
  });

  it('keeps its approver from no step of the same rank', async () => {
    const world = await newApprovalWorld();
    const { ann } = world;
    const itemId = await started(
      world,
      { rank: 0, distinctFromEarlier: true, approvers: [ann] },
      { rank: 0, distinctFromEarlier: true, approvers: [ann] },
    );
    const [first, second] = await world.approvals(itemId);
    for (const each of [first, second])
      await approveApprovals(await ann.context(), { ids: [each?.id as string] });
    expect(await stateOf(world, itemId)).toEqual(['APPROVED', 'APPROVED', 'APPROVED']);
  });
});
