import { beforeAll, describe, expect, it } from 'vitest';
import { createGroups } from '../../../../src/domain/membership/group-change.ts';
import { addGroupMembers } from '../../../../src/domain/membership/group-member-change.ts';
import { newMember } from '../../../support/world.ts';
import { HOSTILE, newScene } from '../scene.ts';

let scene: Awaited<ReturnType<typeof newScene>>;

beforeAll(async () => {
  scene = await newScene();
});

/** A group with a new member, and the path of the people of the project. */
async function setUp(name: string) {
  const { db, owner, organization, path, project } = scene;
  const ctx = await owner.context();
  const organizationId = organization.id;
  const [group] = await createGroups(ctx, { organizationId, groups: [{ name }] });
  const groupId = group?.id as string;
  const person = await newMember(db, organizationId, 'MEMBER');
  const { id } = await db.prisma.membership.findFirstOrThrow({
    where: { organizationId, userId: person.id },
  });
  await addGroupMembers(ctx, { groupId, memberIds: [id] });
  const roleOf = async () =>
    (await db.prisma.projectMember.findFirst({ where: { projectId: project.id, userId: person.id } }))?.role;
  return { groupId, person, roleOf, people: `${path}/projects/${project.id}/people` };
}

describe('the groups of a project in the console', () => {
  it('are added, changed and removed, and say by which group somebody is in the project', async () => {
    const { as } = scene;
    const { groupId: group, people, roleOf } = await setUp(`Crew ${HOSTILE}`);
    expect((await as.owner.open(people)).text).toContain(`<option value="${group}"`);
    const added = await as.owner.submit(`${people}/groups`, { do: 'add', group, groupRole: 'VIEWER' });
    expect(added.headers.get('location')).toBe(`${people}?done=groupAdded`);
    expect(await roleOf()).toBe('VIEWER');
    const { text } = await as.owner.open(people);
    expect(text).toContain('In it by <bdi class="who">Crew &lt;script&gt;');
    expect(text).toContain(`href="${scene.path}/groups/${group}"`);
    expect(text).not.toContain('<script>alert(1)');
    await as.owner.submit(`${people}/groups`, { do: 'change', group, role: 'EDITOR' });
    expect(await roleOf()).toBe('EDITOR');
    const removed = await as.owner.submit(`${people}/groups`, { do: 'remove', group });
    expect(removed.headers.get('location')).toBe(`${people}?done=groupRemoved`);
    expect(await roleOf()).toBeUndefined();
  });

  it('are only read by who is no admin of the project, and are on the page of the group', async () => {
    const { as, path, project } = scene;
    const { groupId: group, people, roleOf } = await setUp('Readers');
    await as.owner.submit(`${people}/groups`, { do: 'add', group, groupRole: 'VIEWER' });
    const { text } = await as.member.open(people);
    expect(text).toContain('Readers');
    expect(text).not.toContain('Add a group');
    const { status } = await as.member.submit(`${people}/groups`, { do: 'remove', group });
    expect([status, await roleOf()]).toEqual([403, 'VIEWER']);
    expect((await as.member.open(`${path}/groups/${group}`)).text).toContain(
      `${path}/projects/${project.id}/people`,
    );
  });
});
