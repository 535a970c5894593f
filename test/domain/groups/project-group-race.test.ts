import { describe, expect, it } from 'vitest';
import { createGroups, deleteGroups, updateGroup } from '../../../src/domain/membership/group-change.ts';
import { removeMembers, updateMember } from '../../../src/domain/membership/member-change.ts';
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
import { newMember, type Person } from '../../support/world.ts';
import { newGroupWorld } from './scene.ts';

type World = Awaited<ReturnType<typeof newGroupWorld>>;

/** What callers may be answered in a race: what they name is gone, or was changed before. */
const LOST = ['NOT_FOUND', 'CONFLICT'];

/** Runs the commands at once in several worlds; each is done or lost, and the rows are what the inputs say. */
async function race(prepare: (world: World) => Promise<(() => Promise<unknown>)[]>): Promise<void> {
  for (let round = 0; round < 8; round++) {
    const world = await newGroupWorld();
    const commands = await prepare(world);
    const settled = await Promise.allSettled(commands.map((run) => run()));
    const codes = settled.flatMap((each) =>
      each.status === 'rejected' ? [each.reason.code ?? each.reason] : [],
    );
    expect(codes.filter((code) => !LOST.includes(code))).toEqual([]);
    await world.settled();
  }
}

describe.runIf(process.env.TEST_DATABASE_URL)('memberships by groups, in a race', () => {
  it('follow a change of the group while it is added to projects', () =>
    race(async ({ ann, bob, guest, pilots, second, enter, exit, addGroup }) => {
      await enter(pilots, bob);
      return [
        () => addGroup(pilots, 'EDITOR'),
        () => enter(pilots, ann, guest),
        () => addGroup(pilots, 'VIEWER', second.id),
        () => exit(pilots, bob),
      ];
    }));

  it('end with a person who leaves the organization while their groups change', () =>
    race(
      async ({
        ctx,
        organizationId,
        ann,
        bob,
        pilots,
        divers,
        memberIdOf,
        enter,
        exit,
        addGroup,
        addPerson,
      }) => {
        await enter(divers, ann, bob);
        const memberId = await memberIdOf(ann);
        await addGroup(pilots, 'EDITOR');
        return [
          () => enter(pilots, ann, bob),
          () => removeMembers(ctx, { organizationId, memberIds: [memberId] }),
          () => addGroup(divers, 'ADMIN'),
          () => addPerson(ann, 'VIEWER'),
          () => exit(divers, bob),
        ];
      },
    ));

  it('follow two groups of one person that change at once', () =>
    race(async ({ ctx, ann, bob, pilots, divers, enter, exit, addGroup, project }) => {
      await enter(pilots, ann);
      await enter(divers, bob);
      await addGroup(pilots, 'VIEWER');
      await addGroup(divers, 'ADMIN');
      return [
        () => exit(pilots, ann),
        () => enter(divers, ann),
        () => exit(divers, bob),
        () => enter(pilots, bob),
        () => updateProjectGroup(ctx, { projectId: project.id, groupId: divers, role: 'EDITOR' }),
      ];
    }));

  it('follow own roles that change while a group is removed, deleted or renamed', () =>
    race(async (world) => {
      const { ctx, project, organizationId, ann, bob, pilots, divers, enter, addGroup, addPerson } = world;
      await enter(pilots, ann, bob);
      await enter(divers, bob, ann);
      await addGroup(pilots, 'EDITOR');
      await addGroup(divers, 'VIEWER');
      await addPerson(ann, 'VIEWER');
      const [memberId, other] = [await world.projectMemberIdOf(ann), await world.projectMemberIdOf(bob)];
      const bobId = await world.memberIdOf(bob);
      return [
        () => removeProjectGroups(ctx, { projectId: project.id, groupIds: [pilots] }),
        () => updateProjectMember(ctx, { memberId, role: 'ADMIN' }),
        () => updateProjectMember(ctx, { memberId: other, role: 'EDITOR' }),
        () => removeProjectMembers(ctx, { projectId: project.id, memberIds: [memberId] }),
        () => deleteGroups(ctx, { organizationId, groupIds: [divers, pilots] }),
        () => updateMember(ctx, { memberId: bobId, role: 'GUEST' }),
        () => updateGroup(ctx, { groupId: divers, name: 'Anglers' }),
      ];
    }));

  it('are the same in a copy of a project that is made meanwhile', () =>
    race(
      async ({
        ctx,
        organizationId,
        project,
        ann,
        bob,
        guest,
        pilots,
        divers,
        enter,
        exit,
        addGroup,
        addPerson,
      }) => {
        await enter(pilots, ann, guest);
        await addGroup(pilots, 'EDITOR');
        await addPerson(guest, 'VIEWER');
        const projects = [{ name: 'Copy', source: { projectId: project.id } }];
        return [
          () => createProjects(ctx, { organizationId, projects }),
          () => enter(pilots, bob),
          () => exit(pilots, ann),
          () => addGroup(divers, 'ADMIN'),
          () => removeProjectGroups(ctx, { projectId: project.id, groupIds: [pilots] }),
        ];
      },
    ));

  it('follow many people and two groups that are added in opposite orders', () =>
    race(async ({ db, ctx, organizationId, project, second, pilots, divers, enter }) => {
      const people: Person[] = [];
      for (let n = 0; n < 6; n++) people.push(await newMember(db, organizationId, 'MEMBER'));
      await enter(pilots, ...people.slice(0, 4));
      await enter(divers, ...people.slice(2));
      const add = (projectId: string, groups: string[], whom: typeof people) => () =>
        addProjectMembers(ctx, {
          ...{ projectId, keepExisting: true },
          members: whom.map(({ id: userId }) => ({ person: { userId }, role: 'VIEWER' })),
          groups: groups.map((groupId) => ({ groupId, role: 'EDITOR' })),
        });
      return [
        add(project.id, [pilots, divers], people.slice(3)),
        add(project.id, [divers, pilots], people.slice(0, 3).reverse()),
        add(second.id, [divers], people.toReversed()),
        add(second.id, [pilots], people),
      ];
    }));

  it('create one group in a project that is added by ten at once', async () => {
    const { db, organizationId, project, ann, enter, ctx, addGroup, settled } = await newGroupWorld();
    const [group] = await createGroups(ctx, { organizationId, groups: [{ name: 'Anglers' }] });
    const groupId = group?.id as string;
    await enter(groupId, ann);
    const answers = await Promise.allSettled(Array.from({ length: 10 }, () => addGroup(groupId, 'EDITOR')));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const where = { projectId: project.id, kind: 'project.groupAdded' };
    expect(await db.prisma.event.count({ where })).toBe(1);
    await settled();
  });
});
