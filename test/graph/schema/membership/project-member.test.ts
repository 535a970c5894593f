import { describe, expect, it } from 'vitest';
import { createFolders } from '../../../../src/domain/folders/folder-create.ts';
import { updateProject } from '../../../../src/domain/membership/project-change.ts';
import { addProjectMembers } from '../../../../src/domain/membership/project-member-add.ts';
import type { ProjectRole } from '../../../../src/generated/prisma/client.ts';
import { counted } from '../../../support/database.ts';
import { newMember, newWorld, type Person } from '../../../support/world.ts';

const codes = (errors: { extensions: { code: string } }[] | undefined) =>
  errors?.map((error) => error.extensions.code);

const ADD = `mutation ($input: AddProjectMembersInput!) { addProjectMembers(input: $input) { members {
  id organizationId projectId role effectiveRole user { email } createdBy { email } } } }`;
const UPDATE = `mutation ($input: UpdateProjectMemberInput!) { updateProjectMember(input: $input) { member { role effectiveRole } } }`;
const REMOVE = `mutation ($input: RemoveProjectMembersInput!) { removeProjectMembers(input: $input) { memberIds } }`;
const LIST = `query ($id: ID!, $filter: ProjectMemberFilter, $orderBy: ProjectMemberOrder) { project(id: $id) {
  viewerRole members(filter: $filter, orderBy: $orderBy) { totalCount nodes { id role user { email } } } } }`;

/** A restricted project with an ADMIN, an EDITOR, and a guest as VIEWER; `outsider` is a member who was not added. */
async function fullProject(access: 'OPEN' | 'RESTRICTED' = 'RESTRICTED') {
  const world = await newWorld();
  const { db, owner, organization, project } = world;
  const ctx = await owner.context();
  await updateProject(ctx, { projectId: project.id, access });
  const join = (role: 'MEMBER' | 'GUEST') => newMember(db, organization.id, role);
  const people = { lead: await join('MEMBER'), editor: await join('MEMBER'), guest: await join('GUEST') };
  const { members: added } = await addProjectMembers(ctx, {
    projectId: project.id,
    members: [
      { person: { email: people.lead.email }, role: 'ADMIN' },
      { person: { email: people.editor.email }, role: 'EDITOR' },
      { person: { email: people.guest.email }, role: 'VIEWER' },
    ],
  });
  const [lead, editor, guest] = added.map(({ id }) => id) as [string, string, string];
  return { ...world, ...people, outsider: await join('MEMBER'), ids: { lead, editor, guest } };
}

describe('project members', () => {
  it('are added by an admin of the project, in input order, and are nodes', async () => {
    const { lead, outsider, owner, organization, project } = await fullProject();
    const members = [
      { person: { email: outsider.email.toUpperCase() }, role: 'EDITOR' },
      { person: { email: owner.email }, role: 'VIEWER' },
    ];
    const { data } = await lead.graph(ADD, { input: { projectId: project.id, members } });
    const common = {
      organizationId: organization.id,
      projectId: project.id,
      createdBy: { email: lead.email },
    };
    expect(data.addProjectMembers.members).toMatchObject([
      { ...common, role: 'EDITOR', effectiveRole: 'EDITOR', user: { email: outsider.email } },
      { ...common, role: 'VIEWER', effectiveRole: 'ADMIN', user: { email: owner.email } },
    ]);
    const node = `query ($id: ID!) { node(id: $id) { __typename ... on ProjectMember { role } } }`;
    const { id } = data.addProjectMembers.members[0];
    expect((await outsider.graph(node, { id })).data.node).toEqual({
      __typename: 'ProjectMember',
      role: 'EDITOR',
    });
  });

  it('are visible to all who can see the project, and to nobody else', async () => {
    const { owner, lead, guest, editor, outsider, stranger, project, ids } = await fullProject();
    for (const person of [owner, lead, guest]) {
      const { data } = await person.graph(LIST, { id: project.id, orderBy: { field: 'ROLE' } });
      expect(data.project.members).toMatchObject({
        totalCount: 3,
        nodes: [{ role: 'ADMIN' }, { role: 'EDITOR' }, { role: 'VIEWER' }],
      });
    }
    const filter = { roles: ['EDITOR'], emailPrefix: editor.email };
    const { data } = await guest.graph(LIST, { id: project.id, filter });
    expect(data.project.members.nodes).toMatchObject([{ user: { email: editor.email } }]);
    const node = `query ($id: ID!) { node(id: $id) { id } }`;
    for (const person of [outsider, stranger]) {
      expect(codes((await person.graph(LIST, { id: project.id })).errors)).toEqual(['NOT_FOUND']);
      expect(codes((await person.graph(node, { id: ids.lead })).errors)).toEqual(['NOT_FOUND']);
    }
  });

  it('must be members of the organization: nobody else is found, with or without an account', async () => {
    const { db, lead, outsider, stranger, project } = await fullProject();
    const add = (email: string) =>
      counted(() =>
        lead.graph(ADD, {
          input: {
            projectId: project.id,
            members: [
              { person: { email: outsider.email }, role: 'VIEWER' },
              { person: { email }, role: 'VIEWER' },
            ],
          },
        }),
      );
    await lead.context(); // the first use of a key is recorded, which takes a statement
    const [account, none] = [await add(stranger.email), await add('nobody@example.test')];
    expect(account.result.errors).toMatchObject([
      { message: 'Member not found.', extensions: { code: 'NOT_FOUND', at: 'members.1.person.email' } },
    ]);
    expect(account.result).toEqual(none.result);
    expect(account.statements).toEqual(none.statements);
    expect(await db.prisma.projectMember.count({ where: { projectId: project.id } })).toBe(3);
  });

  it.each([
    ['editor', ['FORBIDDEN']],
    ['guest', ['FORBIDDEN']],
    ['outsider', ['NOT_FOUND']],
    ['stranger', ['NOT_FOUND']],
  ] as const)('cannot be added, changed or removed by the %s', async (by, errors) => {
    const world = await fullProject();
    const { project, outsider, ids, db } = world;
    const members = [{ person: { email: outsider.email }, role: 'VIEWER' }];
    const who: Person = world[by];
    const added = await who.graph(ADD, { input: { projectId: project.id, members } });
    const changed = await who.graph(UPDATE, { input: { memberId: ids.editor, role: 'ADMIN' } });
    const removed = await who.graph(REMOVE, { input: { projectId: project.id, memberIds: [ids.lead] } });
    expect([added, changed, removed].map((answer) => codes(answer.errors))).toEqual([errors, errors, errors]);
    const remaining = await db.prisma.projectMember.findMany({
      where: { projectId: project.id },
      orderBy: { id: 'asc' },
    });
    expect(remaining.map(({ role }) => role)).toEqual(['ADMIN', 'EDITOR', 'VIEWER']);
  });

  it.each([
    ['nobody', [], 'BAD_USER_INPUT', 'members'],
    ['one twice', ['outsider', 'outsider'], 'BAD_USER_INPUT', 'members.1.person.email'],
    ['who was added before', ['outsider', 'editor'], 'CONFLICT', 'members.1'],
  ] as const)('of a batch are all refused for %s', async (_, whom, code, at) => {
    const world = await fullProject();
    const members = whom.map((each) => ({ person: { email: world[each].email }, role: 'EDITOR' }));
    const input = { projectId: world.project.id, members };
    const { errors } = await world.lead.graph(ADD, { input });
    expect(errors).toMatchObject([{ extensions: { code, at } }]);
    expect(await world.db.prisma.projectMember.count({ where: { projectId: world.project.id } })).toBe(3);
  });

  it('stay as they are with keepExisting, beside those who are added', async () => {
    const { db, lead, editor, outsider, project } = await fullProject();
    const members = [outsider, editor].map(({ email }) => ({ person: { email }, role: 'VIEWER' }));
    const input = { projectId: project.id, keepExisting: true, members };
    const query = `mutation ($input: AddProjectMembersInput!) { addProjectMembers(input: $input) { members { id role user { id } } } }`;
    const { data } = await lead.graph(query, { input });
    expect(data.addProjectMembers.members).toMatchObject([
      { role: 'VIEWER', user: { id: outsider.id } },
      { role: 'EDITOR', user: { id: editor.id } },
    ]);
    expect((await lead.graph(query, { input })).data).toEqual(data);
    const where = { projectId: project.id, kind: 'projectMember.added', subjectId: outsider.id };
    expect(await db.prisma.event.count({ where })).toBe(1);
    expect(codes((await outsider.graph(query, { input })).errors)).toEqual(['FORBIDDEN']);
  });

  it('who are guests can only be viewers', async () => {
    const { db, lead, organization, project, ids } = await fullProject();
    const other = await newMember(db, organization.id, 'GUEST');
    const members = [{ person: { email: other.email }, role: 'EDITOR' }];
    const added = await lead.graph(ADD, { input: { projectId: project.id, members } });
    expect(added.errors).toMatchObject([{ extensions: { code: 'CONFLICT', at: 'members.0.role' } }]);
    const changed = await lead.graph(UPDATE, { input: { memberId: ids.guest, role: 'EDITOR' } });
    expect(codes(changed.errors)).toEqual(['CONFLICT']);
  });

  it('have a changed role from the next request on', async () => {
    const { lead, editor, project, ids } = await fullProject();
    const { data } = await lead.graph(UPDATE, {
      input: { memberId: ids.editor, projectId: project.id, role: 'VIEWER' },
    });
    expect(data.updateProjectMember.member).toEqual({ role: 'VIEWER', effectiveRole: 'VIEWER' });
    expect((await editor.graph(LIST, { id: project.id })).data.project.viewerRole).toBe('VIEWER');
  });

  it('cannot be reached through another project or organization', async () => {
    const { owner, lead, project, ids, db } = await fullProject();
    const other = await fullProject();
    const attempts = [
      lead.graph(UPDATE, { input: { memberId: other.ids.editor, role: 'VIEWER' } }),
      lead.graph(UPDATE, { input: { memberId: ids.editor, projectId: other.project.id, role: 'VIEWER' } }),
      lead.graph(UPDATE, {
        input: { memberId: ids.editor, organizationId: other.organization.id, role: 'VIEWER' },
      }),
      lead.graph(REMOVE, { input: { projectId: project.id, memberIds: [ids.editor, other.ids.editor] } }),
      lead.graph(REMOVE, { input: { projectId: other.project.id, memberIds: [ids.editor] } }),
      owner.graph(ADD, {
        input: { projectId: other.project.id, members: [{ person: { email: lead.email }, role: 'ADMIN' }] },
      }),
    ];
    for (const answer of await Promise.all(attempts)) expect(codes(answer.errors)).toEqual(['NOT_FOUND']);
    expect(await db.prisma.projectMember.count({ where: { id: { in: Object.values(ids) } } })).toBe(3);
  });

  it('can leave, and do not regain their assignments when they are added again', async () => {
    const { db, owner, editor, guest, project, ids } = await fullProject();
    await createFolders(await owner.context(), {
      projectId: project.id,
      folders: [{ name: 'A', assigneeEmails: [editor.email, guest.email] }],
    });
    const leaving = await editor.graph(REMOVE, {
      input: { projectId: project.id, memberIds: [ids.editor, ids.editor] },
    });
    expect(leaving.data.removeProjectMembers.memberIds).toEqual([ids.editor]);
    expect(codes((await editor.graph(LIST, { id: project.id })).errors)).toEqual(['NOT_FOUND']);
    const members = [{ person: { email: editor.email }, role: 'EDITOR' as const }];
    await addProjectMembers(await owner.context(), { projectId: project.id, members });
    const folders = `query ($id: ID!) { project(id: $id) { folders { totalCount } } }`;
    expect((await editor.graph(folders, { id: project.id })).data.project.folders.totalCount).toBe(0);
    expect((await guest.graph(folders, { id: project.id })).data.project.folders.totalCount).toBe(1);
    const event = await db.prisma.event.findFirst({
      where: { kind: 'projectMember.removed', subjectId: editor.id },
    });
    expect(event).toMatchObject({ projectId: project.id, actorId: editor.id });
  });

  it('cannot raise their role by leaving an open project, in which all members take part', async () => {
    const { owner, lead, editor, guest, project, ids } = await fullProject('OPEN');
    await lead.graph(UPDATE, { input: { memberId: ids.editor, role: 'VIEWER' } });
    await createFolders(await owner.context(), {
      projectId: project.id,
      folders: [{ name: 'A', assigneeEmails: [editor.email, guest.email] }],
    });
    const roleOf = async (person: Person): Promise<ProjectRole> =>
      (await person.graph(LIST, { id: project.id })).data.project.viewerRole;
    const leave = (person: Person, id: string) =>
      person.graph(REMOVE, { input: { projectId: project.id, memberIds: [id] } });
    expect(codes((await leave(editor, ids.editor)).errors)).toEqual(['FORBIDDEN']);
    expect(await roleOf(editor)).toBe('VIEWER');
    expect((await leave(guest, ids.guest)).errors).toBeUndefined();
    expect((await leave(lead, ids.editor)).errors).toBeUndefined();
    expect(await roleOf(editor)).toBe('EDITOR');
    const query = `query ($id: ID!) { project(id: $id) { folders { nodes { assigneeEmails } } } }`;
    const { data } = await lead.graph(query, { id: project.id });
    expect(data.project.folders.nodes).toEqual([{ assigneeEmails: [editor.email] }]);
  });

  it('cannot be changed while the project is disabled', async () => {
    const { owner, lead, project, ids } = await fullProject();
    await updateProject(await owner.context(), { projectId: project.id, disabled: true });
    const removed = await lead.graph(REMOVE, { input: { projectId: project.id, memberIds: [ids.editor] } });
    expect(codes(removed.errors)).toEqual(['CONFLICT']);
  });
});
