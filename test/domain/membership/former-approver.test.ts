import { describe, expect, it } from 'vitest';
import { approveApprovals, delegateApprovals } from '../../../src/domain/approvals/approval-change.ts';
import { removeMembers, updateMember } from '../../../src/domain/membership/member-change.ts';
import { updateProject } from '../../../src/domain/membership/project-change.ts';
import {
  addProjectMembers,
  removeProjectMembers,
  updateProjectMember,
} from '../../../src/domain/membership/project-member-change.ts';
import { newOffice } from '../../support/approvals.ts';
import type { Person } from '../../support/world.ts';

async function newDepartment() {
  const office = await newOffice();
  const { db, owner, organization, project } = office;
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
  /** How each approval of an item and its run stand. */
  const standing = async (itemId: string) => {
    const approvals = await office.approvals(itemId);
    const run = await db.prisma.processRun.findFirstOrThrow({ where: { documentId: itemId } });
    const places = approvals.map(({ state, approvers }) => [
      state,
      Object.fromEntries(
        approvers.map((each) => [
          ['ann', 'bob', 'cyd', 'owner'].find((name) => office[name as 'ann'].id === each.userId),
          each.state,
        ]),
      ),
    ]);
    return [run.state, ...places];
  };
  const events = (subjectId: string) =>
    db.prisma.event.findMany({ where: { subjectId }, orderBy: { sequence: 'asc' } });
  return { ...office, organizationId, remove, giveRole, restrict, leaveProject, approve, standing, events };
}

describe('an approver who is removed from the organization', () => {
  it('is taken out of what all have to approve, and the others decide it', async () => {
    const { ann, bob, document, process, start, remove, approve, standing } = await newDepartment();
    const itemId = await document();
    await start(await process({ rule: 'ALL', approvers: [ann, bob] }), itemId);
    await remove(ann);
    expect(await standing(itemId)).toEqual(['PENDING', ['PENDING', { ann: 'DECLINED', bob: 'PENDING' }]]);
    await approve(bob, itemId);
    expect(await standing(itemId)).toEqual(['APPROVED', ['APPROVED', { ann: 'DECLINED', bob: 'APPROVED' }]]);
  });

  it('was the last to be waited for: the run goes on, told in the transaction that removed them', async () => {
    const { owner, ann, bob, cyd, document, process, start, remove, approve, approvals, standing, events } =
      await newDepartment();
    const itemId = await document();
    await start(
      await process({ rule: 'ALL', approvers: [ann, bob] }, { rule: 'ALL', approvers: [ann, cyd] }),
      itemId,
    );
    await approve(bob, itemId);
    await remove(ann);
    expect(await standing(itemId)).toEqual([
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

  it('was the only one: nobody decided, and the run is declined', async () => {
    const { ann, bob, asked, remove, standing, events } = await newDepartment();
    const { itemId } = await asked(ann, bob);
    await remove(ann, bob);
    expect(await standing(itemId)).toEqual(['DECLINED', ['DECLINED', { ann: 'DECLINED', bob: 'DECLINED' }]]);
    expect((await events(itemId)).at(-1)).toMatchObject({
      kind: 'document.processEnded',
      data: { result: 'DECLINED' },
    });
  });

  it('leaves nobody for the next step: the run is declined, and they can go all the same', async () => {
    const { ann, bob, document, process, start, remove, approve, standing, events } = await newDepartment();
    const itemId = await document();
    await start(await process({ rule: 'ALL', approvers: [ann, bob] }, { approvers: [ann] }), itemId);
    await approve(bob, itemId);
    await remove(ann);
    expect(await standing(itemId)).toEqual(['DECLINED', ['APPROVED', { ann: 'DECLINED', bob: 'APPROVED' }]]);
    expect((await events(itemId)).at(-1)).toMatchObject({ data: { result: 'DECLINED' } });
  });

  it('keeps what they had said, and what was decided stays as it is', async () => {
    const { ann, bob, asked, remove, approve, standing } = await newDepartment();
    const { itemId, id } = await asked(ann, bob);
    await approve(ann, id);
    const before = await standing(itemId);
    await remove(ann, bob);
    expect(await standing(itemId)).toEqual(before);
  });

  it('stays asked elsewhere: in another organization nothing changes', async () => {
    const { db, ann, remove } = await newDepartment();
    const elsewhere = await newDepartment();
    await db.prisma.membership.updateMany({
      where: { organizationId: elsewhere.organizationId, userId: elsewhere.bob.id },
      data: { userId: ann.id },
    });
    const { itemId } = await elsewhere.asked(ann);
    await remove(ann);
    expect((await elsewhere.approvals(itemId))[0]).toMatchObject({
      state: 'PENDING',
      approvers: [{ userId: ann.id, state: 'PENDING' }],
    });
  });
});

describe('an approver who is removed from a project', () => {
  it('is taken out of its approvals where they take part in it no longer', async () => {
    const { owner, project, ann, bob, join, document, process, start, leaveProject, standing } =
      await newDepartment();
    await updateProject(await owner.context(), { projectId: project.id, access: 'RESTRICTED' });
    const place = await join(ann, 'EDITOR');
    await join(bob, 'EDITOR');
    const itemId = await document();
    await start(await process({ rule: 'ALL', approvers: [ann, bob] }), itemId);
    await leaveProject(place);
    expect(await standing(itemId)).toEqual(['PENDING', ['PENDING', { ann: 'DECLINED', bob: 'PENDING' }]]);
  });

  it('stays asked where every member takes part', async () => {
    const { ann, bob, join, document, process, start, leaveProject, standing } = await newDepartment();
    const place = await join(ann, 'EDITOR');
    const itemId = await document();
    await start(await process({ rule: 'ALL', approvers: [ann, bob] }), itemId);
    await leaveProject(place);
    expect(await standing(itemId)).toEqual(['PENDING', ['PENDING', { ann: 'PENDING', bob: 'PENDING' }]]);
  });
});

type Department = Awaited<ReturnType<typeof newDepartment>>;

/** Each way to take from ann, who takes part as every member does, the right to decide; what is told of it, and of whom. */
const LOSSES: Record<string, { lose: (office: Department) => Promise<unknown>; kind: string }> = {
  'becomes a guest': { lose: ({ giveRole, ann }) => giveRole(ann, 'GUEST'), kind: 'member.updated' },
  'is added to the project as a viewer': {
    lose: async ({ owner, project, ann }) =>
      addProjectMembers(await owner.context(), {
        projectId: project.id,
        members: [{ email: ann.email, role: 'VIEWER' }],
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
  it('is asked no longer, and the run goes on, told in the same transaction', async () => {
    const department = await newDepartment();
    const { db, organizationId, ann, bob, cyd, document, process, start, approve, standing } = department;
    const itemId = await document();
    const steps = [
      { rule: 'ALL' as const, approvers: [ann, bob] },
      { rule: 'ALL' as const, approvers: [ann, cyd] },
    ];
    await start(await process(...steps), itemId);
    await approve(bob, itemId);
    await lose(department);
    expect(await standing(itemId)).toEqual([
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
  it('stays asked who becomes an admin, or an editor of the project that is restricted', async () => {
    const { ann, bob, join, giveRole, restrict, asked, standing } = await newDepartment();
    const { itemId } = await asked(ann, bob);
    await giveRole(ann, 'ADMIN');
    await join(bob, 'EDITOR');
    await restrict();
    expect(await standing(itemId)).toEqual(['PENDING', ['PENDING', { ann: 'PENDING', bob: 'PENDING' }]]);
  });

  it('stays asked in a restricted project of which they are an editor when they are an admin no more', async () => {
    const { ann, bob, join, giveRole, restrict, asked, standing } = await newDepartment();
    await giveRole(ann, 'ADMIN');
    const { itemId } = await asked(ann, bob);
    await join(ann, 'EDITOR');
    await restrict();
    await giveRole(ann, 'MEMBER');
    expect(await standing(itemId)).toEqual(['PENDING', ['PENDING', { ann: 'PENDING', bob: 'DECLINED' }]]);
  });
});

describe.runIf(process.env.TEST_DATABASE_URL)('removing an approver', () => {
  const waiting = (department: Awaited<ReturnType<typeof newDepartment>>) =>
    department.db.prisma.approver.count({ where: { userId: department.ann.id, state: 'PENDING' } });

  it('while they approve 20 things leaves each approved or declined by them, and none waiting', async () => {
    const department = await newDepartment();
    const { ann, bob, document, process, start, remove, approve, standing, events, approvals } = department;
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
    const said = settled
      .toSpliced(10, 1)
      .map(({ status }) => (status === 'fulfilled' ? 'APPROVED' : 'DECLINED'));
    for (const [index, id] of items.entries()) {
      expect(await standing(id)).toEqual(['PENDING', ['PENDING', { ann: said[index], bob: 'PENDING' }]]);
      const [approval] = await approvals(id);
      expect(await events(approval?.id as string)).toHaveLength(1);
      await approve(bob, id);
      expect((await standing(id))[0]).toBe('APPROVED');
    }
  });

  it('while others come to a step that asks them, or hand their places on to them, leaves none waiting', async () => {
    const department = await newDepartment();
    const { ann, bob, cyd, document, process, start, remove, standing } = department;
    const items = await Promise.all(Array.from({ length: 20 }, () => document()));
    const made = await process({ approvers: [bob] }, { rule: 'ALL', approvers: [ann, cyd] });
    await start(made, ...items);
    const ctx = await bob.context();
    const act = (id: string, index: number) =>
      index % 2
        ? approveApprovals(ctx, { ids: [id] })
        : delegateApprovals(ctx, { ids: [id], toUserId: ann.id });
    const [removed, ...settled] = await Promise.allSettled([remove(ann), ...items.map(act)]);
    expect(removed.status).toBe('fulfilled');
    expect(await waiting(department)).toBe(0);
    for (const [index, id] of items.entries()) {
      const [run, ...approvals] = await standing(id);
      const delegated = settled[index]?.status === 'fulfilled' && index % 2 === 0;
      expect([id, run]).toEqual([id, delegated ? 'DECLINED' : 'PENDING']);
      expect(approvals).toHaveLength(index % 2 ? 2 : 1);
    }
  });

  it('20 times at once removes them once, and tells of it once', async () => {
    const department = await newDepartment();
    const { ann, bob, asked, remove, events } = department;
    const { id } = await asked(ann, bob);
    const settled = await Promise.allSettled(Array.from({ length: 20 }, () => remove(ann)));
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await events(id)).toHaveLength(1);
    expect(await waiting(department)).toBe(0);
  });

  it.each(
    Object.entries(LOSSES),
  )('or who %s, while runs begin that ask them, and places are handed to them, leaves none waiting', async (_, {
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
