import { describe, expect, it } from 'vitest';
import { updateMember } from '../../../../src/domain/membership/member-change.ts';
import { newGroupWorld } from '../../../domain/groups/scene.ts';
import { counted } from '../../../support/database.ts';
import { newMember, newWorld, type Person } from '../../../support/world.ts';

const PROJECT = `query ($id: ID!) { project(id: $id) {
  groups(first: 20) { totalCount nodes { role projectId groupId createdBy { id } group { name } } }
  members(first: 20) { nodes { user { id } role ownRole effectiveRole groups(first: 5) { nodes { role group { name } } } } } } }`;
const GROUP = `query ($id: ID!) { node(id: $id) { ... on Group { projects(first: 20) { nodes { role project { name } } } } } }`;
const EVENTS = `query ($id: ID!) { organization(id: $id) { events(last: 50) { nodes { kind } } } }`;

const change = (who: Person, name: string, input: object, selection = '__typename') =>
  who.graph(
    `mutation ($input: ${name.charAt(0).toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { ${selection} } }`,
    { input },
  );

const codeOf = ({ errors }: { errors?: { extensions: { code: string; at?: string } }[] }) =>
  errors?.[0]?.extensions;

async function setUp() {
  const world = await newGroupWorld();
  const { db, organizationId, owner, project, pilots, ann, guest } = world;
  await world.enter(pilots, ann, guest);
  const lead = await newMember(db, organizationId, 'MEMBER');
  await world.addPerson(lead, 'ADMIN');
  const input = { projectId: project.id, groups: [{ groupId: pilots, role: 'EDITOR' }] };
  const add = (who: Person) =>
    change(who, 'addProjectMembers', input, 'members { id } groups { role groupId group { name } }');
  const people = async (who: Person = owner) => (await who.graph(PROJECT, { id: project.id })).data.project;
  return { ...world, lead, add, people };
}

describe('groups of a project', () => {
  it('are added, changed and removed by an admin of the project, and are in the answers', async () => {
    const { lead, ann, guest, project, pilots, add, people } = await setUp();
    const role = 'EDITOR';
    expect((await add(lead)).data.addProjectMembers).toEqual({
      members: [],
      groups: [{ role, groupId: pilots, group: { name: 'Pilots' } }],
    });
    const { groups, members } = await people(lead);
    expect(groups).toEqual({
      totalCount: 1,
      nodes: [
        {
          role,
          projectId: project.id,
          groupId: pilots,
          createdBy: { id: lead.id },
          group: { name: 'Pilots' },
        },
      ],
    });
    const by = { nodes: [{ role, group: { name: 'Pilots' } }] };
    expect(members.nodes).toEqual(
      expect.arrayContaining([
        { user: { id: ann.id }, role, ownRole: null, effectiveRole: role, groups: by },
        { user: { id: guest.id }, role: 'VIEWER', ownRole: null, effectiveRole: 'VIEWER', groups: by },
        {
          user: { id: lead.id },
          role: 'ADMIN',
          ownRole: 'ADMIN',
          effectiveRole: 'ADMIN',
          groups: { nodes: [] },
        },
      ]),
    );
    const input = { projectId: project.id, groupId: pilots, role: 'ADMIN' };
    const { data } = await change(lead, 'updateProjectGroup', input, 'group { role group { name } }');
    expect(data.updateProjectGroup.group).toEqual({ role: 'ADMIN', group: { name: 'Pilots' } });
    const removal = { projectId: project.id, groupIds: [pilots, pilots] };
    const removed = await change(lead, 'removeProjectGroups', removal, 'groupIds');
    expect(removed.data.removeProjectGroups.groupIds).toEqual([pilots]);
    expect((await people(lead)).members.nodes).toHaveLength(1);
  });

  it('are changed by nobody else', async () => {
    const { lead, ann, bob, guest, stranger, project, pilots, add, people } = await setUp();
    await add(lead);
    const commands: [string, object][] = [
      ['addProjectMembers', { projectId: project.id, groups: [{ groupId: pilots, role: 'ADMIN' }] }],
      ['updateProjectGroup', { projectId: project.id, groupId: pilots, role: 'ADMIN' }],
      ['removeProjectGroups', { projectId: project.id, groupIds: [pilots] }],
    ];
    const before = await people();
    for (const [name, input] of commands)
      for (const [who, code] of [
        ...([ann, guest].map((each) => [each, 'FORBIDDEN']) as [Person, string][]),
        ...([bob, stranger].map((each) => [each, 'NOT_FOUND']) as [Person, string][]),
      ])
        expect([name, codeOf(await change(who, name, input))?.code]).toEqual([name, code]);
    expect(await people()).toEqual(before);
  });

  it('are not those of another organization, nor groups that are not in the project', async () => {
    const { owner, lead, project, pilots, divers, add } = await setUp();
    await add(lead);
    const elsewhere = await newWorld();
    const groups = [{ groupId: pilots, role: 'EDITOR' }];
    const foreign = { projectId: elsewhere.project.id, groups };
    expect(codeOf(await change(elsewhere.owner, 'addProjectMembers', foreign))).toMatchObject({
      code: 'NOT_FOUND',
      at: 'groups.0.groupId',
    });
    const twice = { projectId: project.id, groups: [...groups, ...groups] };
    expect(codeOf(await change(owner, 'addProjectMembers', twice))?.code).toBe('BAD_USER_INPUT');
    expect(codeOf(await change(owner, 'addProjectMembers', { projectId: project.id }))?.code).toBe(
      'BAD_USER_INPUT',
    );
    const update = { projectId: project.id, groupId: divers, role: 'ADMIN' };
    expect(codeOf(await change(owner, 'updateProjectGroup', update))).toMatchObject({
      code: 'NOT_FOUND',
      at: 'groupId',
    });
    const removal = { projectId: project.id, groupIds: [pilots, divers] };
    expect(codeOf(await change(owner, 'removeProjectGroups', removal))).toMatchObject({
      code: 'NOT_FOUND',
      at: 'groupIds.1',
    });
  });

  it('are seen by members, and by a guest who is in them; their events by admins', async () => {
    const {
      ctx,
      lead,
      ann,
      bob,
      guest,
      divers,
      pilots,
      project,
      second,
      add,
      addGroup,
      enter,
      people,
      memberIdOf,
    } = await setUp();
    await add(lead);
    await enter(divers, bob);
    await addGroup(divers, 'VIEWER');
    await addGroup(pilots, 'VIEWER', second.id);
    const names = async (who: Person) =>
      (await people(who)).groups.nodes.map((each: { group: { name: string } }) => each.group.name);
    expect([await names(ann), await names(guest)]).toEqual([['Divers', 'Pilots'], ['Pilots']]);
    await updateMember(ctx, { memberId: await memberIdOf(ann), role: 'GUEST' });
    expect(await names(ann)).toEqual(['Pilots']);
    const projectsOf = async (who: Person) =>
      (await who.graph(GROUP, { id: pilots })).data.node.projects.nodes;
    expect(await projectsOf(lead)).toEqual([{ role: 'EDITOR', project: { name: 'Quay' } }]);
    expect(await projectsOf(guest)).toEqual([
      { role: 'VIEWER', project: { name: 'Pier' } },
      { role: 'EDITOR', project: { name: 'Quay' } },
    ]);
    const kinds = async (who: Person) =>
      (await who.graph(EVENTS, { id: project.organizationId })).data.organization.events.nodes.map(
        ({ kind }: { kind: string }) => kind,
      );
    expect(await kinds(lead)).toContain('project.groupAdded');
    expect(await kinds(guest)).not.toContain('project.groupAdded');
  });

  it('cost as many statements for many as for one', async () => {
    const { owner, lead, bob, divers, add, addGroup, enter, people } = await setUp();
    await add(lead);
    await people(owner);
    const one = await counted(() => people());
    await enter(divers, bob);
    await addGroup(divers, 'VIEWER');
    const many = await counted(() => people());
    expect([many.result.members.nodes.length, many.statements]).toEqual([4, one.statements]);
  });
});
