import { beforeEach, describe, expect, it } from 'vitest';
import { joinProject, newMember } from '../../support/world.ts';
import { codes, type MembersWorld, newMembersWorld, run } from './members-world.ts';

let world: MembersWorld;
beforeEach(async () => {
  world = await newMembersWorld();
});

const refused = ['FORBIDDEN'];

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
    ['updateProjectMember', { memberId: joined, role: 'EDITOR' }],
    ['updateMember', { memberId: await membershipOf(member), role: 'GUEST' }],
    ['removeMembers', { organizationId, memberIds: [await membershipOf(other)] }],
    ['addProjectMembers', { projectId, members: [{ person: { email: guest.email }, role: 'VIEWER' }] }],
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
    const theirs = await world.actingFor(member);
    expect(codes(await invite(theirs, 'new@example.test'))).toEqual(refused);
    const memberIds = [await world.membershipOf(guest)];
    expect(codes(await run(theirs, 'removeMembers', { organizationId, memberIds }))).toEqual(refused);
    const members = [{ person: { email: guest.email }, role: 'VIEWER' }];
    expect(codes(await run(theirs, 'addProjectMembers', { projectId, members }))).toEqual(refused);
  });
});
