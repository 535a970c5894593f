import { describe, expect, it } from 'vitest';
import {
  assignRetentionPolicy,
  unassignRetentionPolicy,
} from '../../../src/domain/disposition/assignment-change.ts';
import {
  deleteRetentionPolicy,
  lockRetentionPolicy,
  updateRetentionPolicy,
} from '../../../src/domain/disposition/policy-change.ts';
import { recycleDocuments } from '../../../src/domain/documents/document-bin.ts';
import { moveDocuments, updateDocument } from '../../../src/domain/documents/document-change.ts';
import { createFields, deleteFields } from '../../../src/domain/fields/field-change.ts';
import { updateFolder } from '../../../src/domain/folders/folder-change.ts';
import { createFolders } from '../../../src/domain/folders/folder-create.ts';
import { deleteFolders } from '../../../src/domain/folders/folder-delete.ts';
import { newRetentionWorld } from './retention.ts';

const WHOLE = { wholeOrganization: true };

async function newLockedWorld() {
  const world = await newRetentionWorld('a');
  const policy = await world.policy({ keep: 'P2Y' }, WHOLE);
  await lockRetentionPolicy(world.ctx, { policyId: policy.id });
  return { ...world, policyId: policy.id };
}

async function newFolderWorld() {
  const world = await newRetentionWorld('a');
  const { ctx, project, ids } = world;
  const [above] = await createFolders(ctx, { projectId: project.id, folders: [{ name: 'Records' }] });
  const aboveId = above?.id as string;
  const [below] = await createFolders(ctx, {
    projectId: project.id,
    folders: [{ name: '2026', parentId: aboveId }],
  });
  const belowId = below?.id as string;
  await moveDocuments(ctx, { documentIds: ids, folderId: belowId });
  const policy = await world.policy({}, { folderId: aboveId });
  const lock = () => lockRetentionPolicy(ctx, { policyId: policy.id });
  return { ...world, aboveId, belowId, lock };
}

async function newFieldWorld() {
  const world = await newRetentionWorld('a');
  const { ctx, project, ids } = world;
  const [ends, type] = await createFields(ctx, {
    projectId: project.id,
    fields: [
      { name: 'Contract ends', type: 'DATE' },
      { name: 'Type', type: 'TEXT' },
    ],
  });
  const [fieldId, typeId] = [ends?.id as string, type?.id as string];
  const set = (id: string, ...values: string[]) =>
    updateDocument(ctx, { documentId: ids[0] as string, fieldValues: [{ fieldId: id, values }] });
  return { ...world, fieldId, typeId, set };
}

describe('a locked retention policy', () => {
  it.each([
    ['shortened', { keep: 'P1Y' }, 'The policy is locked: its time can only become longer.'],
    ['shortened by days', { keep: 'P730D' }, 'The policy is locked: its time can only become longer.'],
  ])('is not %s, also by an owner', async (_, change, text) => {
    const { ctx, policyId } = await newLockedWorld();
    await expect(updateRetentionPolicy(ctx, { policyId, ...change })).rejects.toThrow(text);
  });

  it('destroys no more than before, and is lengthened', async () => {
    const { ctx, policyId } = await newLockedWorld();
    await updateRetentionPolicy(ctx, { policyId, action: 'NOTHING' });
    await expect(updateRetentionPolicy(ctx, { policyId, action: 'PURGE' })).rejects.toThrow(
      'The policy is locked: what follows cannot destroy more than before.',
    );
    await updateRetentionPolicy(ctx, { policyId, keep: 'P745D' });
    expect(await updateRetentionPolicy(ctx, { policyId, forever: true })).toMatchObject({ keepDays: null });
    await expect(updateRetentionPolicy(ctx, { policyId, keep: 'P900Y' })).rejects.toThrow(
      'only become longer',
    );
  });

  it('is neither deleted nor taken from what it is assigned to, and locked once', async () => {
    const { db, ctx, policyId } = await newLockedWorld();
    const { id: assignmentId } = await db.prisma.retentionAssignment.findFirstOrThrow({
      where: { policyId },
    });
    await expect(deleteRetentionPolicy(ctx, { policyId })).rejects.toThrow('it cannot be deleted');
    await expect(unassignRetentionPolicy(ctx, { assignmentId })).rejects.toThrow('cannot be removed');
    await expect(lockRetentionPolicy(ctx, { policyId })).rejects.toThrow('locked already');
  });

  it('keeps a document that is moved out of its folder, as an unlocked one does not', async () => {
    const world = await newFolderWorld();
    const { ctx, ids } = world;
    await moveDocuments(ctx, { documentIds: ids, folderId: null });
    expect(await world.states(...ids)).toEqual([null]);
    await moveDocuments(ctx, { documentIds: ids, folderId: world.belowId });
    await world.lock();
    await moveDocuments(ctx, { documentIds: ids, folderId: null });
    expect(await world.states(...ids)).toEqual(['KEPT']);
  });

  it('keeps the documents of a folder that is moved out', async () => {
    const world = await newFolderWorld();
    await world.lock();
    await updateFolder(world.ctx, { folderId: world.belowId, parentId: '' });
    expect(await world.states(...world.ids)).toEqual(['KEPT']);
  });

  it('keeps the recycled documents of a folder that is deleted', async () => {
    const world = await newFolderWorld();
    await world.lock();
    await recycleDocuments(world.ctx, { documentIds: world.ids });
    await deleteFolders(world.ctx, { projectId: world.project.id, folderIds: [world.aboveId] });
    expect(await world.states(...world.ids)).toEqual(['KEPT']);
  });

  it('keeps a document whose type is changed', async () => {
    const world = await newFieldWorld();
    await world.set(world.typeId, 'Invoice');
    const policy = await world.policy({}, { choice: { fieldId: world.typeId, value: 'INVOICE' } });
    expect(await world.states(...world.ids)).toEqual(['KEPT']);
    await lockRetentionPolicy(world.ctx, { policyId: policy.id });
    await world.set(world.typeId, 'Note');
    expect(await world.states(...world.ids)).toEqual(['KEPT']);
  });

  it('ends no earlier if the date that it counts from is changed or removed', async () => {
    const world = await newFieldWorld();
    const { ctx, fieldId, ids } = world;
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    await world.set(fieldId, day(10));
    const policy = await world.policy(
      { startsFrom: 'FIELD', fieldId, keep: 'P1D' },
      { projectId: world.project.id },
    );
    await lockRetentionPolicy(ctx, { policyId: policy.id });
    await world.set(fieldId, day(-900));
    expect(await world.states(...ids)).toEqual(['KEPT']);
    await world.set(fieldId);
    expect(await world.states(...ids)).toEqual(['WAITING']);
    await expect(deleteFields(ctx, { projectId: world.project.id, fieldIds: [fieldId] })).rejects.toThrow(
      'A retention policy uses the field.',
    );
  });
});

describe('the policies of a document', () => {
  it('are compared: the latest end decides, and of equal ends the one that destroys least', async () => {
    const world = await newRetentionWorld('a');
    await world.policy({ keep: 'P1Y' }, WHOLE);
    await world.policy({ keep: 'P3Y', action: 'NOTHING' }, { projectId: world.project.id });
    await world.age(400, ...world.ids);
    expect(await world.states(...world.ids)).toEqual(['KEPT']);
    await world.policy({ keep: 'P3Y', action: 'PURGE' }, WHOLE);
    await world.age(1000, ...world.ids);
    expect(await world.dispose()).toEqual(['a']);
  });

  it.each([
    ['SEALED', 'WAITING'],
    ['APPROVED', 'WAITING'],
    ['PROJECT_CLOSED', 'WAITING'],
    ['CREATED', 'KEPT'],
    ['LAST_REVISION', 'KEPT'],
  ] as const)('count from %s: %s', async (startsFrom, state) => {
    const world = await newRetentionWorld('a');
    await world.policy({ startsFrom }, WHOLE);
    expect(await world.states(...world.ids)).toEqual([state]);
  });

  it('without a time keep for ever', async () => {
    const world = await newRetentionWorld('a');
    await world.policy({ keep: null }, WHOLE);
    expect(await world.states(...world.ids)).toEqual(['FOREVER']);
  });

  it('are assigned once to the same documents, and within the project of their field', async () => {
    const world = await newFieldWorld();
    const policy = await world.policy({ startsFrom: 'FIELD', fieldId: world.fieldId });
    const assign = (scope: Parameters<typeof assignRetentionPolicy>[1]['scope']) =>
      assignRetentionPolicy(world.ctx, { policyId: policy.id, scope });
    await expect(assign(WHOLE)).rejects.toThrow(
      'must be within the project whose field the policy counts from',
    );
    await assign({ projectId: world.project.id });
    await expect(assign({ projectId: world.project.id })).rejects.toThrow(
      'The policy is assigned there already.',
    );
  });
});
