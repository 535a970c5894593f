import { beforeEach, describe, expect, it } from 'vitest';
import { joinProject, newMember } from '../../support/world.ts';
import { codes, type MembersWorld, newMembersWorld, run } from './members-world.ts';

let world: MembersWorld;
beforeEach(async () => {
  world = await newMembersWorld();
});

const refused = ['FORBIDDEN'];

describe('no owner and no admin', () => {
  it.each(['OWNER', 'ADMIN'])('is appointed by an application: %s', async (role) => {
    const { application, owner, member, guest, invite, membershipOf } = world;
    for (const person of [member, guest]) {
      const input = { memberId: await membershipOf(person), role };
      expect(codes(await run(application, 'updateMember', input))).toEqual(refused);
      expect(codes(await run(owner, 'updateMember', input))).toBeUndefined();
    }
    expect(codes(await invite(application, 'new@example.test', role))).toEqual(refused);
    expect(codes(await invite(owner, 'new@example.test', role))).toBeUndefined();
  });

  it.each(['OWNER', 'ADMIN'] as const)('is changed or removed by an application: %s', async (role) => {
    const { db, application, owner, project, projectId, organizationId, membershipOf } = world;
    const person = await newMember(db, organizationId, role);
    const joined = await joinProject(db, project, person, 'VIEWER');
    const memberId = await membershipOf(person);
    for (const [name, input] of [
      ['updateMember', { memberId, role: 'MEMBER' }],
      ['removeMembers', { organizationId, memberIds: [memberId] }],
      ['updateProjectMember', { memberId: joined, role: 'EDITOR' }],
      ['removeProjectMembers', { projectId, memberIds: [joined] }],
    ] as const)
      expect([name, codes(await run(application, name, input))]).toEqual([name, refused]);
    expect(
      codes(await run(owner, 'removeMembers', { organizationId, memberIds: [memberId] })),
    ).toBeUndefined();
  });

  it('is invited, by an invitation that an application sends again or takes back', async () => {
    const { db, application, owner, organizationId, inviteInPerson } = world;
    const invitationIds = [await inviteInPerson('new@example.test', 'ADMIN')];
    await db.prisma.invitation.updateMany({ data: { sentAt: new Date(0) } });
    for (const name of ['resendInvitations', 'withdrawInvitations']) {
      expect(codes(await run(application, name, { organizationId, invitationIds }))).toEqual(refused);
      expect(codes(await run(owner, name, { organizationId, invitationIds }))).toBeUndefined();
    }
  });

  it('is needed as the role in a project: an application appoints its admins', async () => {
    const { application, member, projectId } = world;
    const members = [{ person: { email: member.email }, role: 'ADMIN' }];
    const answer = await run(application, 'addProjectMembers', { projectId, members }, 'members { role }');
    expect(answer.data.addProjectMembers.members).toEqual([{ role: 'ADMIN' }]);
  });

  it('is changed among others: all or nothing', async () => {
    const { application, admin, member, organizationId, membershipOf } = world;
    const memberIds = [await membershipOf(member), await membershipOf(admin)];
    const { errors } = await run(application, 'removeMembers', { organizationId, memberIds });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN', at: 'memberIds.1' });
    expect(await membershipOf(member)).toBe(memberIds[0]);
  });
});

describe('the user of an application', () => {
  it('is neither changed nor removed by it, in a project and in the organization', async () => {
    const { db, member, project, projectId, organizationId, membershipOf } = world;
    const joined = await joinProject(db, project, member, 'ADMIN');
    await db.prisma.project.update({ where: { id: projectId }, data: { access: 'RESTRICTED' } });
    const application = await world.actingFor(member);
    const memberIds = [await membershipOf(member)];
    for (const [name, input] of [
      ['updateProjectMember', { memberId: joined, role: 'VIEWER' }],
      ['removeProjectMembers', { projectId, memberIds: [joined] }],
      ['removeMembers', { organizationId, memberIds }],
    ] as const)
      expect([name, codes(await run(application, name, input))]).toEqual([name, refused]);
    expect(
      codes(await run(member, 'removeProjectMembers', { projectId, memberIds: [joined] })),
    ).toBeUndefined();
    expect(codes(await run(member, 'removeMembers', { organizationId, memberIds }))).toBeUndefined();
  });
});
