import { describe, expect, it } from 'vitest';
import { newMember, newPerson, newWorld } from '../../support/world.ts';

async function setUp() {
  const world = await newWorld();
  const { db, organization, project } = world;
  const member = await newMember(db, organization.id, 'MEMBER');
  const path = `/organizations/${organization.id}`;
  const eventsOf = async (kind: string) =>
    db.prisma.event.count({ where: { organizationId: organization.id, kind } });
  return {
    ...{ ...world, member, eventsOf },
    ...{ members: `${path}/members`, projectMembers: `${path}/projects/${project.id}/members` },
  };
}

describe('members of an organization over REST v1 who are added again', () => {
  it('are answered as they are, beside new people of the batch, in its order', async () => {
    const { owner, member, members, eventsOf } = await setUp();
    const before = (await owner.rest('GET', members)).body;
    const { status, body } = await owner.rest('POST', members, [
      { UserEmail: 'ines.kallio@example.test', IsReadOnly: true },
      { UserEmail: member.email.toUpperCase(), IsAdmin: true },
      { UserEmail: owner.email },
    ]);
    expect(status).toBe(200);
    expect(body.map(({ UserEmail }: { UserEmail: string }) => UserEmail)).toEqual([
      'ines.kallio@example.test',
      member.email,
      owner.email,
    ]);
    expect(body[0]).toMatchObject({ Disabled: true, IsReadOnly: true });
    const recordOf = (id: string) => before.find(({ UserID }: { UserID: string }) => UserID === id);
    expect(body.slice(1)).toEqual([recordOf(member.id), recordOf(owner.id)]);
    expect((await owner.rest('GET', members)).body).toEqual([...before, body[0]]);
    expect(await eventsOf('invitation.created')).toBe(1);
  });

  it('are answered with the open invitation if they were invited, without another mail', async () => {
    const { db, owner, organization, members, eventsOf } = await setUp();
    const person = [{ UserEmail: 'ines.kallio@example.test' }];
    const first = await owner.rest('POST', members, person);
    const again = await owner.rest('POST', members, [{ ...person[0], IsAdmin: true }]);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(await eventsOf('invitation.created')).toBe(1);
    expect(await db.prisma.mail.count({ where: { organizationId: organization.id } })).toBe(1);
  });

  it('are refused with the whole batch if another one is, and to everyone but owners and admins', async () => {
    const { owner, member, stranger, members, eventsOf } = await setUp();
    const known = { UserEmail: owner.email };
    expect((await owner.rest('POST', members, [known, { UserEmail: 'nobody' }])).status).toBe(400);
    expect((await member.rest('POST', members, [known])).status).toBe(403);
    expect((await stranger.rest('POST', members, [known])).status).toBe(404);
    expect(await eventsOf('invitation.created')).toBe(0);
  });
});

describe('members of a project over REST v1 who are added again', () => {
  it('are answered as they are, beside new people of the batch, in its order', async () => {
    const { owner, member, members, projectMembers, eventsOf } = await setUp();
    const invited = { UserEmail: 'ines.kallio@example.test' };
    await owner.rest('POST', members, [invited]);
    const first = await owner.rest('POST', projectMembers, [
      { UserEmail: member.email, IsReadOnly: true },
      { ...invited, IsReadOnly: true },
    ]);
    const { status, body } = await owner.rest('POST', projectMembers, [
      { ...invited, IsAdmin: true },
      { UserID: owner.id, IsAdmin: true },
      { ...first.body[0], IsReadOnly: false, IsAdmin: true },
    ]);
    expect([status, body[0], body[2]]).toEqual([200, first.body[1], first.body[0]]);
    expect(body[1]).toMatchObject({ UserID: owner.id, IsAdmin: true, Disabled: false });
    expect((await owner.rest('GET', projectMembers)).body.ProjectMembers).toHaveLength(3);
    expect([await eventsOf('projectMember.added'), await eventsOf('projectInvitation.created')]).toEqual([
      2, 1,
    ]);
  });

  it('may be guests, who could not be added with that role', async () => {
    const { db, owner, organization, projectMembers } = await setUp();
    const guest = await newMember(db, organization.id, 'GUEST');
    const asWriter = [{ UserEmail: guest.email }];
    expect((await owner.rest('POST', projectMembers, asWriter)).status).toBe(409);
    await owner.rest('POST', projectMembers, [{ UserEmail: guest.email, IsReadOnly: true }]);
    const again = await owner.rest('POST', projectMembers, asWriter);
    expect([again.status, again.body[0].IsReadOnly]).toEqual([200, true]);
  });

  it('have to be in the organization, or invited to it', async () => {
    const { db, owner, projectMembers } = await setUp();
    const outsider = await newPerson(db);
    for (const UserEmail of [outsider.email, 'ines.kallio@example.test']) {
      const { status, body } = await owner.rest('POST', projectMembers, [{ UserEmail }]);
      expect([status, body.message]).toEqual([404, expect.stringContaining('Member not found.')]);
    }
    expect((await owner.rest('GET', projectMembers)).body.ProjectMembers).toEqual([]);
  });
});
