import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createGroups, deleteGroups } from '../../../src/domain/membership/group-change.ts';
import { acceptInvitation } from '../../../src/domain/membership/invitation-change.ts';
import { inviteMembers } from '../../../src/domain/membership/invitation-create.ts';
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
import type { ProjectRole } from '../../../src/generated/prisma/client.ts';
import { newGroupWorld, roleOf } from './scene.ts';

type World = Awaited<ReturnType<typeof newGroupWorld>>;

/** What the rows should follow from, by positions: people 0 to 2, groups 0 and 1, projects from 0. */
interface Model {
  groupIds: string[];
  projectIds: string[];
  guests: Set<number>;
  inGroup: Set<string>;
  groupRoles: Map<string, ProjectRole>;
  ownRoles: Map<string, ProjectRole>;
}

const pair = (a: number, b: number) => `${a} ${b}`;

const roleIn = ({ groupRoles, ownRoles, inGroup, guests }: Model, project: number, person: number) => {
  const groups = [0, 1].filter((group) => inGroup.has(pair(group, person)));
  const by = groups.map((group) => groupRoles.get(pair(project, group)) ?? null);
  return roleOf([ownRoles.get(pair(project, person)) ?? null, ...by], guests.has(person));
};

/** Runs a command, and changes the model as it should change; `false`: the command is refused, and nothing changes. */
type Step = (world: World, model: Model) => Promise<boolean>;

/** The command is refused where it should be. */
async function run(isAllowed: boolean, command: () => Promise<unknown>): Promise<boolean> {
  if (isAllowed) await command();
  else await expect(command()).rejects.toMatchObject({ code: expect.stringMatching(/CONFLICT|NOT_FOUND/) });
  return isAllowed;
}

const personOf = ({ ann, bob, guest }: World, person: number) => [ann, bob, guest][person] as World['ann'];

const steps: Record<string, (person: number, group: number, at: number, role: ProjectRole) => Step> = {
  enter:
    (person, group) =>
    async (world, { groupIds, inGroup }) => {
      await world.enter(groupIds[group] as string, personOf(world, person));
      inGroup.add(pair(group, person));
      return true;
    },
  exit:
    (person, group) =>
    async (world, { groupIds, inGroup }) => {
      await world.exit(groupIds[group] as string, personOf(world, person));
      inGroup.delete(pair(group, person));
      return true;
    },
  replaceGroup:
    (_, group) =>
    async ({ ctx, organizationId }, { groupIds, inGroup, groupRoles }) => {
      await deleteGroups(ctx, { organizationId, groupIds: [groupIds[group] as string] });
      const [created] = await createGroups(ctx, { organizationId, groups: [{ name: `Group ${group}` }] });
      groupIds[group] = created?.id as string;
      for (const key of inGroup) if (key.startsWith(`${group} `)) inGroup.delete(key);
      for (const key of groupRoles.keys()) if (key.endsWith(` ${group}`)) groupRoles.delete(key);
      return true;
    },
  addGroup:
    (_, group, at, role) =>
    async (world, { groupIds, projectIds, groupRoles }) => {
      const add = () => world.addGroup(groupIds[group] as string, role, projectIds[at]);
      const added = await run(!groupRoles.has(pair(at, group)), add);
      if (added) groupRoles.set(pair(at, group), role);
      return added;
    },
  updateGroup:
    (_, group, at, role) =>
    async ({ ctx }, { groupIds, projectIds, groupRoles }) => {
      const input = { projectId: projectIds[at] as string, groupId: groupIds[group] as string, role };
      const changed = await run(groupRoles.has(pair(at, group)), () => updateProjectGroup(ctx, input));
      if (changed) groupRoles.set(pair(at, group), role);
      return changed;
    },
  removeGroup:
    (_, group, at) =>
    async ({ ctx }, { groupIds, projectIds, groupRoles }) => {
      const input = { projectId: projectIds[at] as string, groupIds: [groupIds[group] as string] };
      const removed = await run(groupRoles.has(pair(at, group)), () => removeProjectGroups(ctx, input));
      groupRoles.delete(pair(at, group));
      return removed;
    },
  addBoth:
    (person, group, at, role) =>
    async (world, { groupIds, projectIds, groupRoles, ownRoles }) => {
      await addProjectMembers(world.ctx, {
        ...{ projectId: projectIds[at] as string, keepExisting: true },
        members: [{ person: { userId: personOf(world, person).id }, role: 'VIEWER' }],
        groups: [{ groupId: groupIds[group] as string, role }],
      });
      if (!ownRoles.has(pair(at, person))) ownRoles.set(pair(at, person), 'VIEWER');
      if (!groupRoles.has(pair(at, group))) groupRoles.set(pair(at, group), role);
      return true;
    },
  addPerson:
    (person, _, at, role) =>
    async (world, { projectIds, ownRoles, guests }) => {
      const isAllowed = !ownRoles.has(pair(at, person)) && (role === 'VIEWER' || !guests.has(person));
      const added = await run(isAllowed, () =>
        world.addPerson(personOf(world, person), role, projectIds[at]),
      );
      if (added) ownRoles.set(pair(at, person), role);
      return added;
    },
  updatePerson: (person, _, at, role) => async (world, model) => {
    const isAllowed = roleIn(model, at, person) !== null && (role === 'VIEWER' || !model.guests.has(person));
    const changed = await run(isAllowed, async () =>
      updateProjectMember(world.ctx, { memberId: await memberId(world, model, person, at), role }),
    );
    if (changed) model.ownRoles.set(pair(at, person), role);
    return changed;
  },
  removePerson: (person, _, at) => async (world, model) => {
    const projectId = model.projectIds[at] as string;
    const removed = await run(model.ownRoles.has(pair(at, person)), async () =>
      removeProjectMembers(world.ctx, { projectId, memberIds: [await memberId(world, model, person, at)] }),
    );
    model.ownRoles.delete(pair(at, person));
    return removed;
  },
  turnGuest:
    (person) =>
    async (world, { guests, ownRoles }) => {
      const role = guests.has(person) ? 'MEMBER' : 'GUEST';
      await updateMember(world.ctx, { memberId: await world.memberIdOf(personOf(world, person)), role });
      if (role === 'MEMBER') guests.delete(person);
      else {
        guests.add(person);
        for (const key of ownRoles.keys()) if (key.endsWith(` ${person}`)) ownRoles.set(key, 'VIEWER');
      }
      return true;
    },
  rejoin:
    (person, _, at) =>
    async (world, { projectIds, guests, inGroup, ownRoles }) => {
      const { ctx, organizationId } = world;
      const { email, context } = personOf(world, person);
      const member = await world.memberIdOf(personOf(world, person));
      await removeMembers(ctx, { organizationId, memberIds: [member] });
      const { invitations } = await inviteMembers(ctx, {
        organizationId,
        members: [{ email, role: 'MEMBER' }],
      });
      const members = [{ person: { email }, role: 'EDITOR' as const }];
      await addProjectMembers(ctx, { projectId: projectIds[at] as string, members });
      await acceptInvitation(await context(), { invitationId: invitations[0]?.id as string });
      guests.delete(person);
      for (const set of [inGroup, ownRoles])
        for (const key of set.keys()) if (key.endsWith(` ${person}`)) set.delete(key);
      ownRoles.set(pair(at, person), 'EDITOR');
      return true;
    },
  copyProject:
    (_person, _group, at) =>
    async ({ ctx, organizationId }, model) => {
      if (model.projectIds.length > 3) return false;
      const projects = [{ name: 'Copy', source: { projectId: model.projectIds[at] as string } }];
      const [copy] = await createProjects(ctx, { organizationId, projects });
      const to = model.projectIds.push(copy?.id as string) - 1;
      for (const map of [model.groupRoles, model.ownRoles])
        for (const [key, role] of map) if (key.startsWith(`${at} `)) map.set(`${to}${key.slice(1)}`, role);
      return true;
    },
};

const memberId = async (world: World, { projectIds }: Model, person: number, at: number) => {
  const where = { projectId: projectIds[at] as string, userId: personOf(world, person).id };
  return (await world.db.prisma.projectMember.findFirst({ where }))?.id ?? 'pmb_none';
};

const step = fc
  .tuple(
    fc.constantFrom(...Object.keys(steps)),
    ...([fc.nat(2), fc.nat(1), fc.nat(1)] as const),
    fc.constantFrom<ProjectRole>('ADMIN', 'EDITOR', 'VIEWER'),
  )
  .map(([name, ...args]) => ({ name, args, run: steps[name]?.(...args) as Step }));

/** The rows as the model has them: role and own role by project and person. */
const expectedRows = (world: World, model: Model) =>
  model.projectIds.flatMap((projectId, at) =>
    [0, 1, 2].flatMap((person) => {
      const role = roleIn(model, at, person);
      const ownRole = model.ownRoles.get(pair(at, person)) ?? null;
      return role ? `${projectId} ${personOf(world, person).id} ${role} ${ownRole}` : [];
    }),
  );

it('after any commands, the members of projects are what a plain model has', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (sequence) => {
      const world = await newGroupWorld();
      const model: Model = {
        groupIds: [world.pilots, world.divers],
        projectIds: [world.project.id, world.second.id],
        guests: new Set([2]),
        ...{ inGroup: new Set(), groupRoles: new Map(), ownRoles: new Map() },
      };
      for (const each of sequence) {
        await each.run(world, model);
        const where = { organizationId: world.organizationId };
        const rows = await world.db.prisma.projectMember.findMany({ where });
        const actual = rows.map((row) => `${row.projectId} ${row.userId} ${row.role} ${row.ownRole}`);
        expect([each.name, actual.toSorted()]).toEqual([each.name, expectedRows(world, model).toSorted()]);
      }
    }),
    { numRuns: 25, seed: 7 },
  );
});
