import { beforeEach, describe, expect, it } from 'vitest';
import { issueApiKey } from '../../../src/auth/api-key.ts';
import { deleteGroups } from '../../../src/domain/groups/group-change.ts';
import { createProjects } from '../../../src/domain/projects/project.ts';
import { ask, browser, signedIn } from '../../support/oauth.ts';
import { joinProject, newMember, newPerson, type Person } from '../../support/world.ts';
import { codes, type MembersWorld, newMembersWorld, run } from './members-world.ts';

let world: MembersWorld;
beforeEach(async () => {
  world = await newMembersWorld();
});

const refused = ['FORBIDDEN'];

/** The application, which acts for this person. */
async function actingFor(person: Person): Promise<Person> {
  const { db, app, client, redeem } = world;
  const code = await browser(app, await signedIn(db, person.id)).code(
    ask(client, { scope: 'members:write' }),
  );
  return person.with((await redeem(client, code)).body.access_token);
}

/** Each mutation of members, with an input that its user may send. */
async function mutations({
  db,
  member,
  guest,
  project,
  membershipOf,
  inviteInPerson,
  ...world
}: MembersWorld) {
  const { organizationId, projectId, owner } = world;
  const other = await newMember(db, organizationId, 'MEMBER');
  const joined = await joinProject(db, project, member, 'VIEWER');
  const [invitation, resent] = [
    await inviteInPerson('a@example.test'),
    await inviteInPerson('b@example.test'),
  ];
  const added = await run(
    owner,
    'addProjectMembers',
    { projectId, members: [{ person: { invitationId: invitation }, role: 'VIEWER' }] },
    'invitations { id }',
  );
  await db.prisma.invitation.updateMany({ data: { sentAt: new Date(0) } });
  const toProject = added.data.addProjectMembers.invitations[0].id;
  return [
    ['inviteMembers', { organizationId, members: [{ email: 'c@example.test', role: 'MEMBER' }] }],
    ['resendInvitations', { organizationId, invitationIds: [resent] }],
    ['withdrawInvitations', { organizationId, invitationIds: [resent] }],
    ['updateMember', { memberId: await membershipOf(member), role: 'GUEST' }],
    ['removeMembers', { organizationId, memberIds: [await membershipOf(other)] }],
    ['addProjectMembers', { projectId, members: [{ person: { email: guest.email }, role: 'VIEWER' }] }],
    ['updateProjectMember', { memberId: joined, role: 'VIEWER' }],
    ['removeProjectMembers', { projectId, memberIds: [joined] }],
    ['removeProjectInvitations', { projectId, projectInvitationIds: [toProject] }],
  ] as const;
}

describe('an application', () => {
  it('manages members with members:write, with no other scope, and each event names it', async () => {
    const { db, applicationWith, client, owner } = world;
    const [narrow, wide] = [await applicationWith('members:write'), await applicationWith('read write')];
    for (const [name, input] of await mutations(world)) {
      const answer = await run(wide, name, input);
      expect([name, answer.errors?.[0]?.extensions]).toMatchObject([
        name,
        { code: 'INSUFFICIENT_SCOPE', missing: ['members:write'], required: ['members:write'] },
      ]);
      expect([name, codes(await run(narrow, name, input))]).toEqual([name, undefined]);
    }
    const events = await db.prisma.event.findMany({ where: { clientId: client.id } });
    expect(new Set(events.map(({ kind, actorId }) => [kind, actorId].join()))).toEqual(
      new Set(
        [
          'invitation.created',
          'invitation.resent',
          'invitation.withdrawn',
          'member.updated',
          'member.removed',
          'projectMember.added',
          'projectMember.updated',
          'projectMember.removed',
          'projectInvitation.removed',
        ].map((kind) => [kind, owner.id].join()),
      ),
    );
  });

  it('is refused with write alone, with an answer that names the scope over REST v1 too', async () => {
    const { app, organizationId, projectId, applicationWith, application, member } = world;
    const { key } = await applicationWith('read write');
    for (const [path, body] of [
      [`/organizations/${organizationId}/members`, [{ UserEmail: 'new@example.test' }]],
      [`/organizations/${organizationId}/projects/${projectId}/members`, [{ UserEmail: member.email }]],
    ] as const) {
      const answer = await app.request(`/api/v1${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(answer.status).toBe(403);
      expect(answer.headers.get('www-authenticate')).toContain('scope="members:write"');
      expect(await answer.json()).toMatchObject({ code: 'INSUFFICIENT_SCOPE', missing: ['members:write'] });
      expect((await application.rest('POST', path, body)).status).toBe(200);
    }
    const admin = [{ UserEmail: 'admin@example.test', IsAdmin: true }];
    expect((await application.rest('POST', `/organizations/${organizationId}/members`, admin)).status).toBe(
      403,
    );
  });

  it('sees what it wrote with members:write alone, and nothing beside that', async () => {
    const { applicationWith, invite, organizationId } = world;
    const narrow = await applicationWith('members:write');
    expect((await invite(narrow, 'new@example.test')).data.inviteMembers.invitations).toHaveLength(1);
    const input = { organizationId, members: [{ email: 'other@example.test', role: 'MEMBER' }] };
    const selection = 'members { organization { members { totalCount } } }';
    const beyond = await run(narrow, 'inviteMembers', input, selection);
    expect(beyond.errors?.[0]?.extensions).toMatchObject({ missing: ['organizations:read'] });
    const query = 'query ($id: ID!) { organization(id: $id) { name } }';
    expect(codes(await narrow.graph(query, { id: organizationId }))).toEqual(['INSUFFICIENT_SCOPE']);
  });

  it('does no more than its user may', async () => {
    const { member, invite, organizationId, projectId, guest } = world;
    const theirs = await actingFor(member);
    expect(codes(await invite(theirs, 'new@example.test'))).toEqual(refused);
    const memberIds = [await world.membershipOf(guest)];
    expect(codes(await run(theirs, 'removeMembers', { organizationId, memberIds }))).toEqual(refused);
    const members = [{ person: { email: guest.email }, role: 'VIEWER' }];
    expect(codes(await run(theirs, 'addProjectMembers', { projectId, members }))).toEqual(refused);
  });
});

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
    const application = await actingFor(member);
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
