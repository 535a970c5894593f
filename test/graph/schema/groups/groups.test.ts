import { describe, expect, it } from 'vitest';
import { counted } from '../../../support/database.ts';
import { newMember, newWorld, type Person } from '../../../support/world.ts';

const LIST = `query ($id: ID!, $filter: GroupFilter) { organization(id: $id) { groups(first: 20, filter: $filter) {
  totalCount nodes { id name version createdBy { id } members(first: 20) { nodes { user { id } } } } } } }`;
const OWN = `query ($id: ID!) { organization(id: $id) { viewerMembership { groups(first: 9) { nodes { name } } } } }`;
const EVENTS = `query ($id: ID!) { organization(id: $id) { events(last: 20) { nodes { kind changes { member before after } } } } }`;

interface GroupNode {
  id: string;
  name: string;
  members: { nodes: { user: { id: string } }[] };
}

async function setUp() {
  const world = await newWorld();
  const { db, owner, organization } = world;
  const admin = await newMember(db, organization.id, 'ADMIN');
  const member = await newMember(db, organization.id, 'MEMBER');
  const guest = await newMember(db, organization.id, 'GUEST');
  const change = (who: Person, name: string, input: object, selection = '__typename') =>
    who.graph(
      `mutation ($input: ${name.charAt(0).toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { ${selection} } }`,
      { input },
    );
  const create = (who: Person, ...names: string[]) =>
    change(
      who,
      'createGroups',
      { organizationId: organization.id, groups: names.map((name) => ({ name })) },
      'groups { id name version }',
    );
  const [{ id: groupId }] = (await create(owner, 'Pilots')).data.createGroups.groups;
  const memberIdOf = async ({ id: userId }: Pick<Person, 'id'>) =>
    (await db.prisma.membership.findFirstOrThrow({ where: { userId, organizationId: organization.id } })).id;
  const enter = async (...people: Person[]) =>
    change(owner, 'addGroupMembers', { groupId, memberIds: await Promise.all(people.map(memberIdOf)) });
  const list = async (who: Person, filter?: object): Promise<GroupNode[]> =>
    (await who.graph(LIST, { id: organization.id, filter })).data.organization.groups.nodes;
  const peopleOf = async (who: Person) =>
    (await list(who))[0]?.members.nodes.map(({ user }) => user.id).toSorted();
  return {
    ...{ ...world, admin, member, guest, change, create, groupId, memberIdOf },
    ...{ enter, list, peopleOf },
  };
}

const codeOf = ({ errors }: { errors?: { extensions: { code: string; at?: string } }[] }) =>
  errors?.[0]?.extensions;

describe('groups of people', () => {
  it('are created by an admin, all or none, each under a name of its own', async () => {
    const { admin, create, list } = await setUp();
    expect((await create(admin, 'Divers', 'Anglers')).errors).toBeUndefined();
    expect(codeOf(await create(admin, 'Zoologists', 'PILOTS'))).toMatchObject({
      code: 'CONFLICT',
      at: 'groups.1.name',
    });
    expect(codeOf(await create(admin, 'Twin', 'twin'))).toMatchObject({ code: 'CONFLICT' });
    expect((await list(admin)).map(({ name }) => name)).toEqual(['Anglers', 'Divers', 'Pilots']);
    expect((await list(admin, { namePrefix: 'dI' })).map(({ name }) => name)).toEqual(['Divers']);
  });

  it('get another name, unless it is in use or the group has changed meanwhile', async () => {
    const { owner, groupId, create, change } = await setUp();
    await create(owner, 'Divers');
    const rename = (input: object) =>
      change(owner, 'updateGroup', { groupId, ...input }, 'group { name version modifiedBy { id } }');
    const { data } = await rename({ name: 'pilots', expectedVersion: 1 });
    expect(data.updateGroup.group).toEqual({ name: 'pilots', version: 2, modifiedBy: { id: owner.id } });
    expect(codeOf(await rename({ name: 'DIVERS' }))).toMatchObject({ code: 'CONFLICT', at: 'name' });
    expect(codeOf(await rename({ name: 'Crew', expectedVersion: 1 }))?.code).toBe('CONFLICT');
  });

  it('hold members of the organization, and lose those who leave it', async () => {
    const { db, owner, member, guest, organization, memberIdOf, enter, peopleOf, change } = await setUp();
    expect((await enter(member, guest)).errors).toBeUndefined();
    expect((await enter(member)).errors).toBeUndefined();
    expect(await peopleOf(owner)).toEqual([member.id, guest.id].toSorted());
    await change(owner, 'removeMembers', {
      organizationId: organization.id,
      memberIds: [await memberIdOf(guest)],
    });
    expect(await peopleOf(owner)).toEqual([member.id]);
    expect(await db.prisma.groupMember.count({ where: { userId: guest.id } })).toBe(0);
  });

  it('take nobody of another organization, and all of the members or none', async () => {
    const { db, owner, member, stranger, groupId, memberIdOf, change, peopleOf } = await setUp();
    const { id: foreign } = await db.prisma.membership.findFirstOrThrow({ where: { userId: stranger.id } });
    const memberIds = [await memberIdOf(member), foreign];
    expect(codeOf(await change(owner, 'addGroupMembers', { groupId, memberIds }))).toMatchObject({
      code: 'NOT_FOUND',
      at: 'memberIds.1',
    });
    expect(await peopleOf(owner)).toEqual([]);
  });

  it('are changed by owners and admins alone', async () => {
    const { admin, member, guest, stranger, organization, groupId, memberIdOf, change } = await setUp();
    const memberIds = [await memberIdOf(member)];
    const commands: [string, object][] = [
      ['createGroups', { organizationId: organization.id, groups: [{ name: 'New' }] }],
      ['updateGroup', { groupId, name: 'Renamed' }],
      ['addGroupMembers', { groupId, memberIds }],
      ['removeGroupMembers', { groupId, memberIds }],
      ['deleteGroups', { organizationId: organization.id, groupIds: [groupId] }],
    ];
    for (const [name, input] of commands) {
      expect([name, codeOf(await change(member, name, input))?.code]).toEqual([name, 'FORBIDDEN']);
      const hidden = name === 'createGroups' ? 'FORBIDDEN' : 'NOT_FOUND';
      expect([name, codeOf(await change(guest, name, input))?.code]).toEqual([name, hidden]);
      expect([name, codeOf(await change(stranger, name, input))?.code]).toEqual([name, 'NOT_FOUND']);
      expect([name, (await change(admin, name, input)).errors]).toEqual([name, undefined]);
    }
  });

  it('are visible to members, and to a guest who is in them, with the people whom the guest knows', async () => {
    const { owner, member, guest, stranger, organization, groupId, enter, list, peopleOf } = await setUp();
    await enter(member);
    expect([(await list(member)).length, (await list(guest)).length]).toEqual([1, 0]);
    await enter(guest);
    expect(await peopleOf(guest)).toEqual([guest.id]);
    expect(
      (await guest.graph(OWN, { id: organization.id })).data.organization.viewerMembership.groups,
    ).toEqual({
      nodes: [{ name: 'Pilots' }],
    });
    const node = 'query ($id: ID!) { node(id: $id) { id } }';
    expect((await owner.graph(node, { id: groupId })).data.node.id).toBe(groupId);
    expect(codeOf(await stranger.graph(node, { id: groupId }))?.code).toBe('NOT_FOUND');
  });

  it('record who came and went', async () => {
    const { owner, member, organization, groupId, memberIdOf, enter, change } = await setUp();
    await enter(member);
    await enter(member);
    const memberIds = [await memberIdOf(member)];
    for (const _ of [1, 2]) await change(owner, 'removeGroupMembers', { groupId, memberIds });
    await enter(member);
    await change(owner, 'deleteGroups', { organizationId: organization.id, groupIds: [groupId] });
    const { nodes } = (await owner.graph(EVENTS, { id: organization.id })).data.organization.events;
    const own = nodes.filter(({ kind }: { kind: string }) => kind.startsWith('group.'));
    const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
    const changed = (member: string, before: unknown, after: unknown) => ({
      member,
      before: json(before),
      after: json(after),
    });
    const people = [member.email];
    expect(own).toEqual([
      { kind: 'group.created', changes: [changed('name', null, 'Pilots')] },
      { kind: 'group.membersAdded', changes: [changed('members', null, people)] },
      { kind: 'group.membersRemoved', changes: [changed('members', people, null)] },
      { kind: 'group.membersAdded', changes: [changed('members', null, people)] },
      {
        kind: 'group.deleted',
        changes: [changed('name', 'Pilots', null), changed('members', people, null)],
      },
    ]);
  });

  it('cost as many statements for many as for one', async () => {
    const { owner, member, enter, create, list } = await setUp();
    await enter(member);
    const one = await counted(() => list(owner));
    await create(owner, 'Divers', 'Anglers');
    const many = await counted(() => list(owner));
    expect([many.result.length, many.statements]).toEqual([3, one.statements]);
  });
});
