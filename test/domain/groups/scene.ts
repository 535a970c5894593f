import { expect } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { createGroups } from '../../../src/domain/membership/group-change.ts';
import { addGroupMembers, removeGroupMembers } from '../../../src/domain/membership/group-member-change.ts';
import { updateProject } from '../../../src/domain/membership/project-change.ts';
import { addProjectMembers } from '../../../src/domain/membership/project-member-add.ts';
import { createProjects } from '../../../src/domain/projects/project.ts';
import type { ProjectRole } from '../../../src/generated/prisma/client.ts';
import { newMember, newWorld, type Person } from '../../support/world.ts';

const HIGHEST: readonly ProjectRole[] = ['ADMIN', 'EDITOR', 'VIEWER'];

/** The highest of these roles, of a guest VIEWER; null without one. */
export function roleOf(roles: readonly (ProjectRole | null)[], isGuest: boolean): ProjectRole | null {
  const highest = HIGHEST.find((role) => roles.includes(role)) ?? null;
  return highest && isGuest ? 'VIEWER' : highest;
}

/** Checks that the members of all projects of an organization are what own roles, groups and roles in the organization say. */
async function expectSettled(db: Database, organizationId: string): Promise<void> {
  const where = { organizationId };
  const rows = await db.prisma.projectMember.findMany({ where });
  const [members, groups, people] = [
    await db.prisma.membership.findMany({ where }),
    await db.prisma.projectGroup.findMany({ where }),
    await db.prisma.groupMember.findMany({ where }),
  ];
  const projects = await db.prisma.project.findMany({ where });
  const expected: Record<string, string> = {};
  for (const { id: projectId } of projects)
    for (const { userId, role } of members) {
      const own = rows.find((row) => row.projectId === projectId && row.userId === userId)?.ownRole ?? null;
      const by = groups.filter(
        (each) =>
          each.projectId === projectId &&
          people.some((one) => one.groupId === each.groupId && one.userId === userId),
      );
      const settled = roleOf([own, ...by.map((each) => each.role)], role === 'GUEST');
      if (settled) expected[`${projectId} ${userId}`] = settled;
    }
  const actual = Object.fromEntries(rows.map((row) => [`${row.projectId} ${row.userId}`, row.role]));
  expect(actual).toEqual(expected);
}

/** An organization with a restricted project, a second one, two groups, two members and a guest. */
export async function newGroupWorld() {
  const world = await newWorld();
  const { db, owner, organization, project } = world;
  const organizationId = organization.id;
  const ctx = await owner.context();
  await updateProject(ctx, { projectId: project.id, access: 'RESTRICTED' });
  const projects = [{ name: 'Pier', access: 'RESTRICTED' as const }];
  const [second] = await createProjects(ctx, { organizationId, projects });
  const [pilots, divers] = await createGroups(ctx, {
    organizationId,
    groups: [{ name: 'Pilots' }, { name: 'Divers' }],
  });
  const ann = await newMember(db, organizationId, 'MEMBER');
  const bob = await newMember(db, organizationId, 'MEMBER');
  const guest = await newMember(db, organizationId, 'GUEST');
  const memberIdOf = async ({ id: userId }: Person) =>
    (await db.prisma.membership.findFirstOrThrow({ where: { organizationId, userId } })).id;
  const memberIds = (people: Person[]) => Promise.all(people.map(memberIdOf));
  const enter = async (groupId: string, ...people: Person[]) =>
    addGroupMembers(ctx, { groupId, memberIds: await memberIds(people) });
  const exit = async (groupId: string, ...people: Person[]) =>
    removeGroupMembers(ctx, { groupId, memberIds: await memberIds(people) });
  const addGroup = (groupId: string, role: ProjectRole, projectId = project.id) =>
    addProjectMembers(ctx, { projectId, groups: [{ groupId, role }] });
  const addPerson = ({ id: userId }: Person, role: ProjectRole, projectId = project.id) =>
    addProjectMembers(ctx, { projectId, members: [{ person: { userId }, role }] });
  /** The role and the own role of a person in a project; undefined where they are not in it. */
  const rolesOf = async ({ id: userId }: Person, projectId = project.id) => {
    const row = await db.prisma.projectMember.findFirst({ where: { projectId, userId } });
    return row ? [row.role, row.ownRole] : undefined;
  };
  const projectMemberIdOf = async ({ id: userId }: Person, projectId = project.id) =>
    (await db.prisma.projectMember.findFirstOrThrow({ where: { projectId, userId } })).id;
  return {
    ...{ ...world, organizationId, ctx, ann, bob, guest, second: second as typeof project },
    ...{ pilots: pilots?.id as string, divers: divers?.id as string },
    ...{ memberIdOf, enter, exit, addGroup, addPerson, rolesOf, projectMemberIdOf },
    settled: () => expectSettled(db, organizationId),
  };
}
