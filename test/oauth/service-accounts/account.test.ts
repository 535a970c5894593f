import { describe, expect, it } from 'vitest';
import { findContacts } from '../../../src/domain/users/contact.ts';
import { newClient } from '../../support/oauth.ts';
import { outcome } from '../../support/token-answer.ts';
import { newMember, type Person } from '../../support/world.ts';
import { newServiceAccount, newServiceWorld } from './service-world.ts';

const code = ({ errors }: { errors?: { extensions: { code: string } }[] }) => errors?.[0]?.extensions.code;

const ROLE =
  'mutation ($input: UpdateMemberInput!) { updateMember(input: $input) { member { role user { kind } } } }';
const REMOVE = 'mutation ($input: RemoveMembersInput!) { removeMembers(input: $input) { memberIds } }';
const MEMBERS = `query ($id: ID!) { organization(id: $id) {
  members(filter: { emailPrefix: "usr_" }) { nodes { role clientId user { name email kind } } }
  clients(first: 1) { nodes { name serviceAccount { role } } } } }`;

describe('createServiceAccount', () => {
  it('gives an application an account with a role in its organization, visible among the members', async () => {
    const { create, owner, organization, confidential } = await newServiceWorld();
    const { data } = await create('GUEST');
    const { user } = data.createServiceAccount.member;
    expect(user).toEqual({
      ...{ id: expect.stringMatching(/^usr_/), name: 'Planner', kind: 'SERVICE' },
      email: `${user.id}@service-account.invalid`,
    });
    const { organization: seen } = (await owner.graph(MEMBERS, { id: organization.id })).data;
    expect(seen).toEqual({
      members: {
        nodes: [
          {
            ...{ role: 'GUEST', clientId: confidential.id },
            user: { name: 'Planner', email: user.email, kind: 'SERVICE' },
          },
        ],
      },
      clients: { nodes: [{ name: 'Planner', serviceAccount: { role: 'GUEST' } }] },
    });
  });

  it('is recorded with its creator, and so is its end', async () => {
    const { create, remove, db, owner, organization, confidential } = await newServiceWorld();
    const { user } = (await create('MEMBER')).data.createServiceAccount.member;
    await remove();
    const where = { organizationId: organization.id, subjectId: user.id };
    const events = await db.prisma.event.findMany({ where, orderBy: { sequence: 'asc' } });
    expect(events).toMatchObject([
      {
        ...{ kind: 'serviceAccount.created', actorId: owner.id },
        data: { after: { clientId: confidential.id, name: 'Planner', role: 'MEMBER' } },
      },
      { kind: 'serviceAccount.deleted', actorId: owner.id, data: { before: { role: 'MEMBER' } } },
    ]);
  });

  it('is refused a second time, as an owner, and to public clients', async () => {
    const { create, open } = await newServiceWorld();
    const owner = await create('OWNER');
    await create('MEMBER');
    expect([code(owner), code(await create('GUEST')), code(await create('GUEST', open.id))]).toEqual([
      ...['BAD_USER_INPUT', 'CONFLICT', 'BAD_USER_INPUT'],
    ]);
  });

  it('takes the role OWNER or ADMIN in the organization of the application', async () => {
    const { create, remove, db, organization, stranger, confidential } = await newServiceWorld();
    const admin = await newMember(db, organization.id, 'ADMIN');
    const people: Person[] = [
      await newMember(db, organization.id, 'MEMBER'),
      await newMember(db, organization.id, 'GUEST'),
      stranger,
    ];
    const refused = await Promise.all(people.map((each) => create('MEMBER', confidential.id, each)));
    expect(refused.map(code)).toEqual(['FORBIDDEN', 'NOT_FOUND', 'NOT_FOUND']);
    expect(code(await create('MEMBER', confidential.id, admin))).toBeUndefined();
    const kept = await Promise.all(people.map((each) => remove(confidential.id, each)));
    expect(kept.map(code)).toEqual(['FORBIDDEN', 'NOT_FOUND', 'NOT_FOUND']);
    expect(code(await remove(confidential.id, admin))).toBeUndefined();
  });

  it('is closed to applications of its owners', async () => {
    const { create, remove, owner, tokens, confidential } = await newServiceWorld();
    const application = await owner.with((await tokens()).access_token);
    expect(code(await create('MEMBER', confidential.id, application))).toBe('FORBIDDEN');
    await create('MEMBER');
    expect(code(await remove(confidential.id, application))).toBe('FORBIDDEN');
  });

  it('takes the name of the application, and each new one', async () => {
    const { owner, organization, confidential } = await newServiceAccount();
    await owner.graph(
      'mutation ($input: UpdateClientInput!) { updateClient(input: $input) { client { id } } }',
      { input: { clientId: confidential.id, name: 'Harbour' } },
    );
    const { data } = await owner.graph(MEMBERS, { id: organization.id });
    expect(data.organization.members.nodes[0].user.name).toBe('Harbour');
  });
});

describe('a service account', () => {
  it('changes its role as any member, but never to OWNER', async () => {
    const { owner, member, token, api } = await newServiceAccount();
    const change = (role: string) => owner.graph(ROLE, { input: { memberId: member.id, role } });
    expect(code(await change('OWNER'))).toBe('BAD_USER_INPUT');
    const { data } = await change('GUEST');
    expect(data.updateMember.member).toEqual({ role: 'GUEST', user: { kind: 'SERVICE' } });
    expect(await api(token)).toBe(200);
  });

  it.each([
    'deleteServiceAccount',
    'removeMembers',
    'deleteClients',
  ])('ends at once by %s, with its tokens, in both APIs', async (mutation) => {
    const world = await newServiceAccount();
    const { owner, organization, member, confidential, token, api, app, request } = world;
    if (mutation === 'deleteServiceAccount') await world.remove();
    else if (mutation === 'removeMembers')
      await owner.graph(REMOVE, { input: { organizationId: organization.id, memberIds: [member.id] } });
    else
      await owner.graph(
        `mutation { deleteClients(input: { clientIds: ["${confidential.id}"] }) { clientIds } }`,
      );
    const graph = await app.request('/graphql?query={viewer{user{id}}}', {
      headers: { authorization: `Bearer ${token}` },
    });
    expect([await api(token), graph.status]).toEqual([401, 401]);
    const refusal = mutation === 'deleteClients' ? [401, 'invalid_client'] : [400, 'unauthorized_client'];
    expect(outcome(await request())).toEqual(refusal);
    const { data } = await owner.graph(MEMBERS, { id: organization.id });
    expect(data.organization.members.nodes).toEqual([]);
  });

  it('that is created again is the same account, without its former tokens, projects and role', async () => {
    const { remove, create, member, token, api, request, owner, project } = await newServiceAccount('ADMIN');
    const members = [{ person: { organizationMemberId: member.id }, role: 'EDITOR' }];
    await owner.graph(
      'mutation ($input: AddProjectMembersInput!) { addProjectMembers(input: $input) { members { id } } }',
      { input: { projectId: project.id, members } },
    );
    await remove();
    const again = (await create('GUEST')).data.createServiceAccount.member;
    expect(again.user.id).toBe(member.user.id);
    const { access_token } = (await request()).body;
    expect([await api(token), await api(access_token)]).toEqual([401, 200]);
  });

  it('does not count as one of the people that use the application', async () => {
    const { owner, confidential } = await newServiceAccount();
    const query = `{ node(id: "${confidential.id}") { ... on Client { usage { people lastUsedAt } } } }`;
    const { usage } = (await owner.graph(query)).data.node;
    expect(usage).toEqual({ people: 0, lastUsedAt: expect.any(String) });
  });

  it('is in the lists of REST v1 like any member, with an address that nobody has', async () => {
    const { owner, organization, member } = await newServiceAccount();
    const { body } = await owner.rest('GET', `/organizations/${organization.id}/members`);
    expect(JSON.stringify(body)).toContain(`"UserEmail":"${member.user.email}"`);
  });

  it('is added to a project of REST v1 by its address, and is in no address book', async () => {
    const { owner, organization, project, member } = await newServiceAccount();
    const path = `/organizations/${organization.id}/projects/${project.id}/members`;
    const { status } = await owner.rest('POST', path, [{ UserEmail: member.user.email }]);
    const contacts = await findContacts(await owner.context(), {});
    expect([status, contacts]).toEqual([200, []]);
  });

  it('belongs to one application: another one of the organization has none', async () => {
    const { owner, organization, request } = await newServiceAccount();
    expect(outcome(await request(await newClient(owner, organization.id)))).toEqual([
      400,
      'unauthorized_client',
    ]);
  });
});
