import { describe, expect, it } from 'vitest';
import type { Database } from '../../../../src/db/database.ts';
import { removeMembers, updateMember } from '../../../../src/domain/membership/member-change.ts';
import { addProjectMembers } from '../../../../src/domain/membership/project-member-add.ts';
import type { OrganizationRole } from '../../../../src/generated/prisma/client.ts';
import { newId } from '../../../../src/lib/id.ts';
import { counted } from '../../../support/database.ts';
import { newMember, newPerson, newWorld, type Person } from '../../../support/world.ts';

const codes = (errors: { extensions: { code: string } }[] | undefined) =>
  errors?.map((error) => error.extensions.code);

const LIST = `query ($id: ID!, $filter: OrganizationMemberFilter, $orderBy: OrganizationMemberOrder, $first: Int, $after: String) {
  organization(id: $id) { members(filter: $filter, orderBy: $orderBy, first: $first, after: $after) {
    totalCount nodes { id role user { name email } } pageInfo { hasNextPage endCursor } } } }`;
const UPDATE = `mutation ($input: UpdateMemberInput!) { updateMember(input: $input) { member { id role } } }`;
const REMOVE = `mutation ($input: RemoveMembersInput!) { removeMembers(input: $input) { memberIds } }`;

const memberIdOf = async (db: Database, organizationId: string, { id }: Person): Promise<string> =>
  (
    await db.prisma.membership.findUniqueOrThrow({
      where: { organizationId_userId: { organizationId, userId: id } },
    })
  ).id;

/** An organization with one of each role beside its owner. */
async function fullWorld() {
  const world = await newWorld();
  const { db, organization } = world;
  const join = (role: OrganizationRole) => newMember(db, organization.id, role);
  const [admin, member, guest] = [await join('ADMIN'), await join('MEMBER'), await join('GUEST')];
  const idOf = (person: Person) => memberIdOf(db, organization.id, person);
  return { ...world, admin, member, guest, idOf };
}

describe('members', () => {
  it('have the person, the role and who added them, and are nodes', async () => {
    const { owner, organization, idOf } = await fullWorld();
    const query = `query ($id: ID!) { node(id: $id) { __typename id ... on OrganizationMember {
      organizationId role createdAt user { id name email } createdBy { email } } } }`;
    const { data } = await owner.graph(query, { id: await idOf(owner) });
    expect(data.node).toEqual({
      __typename: 'OrganizationMember',
      id: await idOf(owner),
      organizationId: organization.id,
      role: 'OWNER',
      createdAt: expect.any(String),
      user: { id: owner.id, name: expect.any(String), email: owner.email },
      createdBy: { email: owner.email },
    });
  });

  it('are listed by role, name and e-mail, in each order', async () => {
    const { db, owner, admin, member, guest, organization } = await fullWorld();
    for (const [person, name] of [
      [owner, 'berta'],
      [admin, 'Émile'],
      [member, 'Anton'],
      [guest, 'émilie'],
    ] as const)
      await db.prisma.user.update({ where: { id: person.id }, data: { name } });
    const names = async (variables: object) =>
      (await owner.graph(LIST, { id: organization.id, ...variables })).data.organization.members.nodes.map(
        ({ user }: { user: { name: string } }) => user.name,
      );
    const by = (field: string, direction = 'ASC') => ({ orderBy: { field, direction } });
    expect(await names({})).toEqual(['Anton', 'berta', 'Émile', 'émilie']);
    expect(await names(by('NAME', 'DESC'))).toEqual(['émilie', 'Émile', 'berta', 'Anton']);
    expect(await names(by('ROLE', 'DESC'))).toEqual(['émilie', 'Anton', 'Émile', 'berta']);
    expect(await names(by('CREATED_AT'))).toEqual(['berta', 'Émile', 'Anton', 'émilie']);
    expect(await names({ filter: { namePrefix: 'ÉM' } })).toEqual(['Émile', 'émilie']);
    expect(await names({ filter: { roles: ['ADMIN', 'GUEST'] } })).toEqual(['Émile', 'émilie']);
    expect(await names({ filter: { emailPrefix: member.email.toUpperCase() } })).toEqual(['Anton']);
    expect(await names({ filter: { namePrefix: '%' } })).toEqual([]);
  });

  it.each(['NAME', 'CREATED_AT', 'ROLE'])('are paged by %s, each exactly once', async (field) => {
    const { owner, organization } = await fullWorld();
    const ids: string[] = [];
    for (let after: string | null = null; ; ) {
      const { data } = await owner.graph(LIST, {
        id: organization.id,
        first: 1,
        after,
        orderBy: { field },
      });
      const { nodes, pageInfo, totalCount } = data.organization.members;
      expect(totalCount).toBe(4);
      ids.push(nodes[0].id);
      if (!pageInfo.hasNextPage) break;
      after = pageInfo.endCursor;
    }
    expect(new Set(ids).size).toBe(4);
  });

  it('are visible to every member, to guests of the same projects, and not to strangers', async () => {
    const { owner, member, guest, stranger, organization, project, idOf } = await fullWorld();
    const count = async (person: Person) =>
      (await person.graph(LIST, { id: organization.id })).data.organization.members.totalCount;
    expect(await count(member)).toBe(4);
    expect(await count(guest)).toBe(1);
    const members = [guest, member].map(({ email }) => ({ person: { email }, role: 'VIEWER' as const }));
    await addProjectMembers(await owner.context(), { projectId: project.id, members });
    expect(await count(guest)).toBe(2);
    const nodes = `query ($ids: [ID!]!) { nodes(ids: $ids) { id } }`;
    const ids = [await idOf(guest), await idOf(member), await idOf(owner), member.id, owner.id];
    const visible = await guest.graph(nodes, { ids });
    expect(visible.data.nodes.map((node: object | null) => node !== null)).toEqual([
      true,
      true,
      false,
      true,
      false,
    ]);
    const hidden = await stranger.graph(nodes, { ids });
    expect(hidden.data.nodes).toEqual([null, null, null, null, null]);
    expect(codes((await stranger.graph(LIST, { id: organization.id })).errors)).toEqual(['NOT_FOUND']);
  });

  it('can read their own role', async () => {
    const { owner, admin, member, guest, organization } = await fullWorld();
    const query = `query ($id: ID!) { organization(id: $id) { viewerRole viewerCanUpdate } }`;
    const roleOf = async (person: Person) =>
      (await person.graph(query, { id: organization.id })).data.organization;
    expect(await roleOf(owner)).toEqual({ viewerRole: 'OWNER', viewerCanUpdate: true });
    expect(await roleOf(admin)).toEqual({ viewerRole: 'ADMIN', viewerCanUpdate: true });
    expect(await roleOf(member)).toEqual({ viewerRole: 'MEMBER', viewerCanUpdate: false });
    expect(await roleOf(guest)).toEqual({ viewerRole: 'GUEST', viewerCanUpdate: false });
    const create = `mutation { createOrganizations(input: { organizations: [{ name: "New" }] }) { organizations { viewerRole viewerCanUpdate } } }`;
    const organizationCreated = await guest.graph(create);
    expect(organizationCreated.data.createOrganizations.organizations[0]).toEqual({
      viewerRole: 'OWNER',
      viewerCanUpdate: true,
    });
  });

  it.each([
    ['owner', 'admin', 'OWNER', undefined],
    ['owner', 'guest', 'ADMIN', undefined],
    ['admin', 'member', 'ADMIN', undefined],
    ['admin', 'admin', 'GUEST', undefined],
    ['admin', 'member', 'OWNER', ['FORBIDDEN']],
    ['admin', 'admin', 'OWNER', ['FORBIDDEN']],
    ['admin', 'owner', 'MEMBER', ['FORBIDDEN']],
    ['admin', 'owner', 'OWNER', ['FORBIDDEN']],
    ['member', 'member', 'ADMIN', ['FORBIDDEN']],
    ['member', 'guest', 'MEMBER', ['FORBIDDEN']],
    ['guest', 'guest', 'MEMBER', ['FORBIDDEN']],
    ['guest', 'member', 'GUEST', ['NOT_FOUND']],
    ['stranger', 'member', 'GUEST', ['NOT_FOUND']],
    ['owner', 'owner', 'ADMIN', ['CONFLICT']],
  ] as const)('can or cannot be changed by the %s: the %s to %s', async (by, whom, role, errors) => {
    const world = await fullWorld();
    const before = await world.db.prisma.membership.findUniqueOrThrow({
      where: { id: await world.idOf(world[whom]) },
    });
    const answer = await world[by].graph(UPDATE, { input: { memberId: before.id, role } });
    expect(codes(answer.errors)).toEqual(errors);
    const after = await world.db.prisma.membership.findUniqueOrThrow({ where: { id: before.id } });
    expect(after).toEqual(errors ? before : { ...before, role });
    if (!errors) expect(answer.data.updateMember.member).toEqual({ id: before.id, role });
  });

  it.each([
    ['owner', ['admin', 'member', 'guest'], undefined],
    ['admin', ['member', 'guest'], undefined],
    ['admin', ['member', 'owner'], ['FORBIDDEN']],
    ['admin', ['admin'], undefined],
    ['member', ['member'], undefined],
    ['member', ['member', 'guest'], ['FORBIDDEN']],
    ['guest', ['guest'], undefined],
    ['guest', ['guest', 'member'], ['NOT_FOUND']],
    ['stranger', ['member'], ['NOT_FOUND']],
    ['owner', ['member', 'owner'], ['CONFLICT']],
  ] as const)('can or cannot be removed by the %s: %j, all or none', async (by, whom, errors) => {
    const world = await fullWorld();
    const memberIds = await Promise.all(whom.map((each) => world.idOf(world[each])));
    const input = { organizationId: world.organization.id, memberIds };
    const answer = await world[by].graph(REMOVE, { input });
    expect(codes(answer.errors)).toEqual(errors);
    const remaining = await world.db.prisma.membership.count({
      where: { organizationId: world.organization.id },
    });
    expect(remaining).toBe(errors ? 4 : 4 - whom.length);
  });

  it('cannot be removed or changed through another organization, singly or in a batch', async () => {
    const { owner, member, organization, idOf } = await fullWorld();
    const other = await newWorld();
    const foreign = await memberIdOf(other.db, other.organization.id, other.owner);
    for (const memberIds of [[foreign], [await idOf(member), foreign], ['mem_x']]) {
      const { errors } = await owner.graph(REMOVE, { input: { organizationId: organization.id, memberIds } });
      expect(codes(errors)).toEqual(['NOT_FOUND']);
    }
    const elsewhere = { organizationId: other.organization.id, memberIds: [await idOf(member)] };
    expect(codes((await owner.graph(REMOVE, { input: elsewhere })).errors)).toEqual(['NOT_FOUND']);
    expect(
      codes((await owner.graph(UPDATE, { input: { memberId: foreign, role: 'GUEST' } })).errors),
    ).toEqual(['NOT_FOUND']);
    const within = { organizationId: other.organization.id, memberId: await idOf(member), role: 'GUEST' };
    expect(codes((await owner.graph(UPDATE, { input: within })).errors)).toEqual(['NOT_FOUND']);
    const list = await owner.graph(LIST, { id: organization.id });
    expect(list.data.organization.members.totalCount).toBe(4);
  });

  it('are removed once if a batch has their id twice; an empty batch is refused', async () => {
    const { owner, member, organization, idOf } = await fullWorld();
    const id = await idOf(member);
    const remove = (memberIds: string[]) =>
      owner.graph(REMOVE, { input: { organizationId: organization.id, memberIds } });
    expect(codes((await remove([])).errors)).toEqual(['BAD_USER_INPUT']);
    expect((await remove([id, id])).data.removeMembers.memberIds).toEqual([id]);
    expect(codes((await remove([id])).errors)).toEqual(['NOT_FOUND']);
  });

  it('lose all rights at the next request when removed, and what they created stays', async () => {
    const { owner, member, organization, project, idOf } = await fullWorld();
    const create = `mutation ($input: CreateFoldersInput!) { createFolders(input: $input) { folders { id } } }`;
    const folderCreated = await member.graph(create, {
      input: { projectId: project.id, folders: [{ name: 'A' }] },
    });
    await removeMembers(await owner.context(), {
      organizationId: organization.id,
      memberIds: [await idOf(member)],
    });
    const query = `query ($id: ID!) { node(id: $id) { id ... on Folder { createdBy { email } } } }`;
    const id = folderCreated.data.createFolders.folders[0].id;
    expect(codes((await member.graph(query, { id })).errors)).toEqual(['NOT_FOUND']);
    expect((await owner.graph(query, { id })).data.node).toEqual({ id, createdBy: { email: member.email } });
  });

  it('lose their projects, assignments and open tasks when removed, with one event', async () => {
    const { db, owner, member, guest, organization, project, idOf } = await fullWorld();
    const ctx = await owner.context();
    const members = [member, guest].map(({ email }) => ({ person: { email }, role: 'VIEWER' as const }));
    await addProjectMembers(ctx, { projectId: project.id, members });
    const assigned = await createAssigned(db, owner, project, [member.email, guest.email]);
    await removeMembers(ctx, { organizationId: organization.id, memberIds: [await idOf(member)] });

    const where = { organizationId: organization.id };
    expect(await db.prisma.folderAssignment.findMany({ where })).toMatchObject([{ email: guest.email }]);
    expect(await db.prisma.documentAssignment.findMany({ where })).toMatchObject([{ email: guest.email }]);
    expect(await db.prisma.projectMember.findMany({ where })).toMatchObject([{ userId: guest.id }]);
    const tasks = await db.prisma.task.findMany({ where, orderBy: { name: 'asc' } });
    expect(tasks.map(({ name, assigneeEmail, version }) => ({ name, assigneeEmail, version }))).toEqual([
      { name: 'done', assigneeEmail: member.email, version: 1 },
      { name: 'open', assigneeEmail: null, version: 2 },
    ]);
    const folder = await db.prisma.folder.findUniqueOrThrow({ where: { id: assigned.folderId } });
    expect(folder).toMatchObject({ version: 2, modifiedById: owner.id });
    const [event] = await db.prisma.event.findMany({ where, orderBy: { sequence: 'desc' }, take: 1 });
    expect(event).toMatchObject({
      kind: 'member.removed',
      subjectId: member.id,
      actorId: owner.id,
      data: {
        before: { role: 'MEMBER', email: member.email },
        projectIds: [project.id],
        unassigned: {
          folderIds: [assigned.folderId],
          documentIds: [assigned.documentId],
          taskIds: [assigned.openTaskId],
        },
        withdrawnInvitations: [],
      },
    });
  });

  it('who become guests become viewers of their projects, and stay so when they become members again', async () => {
    const { db, owner, member, project, idOf } = await fullWorld();
    const ctx = await owner.context();
    await addProjectMembers(ctx, {
      projectId: project.id,
      members: [{ person: { email: member.email }, role: 'ADMIN' }],
    });
    const memberId = await idOf(member);
    for (const role of ['GUEST', 'MEMBER'] as const) await updateMember(ctx, { memberId, role });
    const projectMembers = await db.prisma.projectMember.findMany({ where: { userId: member.id } });
    expect(projectMembers).toMatchObject([{ role: 'VIEWER' }]);
    const query = `query ($id: ID!) { project(id: $id) { viewerRole } }`;
    expect((await member.graph(query, { id: project.id })).data.project.viewerRole).toBe('VIEWER');
  });

  it('must include an enabled owner: a disabled account does not count', async () => {
    const { db, owner, admin, idOf } = await fullWorld();
    const ctx = await owner.context();
    await updateMember(ctx, { memberId: await idOf(admin), role: 'OWNER' });
    await db.prisma.user.update({ where: { id: admin.id }, data: { disabledAt: new Date() } });
    const step = { memberId: await idOf(owner), role: 'ADMIN' as const };
    await expect(updateMember(ctx, step)).rejects.toMatchObject({ code: 'CONFLICT' });
    await db.prisma.user.update({ where: { id: admin.id }, data: { disabledAt: null } });
    expect(await updateMember(ctx, step)).toMatchObject({ role: 'ADMIN' });
  });

  it('cannot use a role that they lost since their request began', async () => {
    const { owner, admin, member, guest, idOf } = await fullWorld();
    const stale = await admin.context();
    await updateMember(await owner.context(), { memberId: await idOf(admin), role: 'MEMBER' });
    const change = updateMember(stale, { memberId: await idOf(member), role: 'ADMIN' });
    await expect(change).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const removal = removeMembers(stale, {
      organizationId: stale.viewer.memberships[0]?.organizationId as string,
      memberIds: [await idOf(guest)],
    });
    await expect(removal).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('can be changed only with the scope write', async () => {
    const { db, organization, idOf, member } = await fullWorld();
    const reader = await newPerson(db, ['read']);
    const input = { organizationId: organization.id, memberIds: [await idOf(member)] };
    expect(codes((await reader.graph(REMOVE, { input })).errors)).toEqual(['INSUFFICIENT_SCOPE']);
  });

  it('need one statement a level, for any number of members', async () => {
    const { db, owner, organization } = await newWorld();
    const query = `query ($id: ID!) { organization(id: $id) { viewerRole members { totalCount nodes {
      role user { name } createdBy { name } } } projects(first: 5) { nodes { members(first: 5) { nodes { role user { name } } } } } } }`;
    await newMember(db, organization.id, 'MEMBER');
    const few = await counted(() => owner.graph(query, { id: organization.id }));
    for (const role of ['ADMIN', 'MEMBER', 'GUEST'] as const) await newMember(db, organization.id, role);
    const many = await counted(() => owner.graph(query, { id: organization.id }));
    expect(many.result.data.organization.members.nodes).toHaveLength(5);
    expect(many.statements.sort()).toEqual(few.statements.sort());
    expect(many.statements).toHaveLength(7);
  });

  it('are removed with the same number of statements, one or many', async () => {
    const { db, owner, organization } = await newWorld();
    const ctx = await owner.context();
    const remove = async (count: number) => {
      const people = await Promise.all(
        Array.from({ length: count }, () => newMember(db, organization.id, 'MEMBER')),
      );
      const memberIds = await Promise.all(people.map((each) => memberIdOf(db, organization.id, each)));
      return counted(() => removeMembers(ctx, { organizationId: organization.id, memberIds }));
    };
    const one = await remove(1);
    const many = await remove(6);
    expect(many.result).toHaveLength(6);
    expect(many.statements).toHaveLength(one.statements.length);
  });
});

/** A folder, a document and two tasks, one of them completed, that are assigned to these people. */
async function createAssigned(
  db: Database,
  owner: Person,
  { organizationId, id: projectId }: { organizationId: string; id: string },
  emails: [string, string],
) {
  const common = { organizationId, projectId, createdById: owner.id };
  const [folderId, documentId, openTaskId] = [newId('Folder'), newId('Document'), newId('Task')];
  await db.prisma.folder.create({
    data: { ...common, id: folderId, linkSealed: folderId, name: 'F', nameKey: 'f' },
  });
  await db.prisma.document.create({
    data: {
      ...common,
      id: documentId,
      name: 'D',
      nameKey: 'd',
      revisionNumber: 1,
      contentType: 'text/plain',
      size: 0,
    },
  });
  const rows = emails.map((email) => ({ organizationId, email }));
  await db.prisma.folderAssignment.createMany({ data: rows.map((row) => ({ ...row, folderId })) });
  await db.prisma.documentAssignment.createMany({ data: rows.map((row) => ({ ...row, documentId })) });
  const assigneeEmail = emails[0];
  await db.prisma.task.create({
    data: { ...common, id: openTaskId, name: 'open', nameKey: 'open', assigneeEmail },
  });
  await db.prisma.task.create({
    data: {
      ...common,
      id: newId('Task'),
      name: 'done',
      nameKey: 'done',
      assigneeEmail,
      state: 'COMPLETED',
      completedAt: new Date(),
    },
  });
  return { folderId, documentId, openTaskId };
}
