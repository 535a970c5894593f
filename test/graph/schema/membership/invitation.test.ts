import { describe, expect, it } from 'vitest';
import { withdrawInvitations } from '../../../../src/domain/membership/invitation-change.ts';
import { inviteMembers } from '../../../../src/domain/membership/invitation-create.ts';
import { removeMembers, updateMember } from '../../../../src/domain/membership/member-change.ts';
import type { OrganizationRole } from '../../../../src/generated/prisma/client.ts';
import { counted } from '../../../support/database.ts';
import { newMember, newPerson, newWorld, type Person } from '../../../support/world.ts';

const codes = (errors: { extensions: { code: string } }[] | undefined) =>
  errors?.map((error) => error.extensions.code);

const INVITE = `mutation ($input: InviteMembersInput!) { inviteMembers(input: $input) { invitations {
  id organizationId organizationName email role createdBy { email } } } }`;
const ACCEPT = `mutation ($id: ID!) { acceptInvitation(input: { invitationId: $id }) { member {
  id role organizationId user { email } createdBy { email } } } }`;
const DECLINE = `mutation ($id: ID!) { declineInvitation(input: { invitationId: $id }) { invitationId } }`;
const WITHDRAW = `mutation ($input: WithdrawInvitationsInput!) { withdrawInvitations(input: $input) { invitationIds } }`;
const OWN = `{ viewer { invitations { totalCount nodes { id organizationName role } } } }`;

async function invited(role: OrganizationRole = 'MEMBER') {
  const world = await newWorld();
  const person = await newPerson(world.db);
  const { data } = await world.owner.graph(INVITE, {
    input: { organizationId: world.organization.id, members: [{ email: person.email.toUpperCase(), role }] },
  });
  return { ...world, person, invitation: data.inviteMembers.invitations[0] };
}

describe('inviting with keepExisting', () => {
  const KEEP = `mutation ($input: InviteMembersInput!) { inviteMembers(input: $input) {
    members { role user { id } } invitations { id email role } } }`;

  it('returns members and open invitations as they are, and invites the others', async () => {
    const { db, owner, organization, person, invitation } = await invited('GUEST');
    const member = await newMember(db, organization.id, 'MEMBER');
    const emails = ['fine@example.test', member.email, person.email];
    const members = emails.map((email) => ({ email, role: 'ADMIN' }));
    const input = { organizationId: organization.id, keepExisting: true, members };
    const { data } = await owner.graph(KEEP, { input });
    expect(data.inviteMembers).toEqual({
      members: [{ role: 'MEMBER', user: { id: member.id } }],
      invitations: [
        { id: expect.any(String), email: 'fine@example.test', role: 'ADMIN' },
        { id: invitation.id, email: person.email, role: 'GUEST' },
      ],
    });
    expect((await owner.graph(KEEP, { input })).data).toEqual(data);
    const events = await db.prisma.event.findMany({ where: { kind: { startsWith: 'invitation.' } } });
    expect(events.filter((each) => each.organizationId === organization.id)).toHaveLength(2);
  });

  it('needs the same role', async () => {
    const { db, organization, person, stranger } = await invited();
    const member = await newMember(db, organization.id, 'MEMBER');
    const members = [{ email: person.email, role: 'MEMBER' }];
    const input = { organizationId: organization.id, keepExisting: true, members };
    expect(codes((await member.graph(KEEP, { input })).errors)).toEqual(['FORBIDDEN']);
    expect(codes((await stranger.graph(KEEP, { input })).errors)).toEqual(['NOT_FOUND']);
  });

  it('replaces an invitation that has expired', async () => {
    const { db, owner, organization, person, invitation } = await invited('GUEST');
    await db.prisma.invitation.update({ where: { id: invitation.id }, data: { expiresAt: new Date(0) } });
    const members = [{ email: person.email, role: 'MEMBER' }];
    const input = { organizationId: organization.id, keepExisting: true, members };
    const [replacement] = (await owner.graph(KEEP, { input })).data.inviteMembers.invitations;
    expect([replacement.id === invitation.id, replacement.role]).toEqual([false, 'MEMBER']);
  });
});

describe('invitations', () => {
  it('become a membership when the person accepts, from the next request on', async () => {
    const { db, owner, organization, person, invitation } = await invited('ADMIN');
    expect(invitation).toMatchObject({
      organizationId: organization.id,
      organizationName: 'Harbor',
      email: person.email,
      role: 'ADMIN',
      createdBy: { email: owner.email },
    });
    const mine = await person.graph(OWN);
    expect(mine.data.viewer.invitations).toEqual({
      totalCount: 1,
      nodes: [{ id: invitation.id, organizationName: 'Harbor', role: 'ADMIN' }],
    });
    const { data } = await person.graph(ACCEPT, { id: invitation.id });
    expect(data.acceptInvitation.member).toMatchObject({
      role: 'ADMIN',
      organizationId: organization.id,
      user: { email: person.email },
      createdBy: { email: owner.email },
    });
    const query = `query ($id: ID!) { organization(id: $id) { viewerRole invitations { totalCount } } }`;
    const organizationAfter = await person.graph(query, { id: organization.id });
    expect(organizationAfter.data.organization).toEqual({
      viewerRole: 'ADMIN',
      invitations: { totalCount: 0 },
    });
    const events = await db.prisma.event.findMany({
      where: { organizationId: organization.id },
      orderBy: { sequence: 'desc' },
      take: 2,
    });
    expect(events.map(({ kind, actorId }) => [kind, actorId])).toEqual([
      ['member.added', person.id],
      ['invitation.created', owner.id],
    ]);
  });

  it('do not disclose who has an account: same answer, same statements, same lists', async () => {
    const { db, owner, organization } = await newWorld();
    const registered = await newPerson(db);
    const unregistered = registered.email.replace('@', 'x@');
    const invite = (email: string) =>
      counted(() =>
        owner.graph(INVITE, {
          input: { organizationId: organization.id, members: [{ email, role: 'MEMBER' }] },
        }),
      );
    const [a, b] = [await invite(registered.email), await invite(unregistered)];
    const withoutId = ({ result }: typeof a, email: string) => {
      const { id, ...invitation } = result.data.inviteMembers.invitations[0];
      expect(id).toMatch(/^inv_/);
      expect(invitation.email).toBe(email);
      return { ...invitation, email: '' };
    };
    expect(withoutId(a, registered.email)).toEqual(withoutId(b, unregistered));
    expect(a.statements).toEqual(b.statements);
    const user = await owner.graph(`query ($id: ID!) { node(id: $id) { id } }`, { id: registered.id });
    expect(codes(user.errors)).toEqual(['NOT_FOUND']);
    const list = `query ($id: ID!) { organization(id: $id) { memberCounts { writing } members { totalCount } } }`;
    const { data } = await owner.graph(list, { id: organization.id });
    expect(data.organization).toEqual({ memberCounts: { writing: 1 }, members: { totalCount: 1 } });
  });

  it('are visible to owners, admins and the invited person only', async () => {
    const { db, owner, stranger, organization, person, invitation } = await invited();
    const member = await newMember(db, organization.id, 'MEMBER');
    const admin = await newMember(db, organization.id, 'ADMIN');
    const node = `query ($id: ID!) { node(id: $id) { __typename id } }`;
    for (const who of [owner, admin, person])
      expect((await who.graph(node, { id: invitation.id })).data.node).toEqual({
        __typename: 'Invitation',
        id: invitation.id,
      });
    for (const who of [member, stranger])
      expect(codes((await who.graph(node, { id: invitation.id })).errors)).toEqual(['NOT_FOUND']);
    const list = `query ($id: ID!) { organization(id: $id) { invitations { totalCount nodes { id } } } }`;
    const { data } = await member.graph(list, { id: organization.id });
    expect(data.organization.invitations).toEqual({ totalCount: 0, nodes: [] });
    expect((await stranger.graph(OWN)).data.viewer.invitations.totalCount).toBe(0);
  });

  it.each([
    'accept',
    'decline',
  ] as const)('can be answered once, and only by the invited person: %s', async (answer) => {
    const { db, owner, stranger, organization, person, invitation } = await invited();
    const mutation = answer === 'accept' ? ACCEPT : DECLINE;
    const id = invitation.id;
    expect(codes((await owner.graph(mutation, { id })).errors)).toEqual(['FORBIDDEN']);
    expect(codes((await stranger.graph(mutation, { id })).errors)).toEqual(['NOT_FOUND']);
    expect((await person.graph(mutation, { id })).errors).toBeUndefined();
    expect(codes((await person.graph(mutation, { id })).errors)).toEqual(['NOT_FOUND']);
    const joined = await db.prisma.membership.count({ where: { organizationId: organization.id } });
    expect(joined).toBe(answer === 'accept' ? 2 : 1);
  });

  it.each([
    ['OWNER', 'OWNER', undefined],
    ['ADMIN', 'ADMIN', undefined],
    ['ADMIN', 'OWNER', ['FORBIDDEN']],
    ['MEMBER', 'GUEST', ['FORBIDDEN']],
    ['GUEST', 'GUEST', ['FORBIDDEN']],
  ] as const)('by the role %s for the role %s are permitted or refused', async (mine, role, errors) => {
    const { db, organization } = await newWorld();
    const person = await newMember(db, organization.id, mine);
    const members = [
      { email: 'fine@example.test', role: 'GUEST' },
      { email: 'x@example.test', role },
    ];
    const answer = await person.graph(INVITE, { input: { organizationId: organization.id, members } });
    expect(codes(answer.errors)).toEqual(errors);
    expect(await db.prisma.invitation.count({ where: { organizationId: organization.id } })).toBe(
      errors ? 0 : 2,
    );
  });

  it.each([
    ['a stranger', 'NOT_FOUND', undefined, (w: World) => [w.stranger, [fresh()]] as const],
    ['nobody', 'BAD_USER_INPUT', 'members', (w: World) => [w.owner, []] as const],
    ['one twice', 'BAD_USER_INPUT', 'members.1.email', (w: World) => [w.owner, twice()] as const],
    ['no address', 'BAD_USER_INPUT', 'members.1.email', (w: World) => [w.owner, [fresh(), 'x']] as const],
    ['a NUL', 'BAD_USER_INPUT', null, (w: World) => [w.owner, ['a\0@example.test']] as const],
    ['a member', 'CONFLICT', 'members.1.email', (w: World) => [w.owner, [fresh(), w.owner.email]] as const],
    [
      'who is invited',
      'CONFLICT',
      'members.1.email',
      (w: World) => [w.owner, [fresh(), w.invitedEmail]] as const,
    ],
  ])('of a batch are all refused for %s: %s', async (_, code, at, invite) => {
    const world = await newWorld();
    const invitedEmail = fresh();
    const { owner, organization, db } = world;
    await inviteMembers(await owner.context(), {
      organizationId: organization.id,
      members: [{ email: invitedEmail, role: 'GUEST' }],
    });
    const [person, emails] = invite({ ...world, invitedEmail });
    const members = emails.map((email) => ({ email, role: 'MEMBER' }));
    const { errors } = await person.graph(INVITE, { input: { organizationId: organization.id, members } });
    expect(errors).toMatchObject([{ extensions: { code, ...(at && { at }) } }]);
    expect(await db.prisma.invitation.count({ where: { organizationId: organization.id } })).toBe(1);
  });

  it('are withdrawn, all or none, by people who could have created them', async () => {
    const { db, owner, stranger, organization, person, invitation } = await invited('OWNER');
    const admin = await newMember(db, organization.id, 'ADMIN');
    const member = await newMember(db, organization.id, 'MEMBER');
    const withdraw = (who: Person, invitationIds: string[], organizationId = organization.id) =>
      who.graph(WITHDRAW, { input: { organizationId, invitationIds } });
    expect(codes((await withdraw(admin, [invitation.id])).errors)).toEqual(['FORBIDDEN']);
    for (const who of [member, stranger, person])
      expect(codes((await withdraw(who, [invitation.id])).errors)).toEqual(['NOT_FOUND']);
    const foreign = await invited();
    const both = [invitation.id, foreign.invitation.id];
    expect(codes((await withdraw(owner, both)).errors)).toEqual(['NOT_FOUND']);
    expect(codes((await withdraw(owner, [])).errors)).toEqual(['BAD_USER_INPUT']);
    const withdrawn = await withdraw(owner, [invitation.id, invitation.id]);
    expect(withdrawn.data.withdrawInvitations.invitationIds).toEqual([invitation.id]);
    expect(codes((await person.graph(ACCEPT, { id: invitation.id })).errors)).toEqual(['NOT_FOUND']);
    expect((await foreign.person.graph(ACCEPT, { id: foreign.invitation.id })).errors).toBeUndefined();
  });

  it('cannot change the role of a member', async () => {
    const { db, organization, person, invitation } = await invited('OWNER');
    await db.prisma.membership.create({
      data: {
        organizationId: organization.id,
        id: `mem_${invitation.id.slice(4)}`,
        userId: person.id,
        role: 'GUEST',
        createdById: person.id,
      },
    });
    expect(codes((await person.graph(ACCEPT, { id: invitation.id })).errors)).toEqual(['CONFLICT']);
    expect((await person.graph(OWN)).data.viewer.invitations.totalCount).toBe(1);
  });

  it('are withdrawn when their creator loses the right to invite', async () => {
    const { db, owner, organization } = await newWorld();
    const organizationId = organization.id;
    const [a, b] = [
      await newMember(db, organizationId, 'OWNER'),
      await newMember(db, organizationId, 'ADMIN'),
    ];
    const invite = async (who: Person, role: OrganizationRole) => {
      const email = fresh();
      await inviteMembers(await who.context(), { organizationId, members: [{ email, role }] });
      return email;
    };
    const [ownersOwner, ownersGuest] = [await invite(a, 'OWNER'), await invite(a, 'GUEST')];
    const adminsGuest = await invite(b, 'GUEST');
    const remaining = async () =>
      (await db.prisma.invitation.findMany({ where: { organizationId } })).map(({ email }) => email).sort();
    const idOf = async ({ id: userId }: Person) =>
      (
        await db.prisma.membership.findUniqueOrThrow({
          where: { organizationId_userId: { organizationId, userId } },
        })
      ).id;
    const ctx = await owner.context();
    await updateMember(ctx, { memberId: await idOf(a), role: 'ADMIN' });
    expect(await remaining()).not.toContain(ownersOwner);
    expect(await remaining()).toEqual([ownersGuest, adminsGuest].sort());
    await updateMember(ctx, { memberId: await idOf(b), role: 'MEMBER' });
    expect(await remaining()).toEqual([ownersGuest]);
    await removeMembers(ctx, { organizationId, memberIds: [await idOf(a)] });
    expect(await remaining()).toEqual([]);
  });

  it('that an owner withdrew are in no list', async () => {
    const { owner, organization, person, invitation } = await invited();
    await withdrawInvitations(await owner.context(), {
      organizationId: organization.id,
      invitationIds: [invitation.id],
    });
    expect((await person.graph(OWN)).data.viewer.invitations.nodes).toEqual([]);
  });
});

type World = Awaited<ReturnType<typeof newWorld>> & { invitedEmail: string };

let serial = 0;
const fresh = () => `fresh${serial++}@example.test`;
const twice = () => {
  const email = fresh();
  return [email, ` ${email.toUpperCase()} `];
};
