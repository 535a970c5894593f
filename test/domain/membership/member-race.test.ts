import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql/sql.ts';
import { acceptInvitation } from '../../../src/domain/membership/invitation-change.ts';
import { inviteMembers } from '../../../src/domain/membership/invitation-create.ts';
import { removeMembers, updateMember } from '../../../src/domain/membership/member-change.ts';
import { addProjectMembers } from '../../../src/domain/membership/project-member-add.ts';
import { updateProjectMember } from '../../../src/domain/membership/project-member-change.ts';
import { updateViewer } from '../../../src/domain/users/viewer-change.ts';
import { newMember, newPerson, newWorld, type Person } from '../../support/world.ts';

const outcomes = (settled: PromiseSettledResult<unknown>[]) => ({
  won: settled.filter(({ status }) => status === 'fulfilled').length,
  codes: [...new Set(settled.flatMap((each) => (each.status === 'rejected' ? each.reason.code : [])))],
});

async function ownersWorld(count: number) {
  const world = await newWorld();
  const { db, owner, organization } = world;
  const organizationId = organization.id;
  const owners = [owner];
  while (owners.length < count) owners.push(await newMember(db, organizationId, 'OWNER'));
  const idOf = async ({ id: userId }: Person) =>
    (
      await db.prisma.membership.findUniqueOrThrow({
        where: { organizationId_userId: { organizationId, userId } },
      })
    ).id;
  const ownersLeft = () => db.prisma.membership.count({ where: { organizationId, role: 'OWNER' } });
  return { ...world, organizationId, owners, idOf, ownersLeft };
}

describe.runIf(process.env.TEST_DATABASE_URL)('concurrent changes of membership', () => {
  it('keep one of twenty owners who leave concurrently', async () => {
    const { owners, organizationId, idOf, ownersLeft } = await ownersWorld(20);
    const calls = await Promise.all(
      owners.map(async (each) => ({ ctx: await each.context(), memberIds: [await idOf(each)] })),
    );
    const settled = await Promise.allSettled(
      calls.map(({ ctx, memberIds }) => removeMembers(ctx, { organizationId, memberIds })),
    );
    expect(outcomes(settled)).toEqual({ won: 19, codes: ['CONFLICT'] });
    expect(await ownersLeft()).toBe(1);
  });

  it('keep one of two owners who demote each other ten times concurrently', async () => {
    const { owners, idOf, ownersLeft } = await ownersWorld(2);
    const calls = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => ({
        ctx: await (owners[index % 2] as Person).context(),
        memberId: await idOf(owners[(index + 1) % 2] as Person),
      })),
    );
    const settled = await Promise.allSettled(
      calls.map(({ ctx, memberId }) => updateMember(ctx, { memberId, role: 'MEMBER' })),
    );
    expect(outcomes(settled).won).toBeGreaterThan(0);
    expect(await ownersLeft()).toBe(1);
  });

  it('list a person under the new name if they join while it changes', async () => {
    const { db, owner, organizationId } = await ownersWorld(1);
    const people = await Promise.all(Array.from({ length: 20 }, () => newPerson(db)));
    const ctx = await owner.context();
    const members = people.map(({ email }) => ({ email, role: 'MEMBER' as const }));
    const { invitations } = await inviteMembers(ctx, { organizationId, members });
    const contexts = await Promise.all(people.map((each) => each.context()));
    await Promise.all(
      contexts.flatMap((theirs, index) => [
        acceptInvitation(theirs, { invitationId: invitations[index]?.id as string }),
        updateViewer(theirs, { name: `Zed ${index}` }),
      ]),
    );
    const rows = await db.query<{ nameKey: string; name: string }>(
      sql`SELECT m.name_key, u.name FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.organization_id = ${organizationId}`,
    );
    expect(rows).toHaveLength(21);
    expect(rows.filter(({ nameKey, name }) => nameKey !== name.toLowerCase())).toEqual([]);
  });

  it('keep one of the last two owners who are demoted or leave', async () => {
    for (let round = 0; round < 5; round++) {
      const { owners, organizationId, idOf, ownersLeft } = await ownersWorld(2);
      const [a, b] = owners as [Person, Person];
      const [forA, forB] = [await a.context(), await b.context()];
      const [idOfA, idOfB] = [await idOf(a), await idOf(b)];
      const settled = await Promise.allSettled([
        removeMembers(forA, { organizationId, memberIds: [idOfA] }),
        updateMember(forB, { memberId: idOfB, role: 'GUEST' }),
      ]);
      expect(outcomes(settled)).toEqual({ won: 1, codes: ['CONFLICT'] });
      expect(await ownersLeft()).toBe(1);
    }
  });

  it('create one member and one event for an invitation that is accepted twenty times', async () => {
    const { db, owner, organization } = await newWorld();
    const person = await newPerson(db);
    const organizationId = organization.id;
    const {
      invitations: [invitation],
    } = await inviteMembers(await owner.context(), {
      organizationId,
      members: [{ email: person.email, role: 'MEMBER' }],
    });
    const ctx = await person.context();
    const settled = await Promise.allSettled(
      Array.from({ length: 20 }, () => acceptInvitation(ctx, { invitationId: invitation?.id as string })),
    );
    expect(outcomes(settled)).toEqual({ won: 1, codes: ['NOT_FOUND'] });
    const events = await db.prisma.event.count({ where: { organizationId, subjectId: person.id } });
    expect(events).toBe(1);
  });

  it('create one invitation for an address that is invited twenty times', async () => {
    const { owner, organization } = await newWorld();
    const ctx = await owner.context();
    const input = {
      organizationId: organization.id,
      members: [{ email: 'twenty@example.test', role: 'GUEST' as const }],
    };
    const settled = await Promise.allSettled(Array.from({ length: 20 }, () => inviteMembers(ctx, input)));
    expect(outcomes(settled)).toEqual({ won: 1, codes: ['CONFLICT'] });
  });

  it('create one project member for a person who is added twenty times', async () => {
    const { db, owner, organization, project } = await newWorld();
    const member = await newMember(db, organization.id, 'MEMBER');
    const ctx = await owner.context();
    const members = [{ person: { email: member.email }, role: 'EDITOR' as const }];
    const settled = await Promise.allSettled(
      Array.from({ length: 20 }, () => addProjectMembers(ctx, { projectId: project.id, members })),
    );
    expect(outcomes(settled)).toEqual({ won: 1, codes: ['CONFLICT'] });
  });

  it('bring into a project everyone who accepts while being added, whichever comes first', async () => {
    const { db, owner, organization, project } = await newWorld();
    const ctx = await owner.context();
    const organizationId = organization.id;
    for (let round = 0; round < 15; round++) {
      const person = await newPerson(db);
      const member = { email: person.email, role: 'MEMBER' as const };
      const {
        invitations: [invitation],
      } = await inviteMembers(ctx, { organizationId, members: [member] });
      const add = {
        projectId: project.id,
        members: [{ person: { email: person.email }, role: 'EDITOR' as const }],
      };
      await Promise.all([
        acceptInvitation(await person.context(), { invitationId: invitation?.id as string }),
        addProjectMembers(ctx, add),
      ]);
      const where = { projectId: project.id, userId: person.id };
      expect(await db.prisma.projectMember.count({ where })).toBe(1);
    }
    expect(await db.prisma.projectInvitation.count({ where: { organizationId } })).toBe(0);
  });

  it('leave no project member who was concurrently removed from the organization', async () => {
    const { db, owner, organization, project } = await newWorld();
    const organizationId = organization.id;
    const ctx = await owner.context();
    for (let round = 0; round < 10; round++) {
      const member = await newMember(db, organizationId, 'MEMBER');
      const { id } = await db.prisma.membership.findFirstOrThrow({ where: { userId: member.id } });
      const members = [{ person: { email: member.email }, role: 'EDITOR' as const }];
      const [removed, added] = await Promise.allSettled([
        removeMembers(ctx, { organizationId, memberIds: [id] }),
        addProjectMembers(ctx, { projectId: project.id, members }),
      ]);
      expect(removed.status).toBe('fulfilled');
      if (added.status === 'rejected') expect(added.reason).toMatchObject({ code: 'NOT_FOUND' });
      expect(await db.prisma.projectMember.count({ where: { userId: member.id } })).toBe(0);
    }
  });

  it('make a new guest a VIEWER who is concurrently promoted in a project', async () => {
    const { db, owner, organization, project } = await newWorld();
    const ctx = await owner.context();
    for (let round = 0; round < 10; round++) {
      const member = await newMember(db, organization.id, 'MEMBER');
      const { id: memberId } = await db.prisma.membership.findFirstOrThrow({ where: { userId: member.id } });
      const {
        members: [projectMember],
      } = await addProjectMembers(ctx, {
        projectId: project.id,
        members: [{ person: { email: member.email }, role: 'EDITOR' }],
      });
      await Promise.allSettled([
        updateProjectMember(ctx, { memberId: projectMember?.id as string, role: 'ADMIN' }),
        updateMember(ctx, { memberId, role: 'GUEST' }),
      ]);
      const { role } = await db.prisma.projectMember.findFirstOrThrow({ where: { userId: member.id } });
      expect(role).toBe('VIEWER');
    }
  });
});
