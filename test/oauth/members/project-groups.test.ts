import { expect, it } from 'vitest';
import { joinProject } from '../../support/world.ts';
import { codes, newMembersWorld, run } from './members-world.ts';

it('an application changes nobody by a group whom it does not change themselves', async () => {
  const { db, application, owner, admin, member, project, projectId, organizationId, membershipOf } =
    await newMembersWorld();
  const { data } = await run(
    owner,
    'createGroups',
    { organizationId, groups: [{ name: 'Pilots' }] },
    'groups { id }',
  );
  const groupId = data.createGroups.groups[0].id;
  const enter = async (person: typeof member) =>
    run(owner, 'addGroupMembers', { groupId, memberIds: [await membershipOf(person)] });
  await enter(member);
  const add = { projectId, groups: [{ groupId, role: 'EDITOR' }] };
  const update = { projectId, groupId, role: 'VIEWER' };
  const remove = { projectId, groupIds: [groupId] };
  expect(codes(await run(application, 'addProjectMembers', add))).toBeUndefined();
  expect(codes(await run(application, 'updateProjectGroup', update))).toBeUndefined();
  await enter(admin);
  expect(codes(await run(application, 'updateProjectGroup', { ...update, role: 'ADMIN' }))).toEqual([
    'FORBIDDEN',
  ]);
  expect(codes(await run(application, 'removeProjectGroups', remove))).toEqual(['FORBIDDEN']);
  expect(await db.prisma.projectGroup.findMany({ where: { projectId } })).toMatchObject([{ role: 'VIEWER' }]);
  expect(codes(await run(owner, 'removeProjectGroups', remove))).toBeUndefined();
  await joinProject(db, project, admin, 'VIEWER');
  expect(codes(await run(application, 'addProjectMembers', add))).toEqual(['FORBIDDEN']);
});
