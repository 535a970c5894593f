import { describe, expect, it } from 'vitest';
import { inviteMembers } from '../../../../src/domain/membership/invitation-create.ts';
import { resendInvitations } from '../../../../src/domain/membership/invitation-resend.ts';
import { removeMembers, updateMember } from '../../../../src/domain/membership/member-change.ts';
import type { OrganizationRole } from '../../../../src/generated/prisma/client.ts';
import { DAY, HOUR } from '../../../../src/lib/time.ts';
import { newMember, newPerson, newWorld, type Person } from '../../../support/world.ts';

const codes = (errors: { extensions: { code: string } }[] | undefined) =>
  errors?.map((error) => error.extensions.code);

const RESEND = `mutation ($input: ResendInvitationsInput!) { resendInvitations(input: $input) { invitations {
  id url expiresAt isExpired sentAt resendsLeft invitedBy { email } createdBy { email } delivery { state } } } }`;
const ACCEPT = `mutation ($id: ID!) { acceptInvitation(input: { invitationId: $id }) { member { role } } }`;
const NODE = `query ($id: ID!) { node(id: $id) { ... on Invitation { expiresAt isExpired url invitedBy { email } } } }`;

async function invited(role: OrganizationRole = 'MEMBER') {
  const world = await newWorld();
  const { db, owner, organization } = world;
  const organizationId = organization.id;
  const person = await newPerson(db);
  const members = [{ email: person.email, role }];
  const {
    invitations: [invitation],
  } = await inviteMembers(await owner.context(), { organizationId, members });
  const id = invitation?.id as string;
  const age = (sentAgo: number, expiresIn = 7 * DAY) =>
    db.prisma.invitation.update({
      where: { id },
      data: { sentAt: new Date(Date.now() - sentAgo), expiresAt: new Date(Date.now() + expiresIn) },
    });
  const resend = (who: Person) => who.graph(RESEND, { input: { organizationId, invitationIds: [id] } });
  return { ...world, organizationId, person, id, age, resend };
}

describe('an invitation that has expired', () => {
  it('cannot be accepted, is in no list of the invited person, and can be declined', async () => {
    const { owner, person, id, age } = await invited();
    await age(8 * DAY, -1);
    const own = await person.graph('{ viewer { invitations { totalCount } } }');
    expect(own.data.viewer.invitations.totalCount).toBe(0);
    expect(await person.graph(ACCEPT, { id })).toMatchObject({
      errors: [
        {
          message: 'The invitation has expired. Ask the person who sent it to send it again.',
          extensions: { code: 'CONFLICT' },
        },
      ],
    });
    const { data } = await owner.graph(NODE, { id });
    expect(data.node).toMatchObject({ isExpired: true, url: null, invitedBy: { email: owner.email } });
    const decline = `mutation ($id: ID!) { declineInvitation(input: { invitationId: $id }) { invitationId } }`;
    expect((await person.graph(decline, { id })).errors).toBeUndefined();
  });

  it('is replaced by a new one to the same address', async () => {
    const { db, owner, organizationId, person, id, age } = await invited();
    const invite = async () =>
      inviteMembers(await owner.context(), {
        organizationId,
        members: [{ email: person.email, role: 'GUEST' }],
      });
    await expect(invite()).rejects.toMatchObject({ code: 'CONFLICT' });
    await age(8 * DAY, -1);
    const {
      invitations: [invitation],
    } = await invite();
    expect(invitation?.id).not.toBe(id);
    const rows = await db.prisma.invitation.findMany({ where: { organizationId } });
    expect(rows).toMatchObject([{ id: invitation?.id, role: 'GUEST' }]);
    const events = await db.prisma.event.findMany({ where: { organizationId, subjectId: id } });
    expect(events.map(({ kind }) => kind).sort()).toEqual(['invitation.created', 'invitation.withdrawn']);
  });

  it('lives for seven days from when it was sent', async () => {
    const { db, id } = await invited();
    const row = await db.prisma.invitation.findUniqueOrThrow({ where: { id } });
    expect(row.expiresAt.getTime() - row.sentAt.getTime()).toBe(7 * DAY);
  });
});

describe('an invitation that is sent again', () => {
  it('has a new link, its full lifetime and another mail, and is answered for by who sent it', async () => {
    const { db, owner, organizationId, person, id, age, resend } = await invited();
    const before = (await owner.graph(NODE, { id })).data.node;
    await age(8 * DAY, -1);
    const admin = await newMember(db, organizationId, 'ADMIN');
    const { data } = await resend(admin);
    const [after] = data.resendInvitations.invitations;
    expect(after).toMatchObject({
      ...{ id, isExpired: false, resendsLeft: 4, delivery: { state: 'WAITING' } },
      ...{ invitedBy: { email: admin.email }, createdBy: { email: owner.email } },
    });
    expect(after.url).not.toBe(before.url);
    expect(await db.prisma.mail.count({ where: { subjectId: id } })).toBe(2);
    expect((await person.graph(ACCEPT, { id })).errors).toBeUndefined();
    const kinds = await db.prisma.event.findMany({ where: { organizationId, subjectId: id } });
    expect(kinds.map(({ kind }) => kind).sort()).toEqual(['invitation.created', 'invitation.resent']);
  });

  it('waits ten minutes, and is sent five times at most', async () => {
    const { owner, age, resend } = await invited();
    expect(codes((await resend(owner)).errors)).toEqual(['CONFLICT']);
    for (let left = 4; left >= 0; left--) {
      await age(HOUR);
      const { data } = await resend(owner);
      expect(data.resendInvitations.invitations[0].resendsLeft).toBe(left);
    }
    await age(HOUR);
    expect(await resend(owner)).toMatchObject({
      errors: [{ extensions: { code: 'CONFLICT', at: 'invitationIds.0' } }],
    });
  });

  it('is sent once by twenty calls at once', async () => {
    const { db, owner, organizationId, id, age } = await invited();
    await age(HOUR);
    const ctx = await owner.context();
    const calls = Array.from({ length: 20 }, () =>
      resendInvitations(ctx, { organizationId, invitationIds: [id] }).then(
        () => 'sent',
        ({ code }) => code,
      ),
    );
    expect((await Promise.all(calls)).sort()).toEqual([...Array(19).fill('CONFLICT'), 'sent']);
    expect(await db.prisma.mail.count({ where: { subjectId: id } })).toBe(2);
  });

  it('is sent by who could have created it', async () => {
    const { db, stranger, organizationId, person, age, resend } = await invited('OWNER');
    await age(HOUR);
    const admin = await newMember(db, organizationId, 'ADMIN');
    const member = await newMember(db, organizationId, 'MEMBER');
    expect(codes((await resend(admin)).errors)).toEqual(['FORBIDDEN']);
    for (const who of [member, stranger, person])
      expect(codes((await resend(who)).errors)).toEqual(['NOT_FOUND']);
  });

  it('survives that its creator leaves, and ends when who sent it loses the right to invite', async () => {
    const { db, owner, organizationId, id, age, resend } = await invited();
    await age(HOUR);
    const [admin, other] = [
      await newMember(db, organizationId, 'ADMIN'),
      await newMember(db, organizationId, 'OWNER'),
    ];
    await resend(admin);
    const memberOf = async ({ id: userId }: Person) =>
      (await db.prisma.membership.findFirstOrThrow({ where: { organizationId, userId } })).id;
    const ctx = await other.context();
    await removeMembers(ctx, { organizationId, memberIds: [await memberOf(owner)] });
    expect(await db.prisma.invitation.count({ where: { id } })).toBe(1);
    await updateMember(ctx, { memberId: await memberOf(admin), role: 'MEMBER' });
    expect(await db.prisma.invitation.count({ where: { id } })).toBe(0);
  });

  it('shows its link to managers alone', async () => {
    const { person, id } = await invited();
    expect((await person.graph(NODE, { id })).data.node.url).toBeNull();
  });
});
