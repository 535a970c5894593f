import { describe, expect, it } from 'vitest';
import { shareFormTemplates, unshareFormTemplates } from '../../../../src/domain/forms/form-share.ts';
import { createGroups, deleteGroups } from '../../../../src/domain/membership/group-change.ts';
import {
  addGroupMembers,
  removeGroupMembers,
} from '../../../../src/domain/membership/group-member-change.ts';
import { newFormWorld } from '../../../support/forms.ts';
import { newMember, type Person } from '../../../support/world.ts';

const SEEN = `query ($id: ID!) { formTemplate(id: $id) { viewerCanSubmit sharedWithGroups(first: 5) { nodes { name } } } }`;
const SHARED = 'query { viewer { sharedFormTemplates(first: 5) { nodes { id } } } }';

async function setUp() {
  const world = await newFormWorld();
  const { db, organization, ctx, form } = world;
  const guest = await newMember(db, organization.id, 'GUEST');
  const inOrganization = { organizationId: organization.id };
  const [crew, other] = await createGroups(ctx, {
    ...inOrganization,
    groups: [{ name: 'Crew' }, { name: 'Other' }],
  });
  const memberIds = [
    (await db.prisma.membership.findFirstOrThrow({ where: { ...inOrganization, userId: guest.id } })).id,
  ];
  const groupId = crew?.id as string;
  const formTemplateIds = [form.id];
  const seenBy = async (person: Person) =>
    (await person.graph(SEEN, { id: form.id })).data?.formTemplate?.sharedWithGroups.nodes.map(
      ({ name }: { name: string }) => name,
    );
  const sharedWith = async (person: Person) =>
    (await person.graph(SHARED)).data.viewer.sharedFormTemplates.nodes;
  return {
    ...world,
    guest,
    groupId,
    otherId: other?.id as string,
    memberIds,
    formTemplateIds,
    seenBy,
    sharedWith,
  };
}

describe('a form that is shared with a group', () => {
  it('is seen and filled in by those who are in it, from the moment in which they are, until they leave it', async () => {
    const { ctx, owner, guest, groupId, otherId, memberIds, formTemplateIds, form, seenBy, sharedWith } =
      await setUp();
    await shareFormTemplates(ctx, { formTemplateIds, groupIds: [groupId, otherId] });
    expect([await seenBy(guest), await sharedWith(guest)]).toEqual([undefined, []]);
    await addGroupMembers(ctx, { groupId, memberIds });
    expect([await seenBy(guest), await sharedWith(guest)]).toEqual([['Crew'], [{ id: form.id }]]);
    expect((await guest.graph(SEEN, { id: form.id })).data.formTemplate.viewerCanSubmit).toBe(true);
    expect(await seenBy(owner)).toEqual(['Crew', 'Other']);
    await removeGroupMembers(ctx, { groupId, memberIds });
    expect([await seenBy(guest), await sharedWith(guest)]).toEqual([undefined, []]);
  });

  it('is shared until the last group and address are taken away', async () => {
    const { ctx, db, guest, groupId, memberIds, formTemplateIds, form, seenBy } = await setUp();
    await addGroupMembers(ctx, { groupId, memberIds });
    await shareFormTemplates(ctx, { formTemplateIds, groupIds: [groupId], userEmails: ['ann@example.test'] });
    await unshareFormTemplates(ctx, { formTemplateIds, userEmails: ['ann@example.test'] });
    expect(await seenBy(guest)).toEqual(['Crew']);
    await unshareFormTemplates(ctx, { formTemplateIds, groupIds: [groupId] });
    expect(await seenBy(guest)).toBeUndefined();
    expect((await db.prisma.formTemplate.findUniqueOrThrow({ where: { id: form.id } })).state).toBe(
      'PRIVATE',
    );
    const kinds = await db.prisma.event.findMany({
      where: { subjectId: form.id },
      orderBy: { sequence: 'asc' },
    });
    expect(kinds.map(({ kind }) => kind).slice(-3)).toEqual(['form.shared', 'form.shared', 'form.unshared']);
  });

  it('keeps the group from being deleted', async () => {
    const { ctx, organization, groupId, formTemplateIds } = await setUp();
    const inOrganization = { organizationId: organization.id };
    await shareFormTemplates(ctx, { formTemplateIds, groupIds: [groupId] });
    await expect(deleteGroups(ctx, { ...inOrganization, groupIds: [groupId] })).rejects.toThrow(
      'A form is shared with the group.',
    );
    await unshareFormTemplates(ctx, { formTemplateIds });
    expect(await deleteGroups(ctx, { ...inOrganization, groupIds: [groupId] })).toEqual([groupId]);
  });

  it('is not shared with a group of another organization', async () => {
    const { ctx, formTemplateIds, seenBy, owner } = await setUp();
    const other = await setUp();
    await expect(
      shareFormTemplates(ctx, { formTemplateIds, groupIds: [other.groupId] }),
    ).rejects.toMatchObject({
      code: 'NOT_FOUND',
      at: 'groupIds.0',
    });
    expect(await seenBy(owner)).toEqual([]);
  });
});
