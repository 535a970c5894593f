import { describe, expect, it } from 'vitest';
import { approveApprovals, denyApprovals } from '../../../src/domain/approvals/approval-change.ts';
import { updateProcess } from '../../../src/domain/approvals/process-change.ts';
import { startProcess } from '../../../src/domain/approvals/process-start.ts';
import {
  deleteRetentionPolicy,
  updateRetentionPolicy,
} from '../../../src/domain/disposition/policy-change.ts';
import { purgeDocuments, recycleDocuments } from '../../../src/domain/documents/document-bin.ts';
import { createGroups } from '../../../src/domain/membership/group-change.ts';
import { addGroupMembers } from '../../../src/domain/membership/group-member-change.ts';
import { updateProject } from '../../../src/domain/membership/project-change.ts';
import { newMember } from '../../support/world.ts';
import { newRetentionWorld } from './retention.ts';

const WHOLE = { wholeOrganization: true };

/** A world with a group of two reviewers, and a document whose time has ended. */
async function newReviewWorld(given: { reviewNeed?: number } = {}) {
  const world = await newRetentionWorld('a');
  const { db, ctx, organization } = world;
  const [ann, bob] = [
    await newMember(db, organization.id, 'MEMBER'),
    await newMember(db, organization.id, 'MEMBER'),
  ];
  const [group] = await createGroups(ctx, { organizationId: organization.id, groups: [{ name: 'Records' }] });
  const members = await db.prisma.membership.findMany({ where: { userId: { in: [ann.id, bob.id] } } });
  await addGroupMembers(ctx, { groupId: group?.id as string, memberIds: members.map(({ id }) => id) });
  const policy = await world.policy({ action: 'REVIEW', reviewGroupId: group?.id, ...given }, WHOLE);
  await world.age(400, ...world.ids);
  const runs = () =>
    db.prisma.processRun.findMany({ where: { documentId: world.ids[0] }, include: { process: true } });
  return { ...world, ann, bob, policy, runs };
}

describe('the review of a disposal', () => {
  it('is requested of the group once, and destroys the document only when enough of them have approved', async () => {
    const world = await newReviewWorld({ reviewNeed: 2 });
    expect(await world.states(...world.ids)).toEqual(['REVIEW']);
    await world.dispose();
    expect(await world.dispose()).toEqual(['a']);
    expect(await world.runs()).toHaveLength(1);
    await approveApprovals(await world.ann.context(), { ids: world.ids });
    expect(await world.dispose()).toEqual(['a']);
    await approveApprovals(await world.bob.context(), { ids: world.ids });
    expect(await world.dispose()).toEqual([]);
    const { certificate } = await world.db.prisma.disposal.findFirstOrThrow({
      where: { organizationId: world.organization.id },
    });
    expect(JSON.parse(certificate).documents[0].review.approverIds).toEqual(
      [world.ann.id, world.bob.id].sort(),
    );
  });

  it('keeps what was denied for a year more, and asks again then', async () => {
    const world = await newReviewWorld();
    await world.dispose();
    await denyApprovals(await world.ann.context(), { ids: world.ids, comment: 'Still in use' });
    expect(await world.dispose()).toEqual(['a']);
    expect(await world.states(...world.ids)).toEqual(['KEPT']);
    await world.db.prisma.processRun.updateMany({
      where: { documentId: world.ids[0] },
      data: { completedAt: new Date(Date.now() - 366 * 86_400_000) },
    });
    await world.dispose();
    expect((await world.runs()).map(({ state }) => state).sort()).toEqual(['DENIED', 'PENDING']);
  });

  it('is not bypassed by way of the recycle bin, and goes on there', async () => {
    const world = await newReviewWorld();
    const { ctx, ids } = world;
    await recycleDocuments(ctx, { documentIds: ids });
    await expect(purgeDocuments(ctx, { documentIds: ids })).rejects.toThrow(
      'A retention policy keeps a document.',
    );
    await world.dispose();
    await approveApprovals(await world.ann.context(), { ids });
    expect(await world.dispose()).toEqual([]);
  });

  it('goes on in a project that is disabled', async () => {
    const world = await newReviewWorld();
    await world.dispose();
    await updateProject(world.ctx, { projectId: world.project.id, disabled: true });
    await approveApprovals(await world.ann.context(), { ids: world.ids });
    expect(await world.dispose()).toEqual([]);
  });

  it('is not started or changed by people', async () => {
    const world = await newReviewWorld();
    await world.dispose();
    const [run] = await world.runs();
    const processId = run?.processId as string;
    await expect(updateProcess(world.ctx, { processId, disabled: true })).rejects.toThrow(
      'The process reviews disposals: it is what its retention policy says.',
    );
    await expect(startProcess(world.ctx, { processId, itemIds: world.ids })).rejects.toThrow(
      'The process is started by its retention policy alone.',
    );
  });

  it('that approved counts no more once the policy keeps for longer', async () => {
    const world = await newReviewWorld();
    await world.dispose();
    await approveApprovals(await world.ann.context(), { ids: world.ids });
    await updateRetentionPolicy(world.ctx, { policyId: world.policy.id, keep: 'P10Y' });
    expect(await world.dispose()).toEqual(['a']);
    expect(await world.states(...world.ids)).toEqual(['KEPT']);
  });

  it('ends undecided with its policy', async () => {
    const world = await newReviewWorld();
    await world.dispose();
    await deleteRetentionPolicy(world.ctx, { policyId: world.policy.id });
    expect(await world.runs()).toMatchObject([
      { state: 'WITHDRAWN', process: { retentionPolicyId: null, archivedAt: expect.any(Date) } },
    ]);
    expect(await world.dispose()).toEqual(['a']);
  });

  it('waits while nobody of the group may decide in the project', async () => {
    const world = await newReviewWorld();
    await world.db.prisma.groupMember.deleteMany({ where: { organizationId: world.organization.id } });
    expect(await world.dispose()).toEqual(['a']);
    expect(await world.runs()).toEqual([]);
    expect(await world.states(...world.ids)).toEqual(['REVIEW']);
  });
});
