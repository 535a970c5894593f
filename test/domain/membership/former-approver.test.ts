import { describe, expect, it } from 'vitest';
import { approveApprovals, delegateApprovals } from '../../../src/domain/approvals/approval-change.ts';
import { removeMembers, updateMember } from '../../../src/domain/membership/member-change.ts';
import { updateProject } from '../../../src/domain/membership/project-change.ts';
import { addProjectMembers } from '../../../src/domain/membership/project-member-add.ts';
import {
  removeProjectMembers,
  updateProjectMember,
} from '../../../src/domain/membership/project-member-change.ts';
import { newApprovalWorld } from '../../support/approvals.ts';
import type { Person } from '../../support/world.ts';

async function newDepartment() {
  const world = await newApprovalWorld();
  const { db, owner, organization, project } = world;
  const organizationId = organization.id;
  const remove = async (...people: Person[]) => {
    const userId = { in: people.map(({ id }) => id) };
    const members = await db.prisma.membership.findMany({ where: { organizationId, userId } });
    return removeMembers(await owner.context(), { organizationId, memberIds: members.map(({ id }) => id) });
  };
  const giveRole = async (person: Person, role: 'ADMIN' | 'MEMBER' | 'GUEST') => {
    const where = { organizationId_userId: { organizationId, userId: person.id } };
    const { id } = await db.prisma.membership.findUniqueOrThrow({ where });
    return updateMember(await owner.context(), { memberId: id, role });
  };
  const restrict = async () =>
    updateProject(await owner.context(), { projectId: project.id, access: 'RESTRICTED' });
  const leaveProject = async (...memberIds: string[]) =>
    removeProjectMembers(await owner.context(), { projectId: project.id, memberIds });
  const approve = async (person: Person, id: string) =>
    approveApprovals(await person.context(), { ids: [id] });
  /** The states of an item's run and of its approvals. */
  const states = async (itemId: string) => {
    const approvals = await world.approvals(itemId);
    const run = await db.prisma.processRun.findFirstOrThrow({ where: { documentId: itemId } });
    const answers = approvals.map(({ state, approvers }) => [
      state,
      Object.fromEntries(
        approvers.map((each) => [
          ['ann', 'bob', 'cyd', 'owner'].find((name) => world[name as 'ann'].id === each.userId),
          each.state,
        ]),
      ),
    ]);
    return [run.state, ...answers];
  };
  const events = (subjectId: string) =>
    db.prisma.event.findMany({ where: { subjectId }, orderBy: { sequence: 'asc' } });
  return { ...world, organizationId, remove, giveRole, restrict, leaveProject, approve, states, events };
}

describe('an approver who is removed from the organization', () => {
  it('is declined where all must approve, and the others decide', async () => {
    const { ann, bob, document, process, start, remove, approve, states } = await newDepartment();
    const itemId = await document();
    await start(await process({ rule: 'ALL', approvers: [ann, bob] }), itemId);
    await remove(ann);
    expect(await states(itemId)).toEqual(['PENDING', ['PENDING', { ann: 'DECLINED', bob: 'PENDING' }]]);
    await approve(bob, itemId);
    expect(await states(itemId)).toEqual(['APPROVED', ['APPROVED', { ann: 'DECLINED', bob: 'APPROVED' }]]);
  });

  it('lets the run continue if they were the last one pending, with the events in the same transaction', async () => {
    const { owner, ann, bob, cyd, document, process, start, remove, approve, approvals, states, events } =
      await newDepartment();
    const itemId = await document();
    await start(
      await process({ rule: 'ALL', approvers: [ann, bob] }, { rule: 'ALL', approvers: [ann, cyd] }),
      itemId,
    );
    await approve(bob, itemId);
    await remove(ann);
    expect(await states(itemId)).toEqual([
      'PENDING',
      ['APPROVED', { ann: 'DECLINED', bob: 'APPROVED' }],
      ['PENDING', { cyd: 'PENDING' }],
    ]);
    const [first, second] = await approvals(itemId);
    const [removed] = await events(ann.id);
    const [, declined] = await events(first?.id as string);
    expect(declined).toMatchObject({
      kind: 'approval.declined',
      actorId: owner.id,
      sequence: (removed?.sequence as bigint) + 1n,
      data: {
        before: { state: 'PENDING' },
        after: { state: 'APPROVED' },
        leftApproverIds: [ann.id],
        itemId,
        next: { approvalId: second?.id, approverIds: [cyd.id] },
      },
    });
  });

  it('declines the run if they were the only approver', async () => {
    const { ann, bob, requestApproval, remove, states, events } = await newDepartment();
    const { itemId } = await requestApproval(ann, bob);
    await remove(ann, bob);
    expect(await states(itemId)).toEqual(['DECLINED', ['DECLINED', { ann: 'DECLINED', bob: 'DECLINED' }]]);
    expect((await events(itemId)).at(-1)).toMatchObject({
      kind: 'document.processEnded',
      data: { result: 'DECLINED' },
    });
  });

  it('declines the run if the next step has no other approver', async () => {
    const { ann, bob, document, process, start, remove, approve, states, events } = await newDepartment();
    const itemId = await document();
    await start(await process({ rule: 'ALL', approvers: [ann, bob] }, { approvers: [ann] }), itemId);
    await approve(bob, itemId);
    await remove(ann);
    expect(await states(itemId)).toEqual(['DECLINED', ['APPROVED', { ann: 'DECLINED', bob: 'APPROVED' }]]);
    expect((await events(itemId)).at(-1)).toMatchObject({ data: { result: 'DECLINED' } });
  });

  it('keeps their earlier answers and decided approvals', async () => {
    const { ann, bob, requestApproval, remove, approve, states } = await newDepartment();
    const { itemId, id } = await requestApproval(ann, bob);
    await approve(ann, id);
    const before = await states(itemId);
    await remove(ann, bob);
    expect(await states(itemId)).toEqual(before);
  });

  it('stays an approver in another organization', async () => {
    const { db, ann, remove } = await newDepartment();
    const elsewhere = await newDepartment();
    await db.prisma.membership.updateMany({
      where: { organizationId: elsewhere.organizationId, userId: elsewhere.bob.id },
      data: { userId: ann.id },
    });
    const { itemId } = await elsewhere.requestApproval(ann);
    await remove(ann);
    expect((await elsewhere.approvals(itemId))[0]).toMatchObject({
      state: 'PENDING',
      approvers: [{ userId: ann.id, state: 'PENDING' }],
    });
  });
});

describe('an approver who is removed from a project', () => {
  it('is declined where they no longer have access', async () => {
    const { owner, project, ann, bob, join, document, process, start, leaveProject, states } =
      await newDepartment();
    await updateProject(await owner.context(), { projectId: project.id, access: 'RESTRICTED' });
    const projectMemberId = await join(ann, 'EDITOR');
    await join(bob, 'EDITOR');
    const itemId = await document();
    await start(await process({ rule: 'ALL', approvers: [ann, bob] }), itemId);
    await leaveProject(projectMemberId);
    expect(await states(itemId)).toEqual(['PENDING', ['PENDING', { ann: 'DECLINED', bob: 'PENDING' }]]);
  });

  it('stays an approver where every member has access', async () => {
    const { ann, bob, join, document, process, start, leaveProject, states } = await newDepartment();
    const projectMemberId = await join(ann, 'EDITOR');
    const itemId = await document();
    await start(await process({ rule: 'ALL', approvers: [ann, bob] }), itemId);
    await leaveProject(projectMemberId);
    expect(await states(itemId)).toEqual(['PENDING', ['PENDING', { ann: 'PENDING', bob: 'PENDING' }]]);
  });
});

type Department = Awaited<ReturnType<typeof newDepartment>>;

/** Each way to remove Ann's right to decide, with the events and their subjects. */
const LOSSES: Record<string, { lose: (world: Department) => Promise<unknown>; kind: string }> = {
  'becomes a guest': { lose: ({ giveRole, ann }) => giveRole(ann, 'GUEST'), kind: 'member.updated' },
  'is added to the project as a viewer': {
    lose: async ({ owner, project, ann }) =>
      addProjectMembers(await owner.context(), {
        projectId: project.id,
        members: [{ person: { email: ann.email }, role: 'VIEWER' }],
      }),
    kind: 'projectMember.added',
  },
  'becomes a viewer in the project': {
    lose: async ({ owner, join, ann }) =>
      updateProjectMember(await owner.context(), { memberId: await join(ann, 'ADMIN'), role: 'VIEWER' }),
    kind: 'projectMember.updated',
  },
  'takes part no longer, as the project is restricted': {
    lose: async ({ restrict, bob, cyd, join }) => {
      await join(bob, 'EDITOR');
      await join(cyd, 'EDITOR');
      await restrict();
    },
    kind: 'project.updated',
  },
};

describe.each(Object.entries(LOSSES))('an approver who %s', (_, { lose, kind }) => {
  it('is declined and the run continues, with the events in the same transaction', async () => {
    const department = await newDepartment();
    const { db, organizationId, ann, bob, cyd, document, process, start, approve, states } = department;
    const itemId = await document();
    const steps = [
      { rule: 'ALL' as const, approvers: [ann, bob] },
      { rule: 'ALL' as const, approvers: [ann, cyd] },
    ];
    await start(await process(...steps), itemId);
    await approve(bob, itemId);
    await lose(department);
    expect(await states(itemId)).toEqual([
      'PENDING',
      ['APPROVED', { ann: 'DECLINED', bob: 'APPROVED' }],
      ['PENDING', { cyd: 'PENDING' }],
    ]);
    const [declined, change] = await db.prisma.event.findMany({
      where: { organizationId },
      orderBy: { sequence: 'desc' },
      take: 2,
    });
    expect([change?.kind, declined?.kind, declined?.requestId]).toEqual([
      kind,
      'approval.declined',
      change?.requestId,
    ]);
    expect(declined?.data).toMatchObject({ leftApproverIds: [ann.id] });
  });
});

describe('an approver', () => {
  it('stays one as an admin, or as an editor of a project that becomes restricted', async () => {
    const { ann, bob, join, giveRole, restrict, requestApproval, states } = await newDepartment();
    const { itemId } = await requestApproval(ann, bob);
    await giveRole(ann, 'ADMIN');
    await join(bob, 'EDITOR');
    await restrict();
    expect(await states(itemId)).toEqual(['PENDING', ['PENDING', { ann: 'PENDING', bob: 'PENDING' }]]);
  });

  it('stays one in a restricted project they edit after losing the role ADMIN', async () => {
    const { ann, bob, join, giveRole, restrict, requestApproval, states } = await newDepartment();
    await giveRole(ann, 'ADMIN');
    const { itemId } = await requestApproval(ann, bob);
    await join(ann, 'EDITOR');
    await restrict();
    await giveRole(ann, 'MEMBER');
    expect(await states(itemId)).toEqual(['PENDING', ['PENDING', { ann: 'PENDING', bob: 'DECLINED' }]]);
  });
});

describe.runIf(process.env.TEST_DATABASE_URL)('removing an approver', () => {
  const waiting = (department: Awaited<ReturnType<typeof newDepartment>>) =>
    department.db.prisma.approver.count({ where: { userId: department.ann.id, state: 'PENDING' } });

  it('during 20 of their approvals leaves each approved or declined, none pending', async () => {
    const department = await newDepartment();
    const { ann, bob, document, process, start, remove, approve, states, events, approvals } = department;
    const items = await Promise.all(Array.from({ length: 20 }, () => document()));
    await start(await process({ rule: 'ALL', approvers: [ann, bob] }), ...items);
    const ctx = await ann.context();
    const settled = await Promise.allSettled([
      ...items.slice(0, 10).map((id) => approveApprovals(ctx, { ids: [id] })),
      remove(ann),
      ...items.slice(10).map((id) => approveApprovals(ctx, { ids: [id] })),
    ]);
    expect(settled[10]?.status).toBe('fulfilled');
    const codes = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []));
    expect(codes.filter((code) => !['CONFLICT', 'NOT_FOUND', 'FORBIDDEN'].includes(code))).toEqual([]);
    expect(await waiting(department)).toBe(0);
    const outcomes = settled
      .toSpliced(10, 1)
      .map(({ status }) => (status === 'fulfilled' ? 'APPROVED' : 'DECLINED'));
    for (const [index, id] of items.entries()) {
      expect(await states(id)).toEqual(['PENDING', ['PENDING', { ann: outcomes[index], bob: 'PENDING' }]]);
      const [approval] = await approvals(id);
      expect(await events(approval?.id as string)).toHaveLength(1);
      await approve(bob, id);
      expect((await states(id))[0]).toBe('APPROVED');
    }
  });

  it('while runs reach their step or approvals are delegated to them leaves none pending', async () => {
    const department = await newDepartment();
    const { ann, bob, cyd, document, process, start, remove, states } = department;
    const items = await Promise.all(Array.from({ length: 20 }, () => document()));
    const releaseProcess = await process({ approvers: [bob] }, { rule: 'ALL', approvers: [ann, cyd] });
    await start(releaseProcess, ...items);
    const ctx = await bob.context();
    const act = (id: string, index: number) =>
      index % 2
        ? approveApprovals(ctx, { ids: [id] })
        : delegateApprovals(ctx, { ids: [id], toUserId: ann.id });
    const [removed, ...settled] = await Promise.allSettled([remove(ann), ...items.map(act)]);
    expect(removed.status).toBe('fulfilled');
    expect(await waiting(department)).toBe(0);
    for (const [index, id] of items.entries()) {
      const [run, ...approvals] = await states(id);
      const delegated = settled[index]?.status === 'fulfilled' && index % 2 === 0;
      expect([id, run]).toEqual([id, delegated ? 'DECLINED' : 'PENDING']);
      expect(approvals).toHaveLength(index % 2 ? 2 : 1);
    }
  });

  it('20 times at once removes them once, with one event', async () => {
    const department = await newDepartment();
    const { ann, bob, requestApproval, remove, events } = department;
    const { id } = await requestApproval(ann, bob);
    const settled = await Promise.allSettled(Array.from({ length: 20 }, () => remove(ann)));
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await events(id)).toHaveLength(1);
    expect(await waiting(department)).toBe(0);
  });

  it.each(
    Object.entries(LOSSES),
  )('or an approver who %s, while runs start and approvals are delegated to them, leaves none pending', async (_, {
    lose,
  }) => {
    const department = await newDepartment();
    const { ann, bob, cyd, document, process, start } = department;
    const items = await Promise.all(Array.from({ length: 20 }, () => document()));
    const asksBob = await process({ approvers: [bob, cyd] });
    const asksAnn = await process({ rule: 'ALL', approvers: [ann, cyd] });
    await start(asksBob, ...items.slice(0, 10));
    const ctx = await bob.context();
    const settled = await Promise.allSettled([
      ...items.slice(0, 5).map((id) => delegateApprovals(ctx, { ids: [id], toUserId: ann.id })),
      ...items.slice(10, 15).map((id) => start(asksAnn, id)),
      lose(department),
      ...items.slice(5, 10).map((id) => delegateApprovals(ctx, { ids: [id], toUserId: ann.id })),
      ...items.slice(15).map((id) => start(asksAnn, id)),
    ]);
    expect(settled[10]?.status).toBe('fulfilled');
    const codes = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []));
    expect(codes.filter((code) => code !== 'NOT_FOUND')).toEqual([]);
    expect(await waiting(department)).toBe(0);
  });
});
