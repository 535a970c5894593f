import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql/sql.ts';
import { createFolders } from '../../../src/domain/folders/folder-create.ts';
import { createGroups, deleteGroups } from '../../../src/domain/membership/group-change.ts';
import { addGroupMembers, removeGroupMembers } from '../../../src/domain/membership/group-member-change.ts';
import { removeMembers, updateMember } from '../../../src/domain/membership/member-change.ts';
import { updateProject } from '../../../src/domain/membership/project-change.ts';
import {
  removeProjectGroups,
  updateProjectGroup,
} from '../../../src/domain/membership/project-group-change.ts';
import { addProjectMembers } from '../../../src/domain/membership/project-member-add.ts';
import {
  removeProjectMembers,
  updateProjectMember,
} from '../../../src/domain/membership/project-member-change.ts';
import { createProjects } from '../../../src/domain/projects/project.ts';
import { newApprovalWorld } from '../../support/approvals.ts';
import { newGroupWorld } from './scene.ts';

describe('a group in a project', () => {
  it('brings its members in, guests as VIEWER, and who joins it later', async () => {
    const { ann, bob, guest, pilots, enter, addGroup, rolesOf, settled } = await newGroupWorld();
    await enter(pilots, ann, guest);
    await addGroup(pilots, 'EDITOR');
    expect([await rolesOf(ann), await rolesOf(guest), await rolesOf(bob)]).toEqual([
      ['EDITOR', null],
      ['VIEWER', null],
      undefined,
    ]);
    await enter(pilots, bob);
    expect(await rolesOf(bob)).toEqual(['EDITOR', null]);
    await settled();
  });

  it('takes out who leaves it, and leaves who has a role of their own or another group', async () => {
    const { ann, bob, guest, pilots, divers, enter, exit, addGroup, addPerson, rolesOf, settled } =
      await newGroupWorld();
    await enter(pilots, ann, bob, guest);
    await enter(divers, bob);
    await addPerson(ann, 'VIEWER');
    await addGroup(pilots, 'ADMIN');
    await addGroup(divers, 'EDITOR');
    expect([await rolesOf(ann), await rolesOf(bob)]).toEqual([
      ['ADMIN', 'VIEWER'],
      ['ADMIN', null],
    ]);
    await exit(pilots, ann, bob, guest);
    expect([await rolesOf(ann), await rolesOf(bob), await rolesOf(guest)]).toEqual([
      ['VIEWER', 'VIEWER'],
      ['EDITOR', null],
      undefined,
    ]);
    await settled();
  });

  it('changes with its role, its removal and its deletion', async () => {
    const { ctx, organizationId, project, second, ann, pilots, divers, enter, addGroup, rolesOf, settled } =
      await newGroupWorld();
    await enter(pilots, ann);
    await enter(divers, ann);
    await addGroup(pilots, 'ADMIN');
    await addGroup(divers, 'VIEWER');
    await addGroup(divers, 'EDITOR', second.id);
    await updateProjectGroup(ctx, { projectId: project.id, groupId: divers, role: 'EDITOR' });
    expect(await rolesOf(ann)).toEqual(['ADMIN', null]);
    await removeProjectGroups(ctx, { projectId: project.id, groupIds: [pilots] });
    expect(await rolesOf(ann)).toEqual(['EDITOR', null]);
    await deleteGroups(ctx, { organizationId, groupIds: [divers] });
    expect([await rolesOf(ann), await rolesOf(ann, second.id)]).toEqual([undefined, undefined]);
    await settled();
  });

  it('is added once, and stays as it is with keepExisting', async () => {
    const { ctx, project, ann, pilots, enter, addGroup, rolesOf } = await newGroupWorld();
    await enter(pilots, ann);
    await addGroup(pilots, 'EDITOR');
    await expect(addGroup(pilots, 'ADMIN')).rejects.toMatchObject({
      code: 'CONFLICT',
      at: 'groups.0.groupId',
    });
    const again = {
      projectId: project.id,
      keepExisting: true,
      groups: [{ groupId: pilots, role: 'ADMIN' as const }],
    };
    expect((await addProjectMembers(ctx, again)).groups).toMatchObject([{ groupId: pilots, role: 'EDITOR' }]);
    expect(await rolesOf(ann)).toEqual(['EDITOR', null]);
  });

  it('and a person of it are added at once, who then has a role of their own too', async () => {
    const { ctx, project, ann, bob, pilots, enter, rolesOf, settled } = await newGroupWorld();
    await enter(pilots, ann, bob);
    const { members, groups } = await addProjectMembers(ctx, {
      projectId: project.id,
      members: [{ person: { userId: ann.id }, role: 'VIEWER' }],
      groups: [{ groupId: pilots, role: 'EDITOR' }],
    });
    expect(members).toMatchObject([{ userId: ann.id, role: 'EDITOR', ownRole: 'VIEWER' }]);
    expect(groups).toMatchObject([{ groupId: pilots, role: 'EDITOR', name: 'Pilots' }]);
    expect(await rolesOf(bob)).toEqual(['EDITOR', null]);
    await settled();
  });

  it('is copied with a project, with the own roles of its people', async () => {
    const { ctx, organizationId, project, ann, bob, pilots, enter, addGroup, addPerson, rolesOf, settled } =
      await newGroupWorld();
    await enter(pilots, ann, bob);
    await addGroup(pilots, 'EDITOR');
    await addPerson(bob, 'ADMIN');
    const projects = [{ name: 'Copy', source: { projectId: project.id } }];
    const [copy] = await createProjects(ctx, { organizationId, projects });
    expect([await rolesOf(ann, copy?.id), await rolesOf(bob, copy?.id)]).toEqual([
      ['EDITOR', null],
      ['ADMIN', 'ADMIN'],
    ]);
    await settled();
  });

  it('is in no more projects than its members allow', async () => {
    const { db, ctx, organizationId, pilots, ann, project, enter, addGroup } = await newGroupWorld();
    const org = organizationId;
    await db.query(
      sql`INSERT INTO users (id, email, name) SELECT ${`${org}u`} || n, ${org} || n || '@bound.test', 'U' FROM generate_series(1, 999) n`,
    );
    await db.query(sql`INSERT INTO memberships (organization_id, id, user_id, role, created_by_id)
      SELECT ${org}, ${`${org}m`} || n, ${`${org}u`} || n, 'MEMBER', ${ctx.viewer.userId} FROM generate_series(1, 999) n`);
    await db.query(sql`INSERT INTO group_members (organization_id, group_id, user_id)
      SELECT ${org}, ${pilots}, ${`${org}u`} || n FROM generate_series(1, 999) n`);
    await db.query(sql`INSERT INTO projects (organization_id, id, name, name_key, access, created_by_id)
      SELECT ${org}, ${`${org}p`} || n, 'P', 'p', 'OPEN', ${ctx.viewer.userId} FROM generate_series(1, 20) n`);
    await db.query(sql`INSERT INTO project_groups (organization_id, project_id, group_id, role, created_by_id)
      SELECT ${org}, ${`${org}p`} || n, ${pilots}, 'EDITOR', ${ctx.viewer.userId} FROM generate_series(1, 20) n`);
    await expect(addGroup(pilots, 'VIEWER')).rejects.toMatchObject({
      code: 'CONFLICT',
      at: 'groups.0.groupId',
    });
    expect(await db.prisma.projectMember.count({ where: { projectId: project.id } })).toBe(0);
    await db.query(sql`DELETE FROM group_members WHERE organization_id = ${org} AND user_id = ${`${org}u1`}`);
    await db.query(
      sql`INSERT INTO projects (organization_id, id, name, name_key, access, created_by_id) VALUES (${org}, ${`${org}p`}, 'P', 'p', 'OPEN', ${ctx.viewer.userId})`,
    );
    await db.query(
      sql`INSERT INTO project_groups (organization_id, project_id, group_id, role, created_by_id) VALUES (${org}, ${`${org}p`}, ${pilots}, 'EDITOR', ${ctx.viewer.userId})`,
    );
    await expect(enter(pilots, ann)).rejects.toMatchObject({ code: 'CONFLICT', at: 'memberIds' });
  });
});

describe('a person in a project by a group', () => {
  it('is not removed alone: the answer names the group, and nothing changes', async () => {
    const { ctx, project, ann, bob, pilots, enter, addGroup, addPerson, rolesOf, projectMemberIdOf } =
      await newGroupWorld();
    await enter(pilots, ann);
    await addGroup(pilots, 'EDITOR');
    await addPerson(bob, 'EDITOR');
    const memberIds = [await projectMemberIdOf(bob), await projectMemberIdOf(ann)];
    await expect(removeProjectMembers(ctx, { projectId: project.id, memberIds })).rejects.toMatchObject({
      code: 'CONFLICT',
      at: 'memberIds.1',
      message: expect.stringContaining('the group “Pilots”'),
    });
    expect([await rolesOf(ann), await rolesOf(bob)]).toEqual([
      ['EDITOR', null],
      ['EDITOR', 'EDITOR'],
    ]);
  });

  it('keeps the role of the group when their own one is changed or removed', async () => {
    const { ctx, project, ann, pilots, enter, addGroup, addPerson, rolesOf, projectMemberIdOf, settled } =
      await newGroupWorld();
    await enter(pilots, ann);
    await addGroup(pilots, 'EDITOR');
    await addPerson(ann, 'ADMIN');
    const memberId = await projectMemberIdOf(ann);
    expect(await updateProjectMember(ctx, { memberId, role: 'VIEWER' })).toMatchObject({
      role: 'EDITOR',
      ownRole: 'VIEWER',
    });
    await removeProjectMembers(ctx, { projectId: project.id, memberIds: [memberId] });
    expect(await rolesOf(ann)).toEqual(['EDITOR', null]);
    await settled();
  });

  it('is VIEWER as a guest, and has the role of the group again as a member; an own role is lost', async () => {
    const { db, ctx, ann, bob, pilots, memberIdOf, enter, addGroup, addPerson, rolesOf, settled } =
      await newGroupWorld();
    await enter(pilots, ann);
    await addGroup(pilots, 'EDITOR');
    for (const each of [ann, bob]) await addPerson(each, 'ADMIN');
    for (const each of [ann, bob]) {
      await updateMember(ctx, { memberId: await memberIdOf(each), role: 'GUEST' });
      expect(await rolesOf(each)).toEqual(['VIEWER', 'VIEWER']);
      await settled();
      await updateMember(ctx, { memberId: await memberIdOf(each), role: 'MEMBER' });
    }
    expect([await rolesOf(ann), await rolesOf(bob)]).toEqual([
      ['EDITOR', 'VIEWER'],
      ['VIEWER', 'VIEWER'],
    ]);
    const events = await db.prisma.event.findMany({
      where: { subjectId: ann.id, kind: 'member.updated' },
      orderBy: { sequence: 'asc' },
    });
    expect(events.map(({ data }) => data)).toMatchObject([
      { projectRoles: { before: [{ role: 'ADMIN' }], after: [{ role: 'VIEWER' }] } },
      { projectRoles: { before: [{ role: 'VIEWER' }], after: [{ role: 'EDITOR' }] } },
    ]);
  });

  it('leaves the projects of the group with the organization', async () => {
    const { ctx, organizationId, ann, pilots, memberIdOf, enter, addGroup, rolesOf, settled } =
      await newGroupWorld();
    await enter(pilots, ann);
    await addGroup(pilots, 'EDITOR');
    await removeMembers(ctx, { organizationId, memberIds: [await memberIdOf(ann)] });
    expect(await rolesOf(ann)).toBeUndefined();
    await settled();
  });

  it('loses what is assigned to them in that project alone, when they leave the group', async () => {
    const { db, ctx, project, second, ann, guest, pilots, divers, enter, exit, addGroup } =
      await newGroupWorld();
    await enter(pilots, ann, guest);
    await enter(divers, ann);
    await addGroup(pilots, 'EDITOR');
    await addGroup(divers, 'EDITOR', second.id);
    const assigneeEmails = [ann.email, guest.email];
    const folderIn = async (projectId: string, emails: string[]) =>
      (await createFolders(ctx, { projectId, folders: [{ name: 'A', assigneeEmails: emails }] }))[0]?.id;
    const here = await folderIn(project.id, assigneeEmails);
    await folderIn(second.id, [ann.email]);
    await exit(pilots, ann);
    const left = await db.prisma.folderAssignment.findMany({
      orderBy: { email: 'asc' },
      where: { organizationId: project.organizationId },
    });
    expect(left.map(({ folderId, email }) => [folderId === here, email]).toSorted()).toEqual(
      [
        [true, guest.email],
        [false, ann.email],
      ].toSorted(),
    );
    const removed = await db.prisma.event.findFirst({
      where: { kind: 'projectMember.removed', subjectId: ann.id },
    });
    expect(removed).toMatchObject({
      projectId: project.id,
      data: {
        before: { role: 'EDITOR', email: ann.email },
        unassigned: { folderIds: [here] },
        groupIds: [pilots],
      },
    });
  });

  it('stops being an approver when the group becomes VIEWER or leaves', async () => {
    const world = await newApprovalWorld();
    const { owner, organization, project, ann, bob, db } = world;
    const ctx = await owner.context();
    await updateProject(ctx, { projectId: project.id, access: 'RESTRICTED' });
    const [group] = await createGroups(ctx, { organizationId: organization.id, groups: [{ name: 'Desk' }] });
    const groupId = group?.id as string;
    const userId = { in: [ann.id, bob.id] };
    const members = await db.prisma.membership.findMany({
      where: { organizationId: organization.id, userId },
    });
    await addGroupMembers(ctx, { groupId, memberIds: members.map(({ id }) => id) });
    await db.prisma.projectMember.deleteMany({ where: { projectId: project.id } });
    await addProjectMembers(ctx, { projectId: project.id, groups: [{ groupId, role: 'EDITOR' }] });
    const { itemId } = await world.requestApproval(ann, bob);
    const states = async () =>
      (await world.approvals(itemId))[0]?.approvers.map((each) => [each.userId, each.state]);
    await removeGroupMembers(ctx, {
      groupId,
      memberIds: members.filter((each) => each.userId === ann.id).map(({ id }) => id),
    });
    expect(new Map((await states()) as [string, string][])).toEqual(
      new Map([
        [ann.id, 'DECLINED'],
        [bob.id, 'PENDING'],
      ]),
    );
    await updateProjectGroup(ctx, { projectId: project.id, groupId, role: 'VIEWER' });
    expect(new Map((await states()) as [string, string][])).toEqual(
      new Map([
        [ann.id, 'DECLINED'],
        [bob.id, 'DECLINED'],
      ]),
    );
  });
});

describe('events of groups in projects', () => {
  it('name the group, and each person whose membership has changed', async () => {
    const { db, organizationId, ctx, project, ann, bob, pilots, enter, exit, addGroup, addPerson } =
      await newGroupWorld();
    await enter(pilots, ann, bob);
    await addPerson(bob, 'ADMIN');
    const [last] = await db.prisma.event.findMany({
      where: { organizationId },
      orderBy: { sequence: 'desc' },
      take: 1,
    });
    await addGroup(pilots, 'VIEWER');
    await updateProjectGroup(ctx, { projectId: project.id, groupId: pilots, role: 'EDITOR' });
    await updateProjectGroup(ctx, { projectId: project.id, groupId: pilots, role: 'EDITOR' });
    await exit(pilots, ann);
    await removeProjectGroups(ctx, { projectId: project.id, groupIds: [pilots] });
    const events = await db.prisma.event.findMany({
      where: { organizationId, sequence: { gt: last?.sequence as bigint } },
      orderBy: { sequence: 'asc' },
    });
    const groupIds = [pilots];
    expect(events.map(({ kind, subjectId, data }) => [kind, subjectId, data])).toEqual([
      ['project.groupAdded', pilots, { after: { name: 'Pilots', role: 'VIEWER' } }],
      ['projectMember.added', ann.id, { after: { role: 'VIEWER', email: ann.email }, groupIds }],
      ['project.groupChanged', pilots, { before: { role: 'VIEWER' }, after: { role: 'EDITOR' } }],
      ['projectMember.updated', ann.id, { before: { role: 'VIEWER' }, after: { role: 'EDITOR' }, groupIds }],
      ['group.membersRemoved', pilots, { before: { members: [ann.email] } }],
      [
        'projectMember.removed',
        ann.id,
        { before: { role: 'EDITOR', email: ann.email }, unassigned: expect.anything(), groupIds },
      ],
      ['project.groupRemoved', pilots, { before: { name: 'Pilots', role: 'EDITOR' } }],
    ]);
  });
});
