import { describe, expect, it } from 'vitest';
import { accessType } from '../../src/rest/projects/record.ts';
import { newClient, newOAuthWorld } from '../support/oauth.ts';
import { type Answer, joinProject, newMember, type Person } from '../support/world.ts';

const codes = ({ errors }: Answer) => errors?.map(({ extensions }) => extensions.code);

/** An owner of an organization, and the same person through an application with read and write. */
async function setUp() {
  const world = await newOAuthWorld();
  const { access_token } = await world.tokens();
  const base = `/organizations/${world.organization.id}/projects/${world.project.id}`;
  return { ...world, base, application: await world.owner.with(access_token) };
}

type Input = Record<string, unknown>;

const run = (person: Person, name: string, input: Input, selection: string) => {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
  return person.graph(`mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`, { input });
};

describe('an application with read and write', () => {
  it('cannot manage applications, since it could redirect the codes of another one to itself', async () => {
    const { owner, application, organization, confidential, open } = await setUp();
    const redirectUris = ['https://evil.example/callback'];
    const facts = { organizationId: organization.id, name: 'Evil', kind: 'PUBLIC', redirectUris, scopes: [] };
    for (const [name, input, selection] of [
      ['createClient', facts, 'secret'],
      ['updateClient', { clientId: open.id, redirectUris }, 'client { id }'],
      ['rotateClientSecret', { clientId: confidential.id }, 'secret'],
      ['deleteClients', { clientIds: [open.id] }, 'clientIds'],
    ] as const) {
      const answer = await run(application, name, input, selection);
      expect([name, codes(answer), answer.data]).toEqual([name, ['FORBIDDEN'], { [name]: null }]);
      expect(codes(await run(owner, name, input, selection))).toBeUndefined();
    }
  });

  it('is refused for applications of other organizations as for its own', async () => {
    const { application, stranger } = await setUp();
    const [membership] = (await stranger.context()).viewer.memberships;
    const foreignClient = await newClient(stranger, membership?.organizationId as string);
    expect(
      codes(await run(application, 'deleteClients', { clientIds: [foreignClient.id] }, 'clientIds')),
    ).toEqual(['FORBIDDEN']);
  });

  it('cannot open the copy of a restricted project, over either API', async () => {
    const { db, application, organization, project } = await setUp();
    await db.prisma.project.update({ where: { id: project.id }, data: { access: 'RESTRICTED' } });
    const copy = (name: string, access?: string) => ({ name, access, source: { projectId: project.id } });
    const create = (projects: object[]) =>
      run(
        application,
        'createProjects',
        { organizationId: organization.id, projects },
        'projects { access }',
      );
    expect(codes(await create([copy('Open', 'OPEN')]))).toEqual(['FORBIDDEN']);
    const copied = await create([copy('Inherited'), copy('Named', 'RESTRICTED')]);
    const accesses = copied.data.createProjects.projects.map(({ access }: { access: string }) => access);
    expect(accesses).toEqual(['RESTRICTED', 'RESTRICTED']);
    const path = `/organizations/${organization.id}/projects`;
    const body = { Name: 'Rest', SourceID: project.id };
    const opened = await application.rest('POST', path, [{ ...body, AccessType: accessType('OPEN') }]);
    expect(opened.status).toBe(403);
    const inherited = await application.rest('POST', path, [body]);
    expect(inherited.body[0].AccessType).toBe(accessType('RESTRICTED'));
  });

  it('cannot change of what its user is notified', async () => {
    const { application } = await setUp();
    const input = { preferences: [{ kind: 'TASK_ASSIGNED', delivery: 'NOTHING' }] };
    const answer = await run(application, 'updateNotificationPreferences', input, 'timeZone');
    expect(codes(answer)).toEqual(['FORBIDDEN']);
  });

  it('cannot create or revoke API keys, over either API', async () => {
    const { owner, application } = await setUp();
    const created = await run(
      application,
      'createApiKeys',
      { keys: [{ name: 'mine' }] },
      'created { secret }',
    );
    expect(codes(created)).toEqual(['FORBIDDEN']);
    const { data } = await owner.graph('{ viewer { apiKeys { nodes { id } } } }');
    const apiKeyIds = [data.viewer.apiKeys.nodes[0].id];
    expect(codes(await run(application, 'deleteApiKeys', { apiKeyIds }, 'apiKeyIds'))).toEqual(['FORBIDDEN']);
    expect((await application.rest('POST', '/user/apiKeys', [{ Name: 'mine' }])).status).toBe(403);
    expect((await owner.graph('{ viewer { apiKeys { totalCount } } }')).data.viewer.apiKeys.totalCount).toBe(
      1,
    );
  });

  it('cannot revoke the access of any application, including itself', async () => {
    const { application, confidential, open, tokens, api } = await setUp();
    const { access_token } = await tokens(open);
    for (const { id: clientId } of [open, confidential])
      expect(codes(await run(application, 'revokeAuthorization', { clientId }, 'clientId'))).toEqual([
        'FORBIDDEN',
      ]);
    expect(await api(access_token)).toBe(200);
  });

  it('cannot change memberships of the organization or of a project without members:write, with any role', async () => {
    const { db, owner, application, organization, project } = await setUp();
    const organizationId = organization.id;
    const member = await newMember(db, organizationId, 'MEMBER');
    const { id: memberId } = await db.prisma.membership.findFirstOrThrow({
      where: { organizationId, userId: member.id },
    });
    const joined = await joinProject(db, project, await newMember(db, organizationId, 'MEMBER'), 'VIEWER');
    const invite = (role: string) => ({ organizationId, members: [{ email: `${role}@example.test`, role }] });
    const add = { projectId: project.id, members: [{ person: { email: member.email }, role: 'ADMIN' }] };
    for (const [name, input, selection] of [
      ['inviteMembers', invite('OWNER'), 'invitations { id }'],
      ['inviteMembers', invite('ADMIN'), 'invitations { id }'],
      ['inviteMembers', invite('MEMBER'), 'invitations { id }'],
      ['inviteMembers', invite('GUEST'), 'invitations { id }'],
      ['addProjectMembers', add, 'members { id }'],
      ['updateProjectMember', { memberId: joined, role: 'EDITOR' }, 'member { id }'],
      ['removeProjectMembers', { projectId: project.id, memberIds: [joined] }, 'memberIds'],
      ['updateMember', { memberId, role: 'ADMIN' }, 'member { id }'],
      ['updateMember', { memberId, role: 'GUEST' }, 'member { id }'],
      ['removeMembers', { organizationId, memberIds: [memberId] }, 'memberIds'],
    ] as const) {
      expect([name, codes(await run(application, name, input, selection))]).toEqual([
        name,
        ['INSUFFICIENT_SCOPE'],
      ]);
      expect(codes(await run(owner, name, input, selection))).toBeUndefined();
    }
  });

  it('cannot open a project to more people, nor restrict one', async () => {
    const { owner, application, project, base } = await setUp();
    const restrict = { projectId: project.id, access: 'RESTRICTED' };
    expect(codes(await run(application, 'updateProject', restrict, 'project { id }'))).toEqual(['FORBIDDEN']);
    const AccessType = 'MembersOnlyAssignments_MemberContentByAssignment';
    expect((await application.rest('PUT', base, { AccessType })).status).toBe(403);
    const renamed = { projectId: project.id, access: 'OPEN', name: 'Renamed' };
    expect(codes(await run(application, 'updateProject', renamed, 'project { id }'))).toBeUndefined();
    expect(codes(await run(owner, 'updateProject', restrict, 'project { id }'))).toBeUndefined();
  });

  it('cannot invite its author, over either API', async () => {
    const { application, stranger, organization } = await setUp();
    const members = [{ email: stranger.email, role: 'MEMBER' }];
    await run(
      application,
      'inviteMembers',
      { organizationId: organization.id, members },
      'invitations { id }',
    );
    const { status } = await application.rest('POST', `/organizations/${organization.id}/members`, [
      { UserEmail: stranger.email },
    ]);
    expect(status).toBe(403);
    const { data } = await stranger.graph('{ viewer { invitations { nodes { id } } } }');
    expect(data.viewer.invitations.nodes).toEqual([]);
  });
});
