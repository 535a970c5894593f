import { describe, expect, it } from 'vitest';
import {
  approveApprovals,
  declineApprovals,
  denyApprovals,
} from '../../../src/domain/approvals/approval-change.ts';
import { updateProcess } from '../../../src/domain/approvals/process-change.ts';
import { deleteGroups } from '../../../src/domain/membership/group-change.ts';
import { addGroupMembers, removeGroupMembers } from '../../../src/domain/membership/group-member-change.ts';
import { removeMembers } from '../../../src/domain/membership/member-change.ts';
import { newApprovalWorld, type StepOf } from '../../support/approvals.ts';
import { newMember, newWorld, type Person } from '../../support/world.ts';
import { askedOf, decide, idsOf, memberId, started, stateOf } from './runs.ts';

describe('a step that needs two of three', () => {
  it('is pending after one approval and approved after the second', async () => {
    const world = await newApprovalWorld();
    const { ann, bob, cyd } = world;
    const itemId = await started(world, { need: 2, approvers: [ann, bob, cyd] });
    await decide(approveApprovals, cyd, itemId);
    const before = await stateOf(world, itemId);
    await decide(approveApprovals, ann, itemId);
    expect([before, await stateOf(world, itemId)]).toEqual([
      ['PENDING', 'PENDING'],
      ['APPROVED', 'APPROVED'],
    ]);
  });

  it('is declined once two of them declined, and the third may not decide any more', async () => {
    const world = await newApprovalWorld();
    const { ann, bob, cyd } = world;
    const itemId = await started(world, { need: 2, approvers: [ann, bob, cyd] });
    await decide(declineApprovals, ann, itemId);
    await decide(declineApprovals, bob, itemId);
    expect(await stateOf(world, itemId)).toEqual(['DECLINED', 'DECLINED']);
    await expect(decide(approveApprovals, cyd, itemId)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('is denied by one denial, unless it has no veto', async () => {
    const world = await newApprovalWorld();
    const { ann, bob, cyd } = world;
    const approvers = [ann, bob, cyd];
    const vetoed = await started(world, { need: 2, approvers });
    const voted = await started(world, { need: 2, veto: false, approvers });
    await decide(denyApprovals, ann, vetoed);
    await decide(denyApprovals, ann, voted);
    await decide(approveApprovals, bob, voted);
    await decide(approveApprovals, cyd, voted);
    expect([await stateOf(world, vetoed), await stateOf(world, voted)]).toEqual([
      ['DENIED', 'DENIED'],
      ['APPROVED', 'APPROVED'],
    ]);
  });

  it('ends declined when two of them leave the organization', async () => {
    const world = await newApprovalWorld();
    const { ann, bob, cyd, owner, organization } = world;
    const itemId = await started(world, { need: 2, approvers: [ann, bob, cyd] });
    const memberIds = [await memberId(world, ann), await memberId(world, bob)];
    await removeMembers(await owner.context(), { organizationId: organization.id, memberIds });
    expect(await stateOf(world, itemId)).toEqual(['DECLINED', 'DECLINED']);
  });

  it('is not requested from fewer than two', async () => {
    const world = await newApprovalWorld();
    const { ann, bob, join } = world;
    const process = await world.process({ name: 'Board', need: 2, approvers: [ann, bob] });
    await join(ann, 'VIEWER');
    await expect(world.start(process, await world.document())).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('The step Board needs 2 approvers, and has 1'),
    });
  });

  it('keeps the number in pending approvals when its process changes', async () => {
    const world = await newApprovalWorld();
    const { ann, bob, owner, process, start, document, approvals } = world;
    const both = await process({ need: 2, approvers: [ann, bob] });
    const itemId = await document();
    await start(both, itemId);
    const stepId = (await approvals(itemId))[0]?.stepId as string;
    const steps = [{ id: stepId, name: 'One', rule: 'ONE' as const, approverIds: idsOf(ann, bob) }];
    await updateProcess(await owner.context(), { processId: both.id, steps });
    await decide(approveApprovals, ann, itemId);
    expect(await stateOf(world, itemId)).toEqual(['PENDING', 'PENDING']);
  });
});

describe('how many approvers a new step needs', () => {
  const refused = async (step: Omit<StepOf, 'approvers'>) => {
    const world = await newApprovalWorld();
    const creation = world.process({ ...step, approvers: [world.ann, world.bob] });
    await expect(creation).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
    expect(await world.db.prisma.process.count({ where: { projectId: world.project.id } })).toBe(0);
  };

  it('is not given both as a rule and as a number', () => refused({ rule: 'ALL', need: 2 }));

  it('is not more than it names', () => refused({ need: 3 }));

  it('is at least one', () => refused({ need: 0 }));
});

describe('a group of approvers', () => {
  it('stands for those who are in it when the step is requested', async () => {
    const world = await newApprovalWorld();
    const { ann, bob, cyd, owner, group } = world;
    const groupId = await group('Legal', ann, bob);
    const itemId = await started(world, { need: 2, groupIds: [groupId] });
    const ctx = await owner.context();
    await addGroupMembers(ctx, { groupId, memberIds: [await memberId(world, cyd)] });
    await removeGroupMembers(ctx, { groupId, memberIds: [await memberId(world, bob)] });
    expect(await askedOf(world, itemId)).toEqual([idsOf(ann, bob)]);
  });

  it('gives a person one vote, in however many groups they are', async () => {
    const world = await newApprovalWorld();
    const { ann, bob, group } = world;
    const groupIds = [await group('Legal', ann, bob), await group('Board', ann)];
    const itemId = await started(world, { need: 2, approvers: [ann], groupIds });
    await decide(approveApprovals, ann, itemId);
    expect([await askedOf(world, itemId), await stateOf(world, itemId)]).toEqual([
      [idsOf(ann, bob)],
      ['PENDING', 'PENDING'],
    ]);
  });

  it('leaves out who is no editor of the project', async () => {
    const world = await newApprovalWorld();
    const { ann, bob, group, join } = world;
    await join(bob, 'VIEWER');
    const itemId = await started(world, { groupIds: [await group('Legal', ann, bob)] });
    expect(await askedOf(world, itemId)).toEqual([idsOf(ann)]);
  });

  it('without an editor of the project starts no run', async () => {
    const world = await newApprovalWorld();
    const process = await world.process({ name: 'Legal', groupIds: [await world.group('Nobody')] });
    const itemId = await world.document();
    await expect(world.start(process, itemId)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await stateOf(world, itemId)).toEqual([undefined]);
  });

  it('of more than 100 people starts no run', async () => {
    const world = await newApprovalWorld();
    const people: Person[] = [];
    for (let index = 0; index <= 100; index++)
      people.push(await newMember(world.db, world.organization.id, 'MEMBER'));
    const process = await world.process({ name: 'All', groupIds: [await world.group('Staff', ...people)] });
    await expect(world.start(process, await world.document())).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('has 101 approvers; at most 100'),
    });
  });

  it('is listed with the people in the event of the start', async () => {
    const world = await newApprovalWorld();
    const { ann, bob, db, group } = world;
    const itemId = await started(world, { groupIds: [await group('Legal', ann, bob)] });
    const event = await db.prisma.event.findFirst({
      where: { subjectId: itemId, kind: 'document.processStarted' },
    });
    expect(event?.data).toMatchObject({ approverIds: idsOf(ann, bob) });
  });

  it('cannot be deleted while a process has it', async () => {
    const world = await newApprovalWorld();
    const { ann, owner, organization, group, db } = world;
    const groupId = await group('Legal', ann);
    await world.process({ groupIds: [groupId] });
    const deletion = deleteGroups(await owner.context(), {
      organizationId: organization.id,
      groupIds: [groupId],
    });
    await expect(deletion).rejects.toMatchObject({ code: 'CONFLICT', at: 'groupIds.0' });
    expect(await db.prisma.group.count({ where: { id: groupId } })).toBe(1);
  });

  it('of another organization is not found', async () => {
    const world = await newApprovalWorld();
    const other = await newWorld();
    const groupId = (
      await other.db.prisma.group.create({
        data: {
          ...{ organizationId: other.organization.id, id: 'grp_01kb0000000000000000000000' },
          ...{ name: 'Legal', nameKey: 'legal', createdById: other.owner.id },
        },
      })
    ).id;
    await expect(world.process({ groupIds: [groupId] })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      at: 'processes.0.steps.0.groupIds.0',
    });
  });
});
