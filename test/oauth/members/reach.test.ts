import { beforeEach, describe, expect, it } from 'vitest';
import { issueApiKey } from '../../../src/auth/api-key.ts';
import { deleteGroups } from '../../../src/domain/membership/group-change.ts';
import { createProjects } from '../../../src/domain/projects/project.ts';
import { joinProject, newPerson, type Person } from '../../support/world.ts';
import { codes, type MembersWorld, newMembersWorld, run } from './members-world.ts';

let world: MembersWorld;
beforeEach(async () => {
  world = await newMembersWorld();
});

const refused = ['FORBIDDEN'];

describe('an application with every scope', () => {
  it('still changes no group, and answers no invitation', async () => {
    const { db, application, owner, stranger, organizationId } = world;
    const groups = { organizationId, groups: [{ name: 'All' }] };
    expect(codes(await run(application, 'createGroups', groups))).toEqual(refused);
    const { data } = await run(owner, 'createGroups', groups, 'groups { id }');
    const groupIds = [data.createGroups.groups[0].id];
    const ctx = await application.context();
    expect(() => deleteGroups(ctx, { organizationId, groupIds })).toThrow('not by an application');
    const elsewhere = await db.prisma.membership.findFirstOrThrow({ where: { userId: stranger.id } });
    const invited = await run(
      stranger,
      'inviteMembers',
      { organizationId: elsewhere.organizationId, members: [{ email: owner.email, role: 'MEMBER' }] },
      'invitations { id }',
    );
    const invitationId = invited.data.inviteMembers.invitations[0].id;
    for (const name of ['acceptInvitation', 'declineInvitation'])
      expect(codes(await run(application, name, { invitationId }))).toEqual(refused);
  });

  it('changes nobody in another organization', async () => {
    const { db, application, stranger } = world;
    const { id, organizationId } = await db.prisma.membership.findFirstOrThrow({
      where: { userId: stranger.id },
    });
    for (const [name, input] of [
      ['inviteMembers', { organizationId, members: [{ email: 'new@example.test', role: 'MEMBER' }] }],
      ['updateMember', { memberId: id, role: 'GUEST' }],
      ['removeMembers', { organizationId, memberIds: [id] }],
    ] as const)
      expect([name, codes(await run(application, name, input))]).toEqual([name, ['NOT_FOUND']]);
  });
});

describe('an application that its user limits to projects', () => {
  it('adds people whom it sees to these projects, and invites nobody to the organization', async () => {
    const { db, application, owner, member, project, projectId, organizationId, client, invite } = world;
    const [second, third] = await createProjects(await owner.context(), {
      organizationId,
      projects: [{ name: 'Second' }, { name: 'Third' }],
    });
    await joinProject(db, project, member, 'VIEWER');
    const limitedTo = { organizationIds: [], projectIds: [projectId, second?.id] };
    expect(codes(await run(owner, 'limitAuthorization', { clientId: client.id, limitedTo }))).toBeUndefined();
    const add = (to: string | undefined, person: Person) => {
      const members = [{ person: { email: person.email }, role: 'EDITOR' }];
      return run(application, 'addProjectMembers', { projectId: to, members });
    };
    expect(codes(await add(second?.id, member))).toBeUndefined();
    expect(codes(await add(third?.id, member))).toEqual(['NOT_FOUND']);
    expect(codes(await add(second?.id, world.guest))).toEqual(['NOT_FOUND']);
    expect(codes(await invite(application, 'new@example.test'))).toEqual(refused);
    const memberIds = [await world.membershipOf(member)];
    expect(codes(await run(application, 'removeMembers', { organizationId, memberIds }))).toEqual(refused);
    expect(codes(await run(application, 'updateMember', { memberId: memberIds[0], role: 'GUEST' }))).toEqual(
      refused,
    );
  });

  it('manages the members of an organization to which it is limited as a whole', async () => {
    const { application, owner, organizationId, client, invite } = world;
    const limitedTo = { organizationIds: [organizationId], projectIds: [] };
    await run(owner, 'limitAuthorization', { clientId: client.id, limitedTo });
    expect(codes(await invite(application, 'new@example.test'))).toBeUndefined();
  });
});

describe('an API key', () => {
  const keyWith = async (...scopes: ('members:write' | 'write' | 'organizations:write')[]) => {
    const { db, owner } = world;
    return owner.with((await issueApiKey(db.prisma, { userId: owner.id, name: 'key', scopes })).secret);
  };

  it.each([
    'write',
    'members:write',
  ] as const)('with %s manages members and appoints owners', async (scope) => {
    const key = await keyWith(scope);
    const input = { memberId: await world.membershipOf(world.member), role: 'OWNER' };
    expect(codes(await run(key, 'updateMember', input))).toBeUndefined();
    const rest = await key.rest('POST', `/organizations/${world.organizationId}/members`, [
      { UserEmail: (await newPerson(world.db)).email },
    ]);
    expect(rest.status).toBe(200);
  });

  it('with the scope of another area does not, and is told the scope', async () => {
    const { errors } = await world.invite(await keyWith('organizations:write'), 'new@example.test');
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'INSUFFICIENT_SCOPE', missing: ['members:write'] });
  });

  it('with write creates one with members:write, which does nothing else', async () => {
    const keys = [{ name: 'members', scopes: ['MEMBERS_WRITE'] }];
    const { data } = await run(await keyWith('write'), 'createApiKeys', { keys }, 'created { secret }');
    const key = await world.owner.with(data.createApiKeys.created[0].secret);
    expect(codes(await world.invite(key, 'new@example.test'))).toBeUndefined();
    expect(codes(await run(key, 'updateViewer', { name: 'Other' }))).toEqual(['INSUFFICIENT_SCOPE']);
    const wider = await run(key, 'createApiKeys', { keys: [{ name: 'wide', scopes: ['WRITE'] }] });
    expect(codes(wider)).toEqual(['INSUFFICIENT_SCOPE']);
  });
});
