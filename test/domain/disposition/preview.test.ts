import { describe, expect, it } from 'vitest';
import { unassignRetentionPolicy } from '../../../src/domain/disposition/assignment-change.ts';
import { updateRetentionPolicy } from '../../../src/domain/disposition/policy-change.ts';
import { newMember } from '../../support/world.ts';
import { newRetentionWorld } from './retention.ts';

const WHOLE = { wholeOrganization: true };

const PREVIEW = `query ($input: RetentionPreviewInput!) { retentionPreview(input: $input) {
  coveredCount shortenedCount lengthenedCount purgeCount purgeBytes reviewCount documents { name } } }`;

async function newPreviewWorld() {
  const world = await newRetentionWorld('old', 'young');
  const policy = await world.policy({ keep: 'P2Y' }, WHOLE);
  await world.age(400, world.idOf('old'));
  const preview = async (input: object = {}) =>
    (await world.owner.graph(PREVIEW, { input: { organizationId: world.organization.id, ...input } })).data
      .retentionPreview;
  return { ...world, policyId: policy.id, preview };
}

describe('the preview of retention', () => {
  it('says what the server does now, and at a later moment', async () => {
    const world = await newPreviewWorld();
    const nothing = { coveredCount: 2, purgeCount: 0, purgeBytes: 0, reviewCount: 0, documents: [] };
    expect(await world.preview()).toMatchObject({ ...nothing, shortenedCount: 0, lengthenedCount: 0 });
    const at = new Date(Date.now() + 400 * 86_400_000);
    expect(await world.preview({ at })).toMatchObject({
      purgeCount: 1,
      purgeBytes: 3,
      documents: [{ name: 'old' }],
    });
  });

  it('says what a change would shorten and dispose of, which then happens', async () => {
    const world = await newPreviewWorld();
    const change = { policyId: world.policyId, keep: 'P1Y' };
    const preview = await world.preview(change);
    expect(preview).toMatchObject({
      shortenedCount: 2,
      lengthenedCount: 0,
      purgeCount: 1,
      documents: [{ name: 'old' }],
    });
    expect(await world.dispose()).toEqual(['old', 'young']);
    await updateRetentionPolicy(world.ctx, change);
    expect(await world.dispose()).toEqual(['young']);
  });

  it('says what an assignment would lengthen, and what taking one back would free', async () => {
    const world = await newPreviewWorld();
    const { db, policyId } = world;
    const further = await world.policy({ keep: 'P5Y', action: 'NOTHING' });
    const assign = { projectId: world.project.id };
    expect(await world.preview({ policyId: further.id, assign })).toMatchObject({
      ...{ coveredCount: 2, lengthenedCount: 2, shortenedCount: 0 },
    });
    const { id: unassignId } = await db.prisma.retentionAssignment.findFirstOrThrow({ where: { policyId } });
    expect(await world.preview({ policyId, unassignId })).toMatchObject({
      coveredCount: 0,
      shortenedCount: 2,
    });
    await unassignRetentionPolicy(world.ctx, { assignmentId: unassignId });
    expect(await world.states(...world.ids)).toEqual([null, null]);
  });

  it.each([
    ['FORBIDDEN', 'MEMBER'],
    ['FORBIDDEN', 'GUEST'],
  ] as const)('answers %s to a %s', async (code, role) => {
    const world = await newPreviewWorld();
    const person = await newMember(world.db, world.organization.id, role);
    const { errors } = await person.graph(PREVIEW, { input: { organizationId: world.organization.id } });
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual([code]);
  });

  it('answers NOT_FOUND to a stranger, and for a policy of another organization', async () => {
    const world = await newPreviewWorld();
    const { errors } = await world.stranger.graph(PREVIEW, {
      input: { organizationId: world.organization.id },
    });
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['NOT_FOUND']);
    const other = await newPreviewWorld();
    const crossed = await world.owner.graph(PREVIEW, {
      input: { organizationId: world.organization.id, policyId: other.policyId },
    });
    expect(crossed.errors?.map(({ extensions }) => extensions.code)).toEqual(['NOT_FOUND']);
  });
});
