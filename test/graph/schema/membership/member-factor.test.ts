import { describe, expect, it } from 'vitest';
import { counted } from '../../../support/database.ts';
import { withApp } from '../../../support/factors.ts';
import { ask, newOAuthWorld } from '../../../support/oauth.ts';
import { newMember, newWorld, type Person } from '../../../support/world.ts';

const LIST = `query ($id: ID!, $filter: OrganizationMemberFilter) { organization(id: $id) {
  members(filter: $filter) { totalCount nodes { hasSecondFactor user { id } } } } }`;

/** Whether each member has a second factor, by the id of the person. */
async function factorsSeenBy(person: Person, id: string, filter = {}) {
  const { data } = await person.graph(LIST, { id, filter });
  const { nodes, totalCount } = data.organization.members;
  expect(totalCount).toBe(nodes.length);
  return Object.fromEntries(
    nodes.map((each: { hasSecondFactor: boolean | null; user: { id: string } }) => [
      each.user.id,
      each.hasSecondFactor,
    ]),
  );
}

async function setUp() {
  const world = await newWorld();
  const { db, organization } = world;
  const admin = await newMember(db, organization.id, 'ADMIN');
  const member = await newMember(db, organization.id, 'MEMBER');
  await withApp(db, member);
  return { ...world, admin, member };
}

describe('whether a member has a second factor', () => {
  it('is shown to owners and admins, who find members by it', async () => {
    const { owner, admin, member, organization } = await setUp();
    for (const person of [owner, admin]) {
      expect(await factorsSeenBy(person, organization.id)).toEqual({
        ...{ [owner.id]: false, [admin.id]: false, [member.id]: true },
      });
      const having = await factorsSeenBy(person, organization.id, { hasSecondFactor: true });
      expect(having).toEqual({ [member.id]: true });
      const without = await factorsSeenBy(person, organization.id, { hasSecondFactor: false });
      expect(Object.keys(without).sort()).toEqual([owner.id, admin.id].sort());
    }
  });

  it('is shown neither to members nor to guests, who find nobody by it', async () => {
    const { db, owner, admin, member, organization } = await setUp();
    const guest = await newMember(db, organization.id, 'GUEST');
    expect(await factorsSeenBy(member, organization.id)).toEqual({
      ...{ [owner.id]: null, [admin.id]: null, [member.id]: null, [guest.id]: null },
    });
    expect(await factorsSeenBy(guest, organization.id)).toEqual({ [guest.id]: null });
    for (const person of [member, guest])
      for (const hasSecondFactor of [true, false])
        expect(await factorsSeenBy(person, organization.id, { hasSecondFactor })).toEqual({});
  });

  it('is not shown to an application of an owner', async () => {
    const { owner, organization, user, confidential, redeem } = await newOAuthWorld();
    const { body } = await redeem(confidential, await user.code(ask(confidential)));
    const application = await owner.with(body.access_token);
    expect(await factorsSeenBy(application, organization.id)).toEqual({ [owner.id]: null });
    expect(await factorsSeenBy(application, organization.id, { hasSecondFactor: false })).toEqual({});
  });

  it('is looked up once for all members of a page', async () => {
    const { db, owner, organization } = await setUp();
    const first = await counted(() => factorsSeenBy(owner, organization.id));
    await newMember(db, organization.id, 'MEMBER');
    const second = await counted(() => factorsSeenBy(owner, organization.id));
    expect(Object.keys(second.result)).toHaveLength(4);
    expect(second.statements).toEqual(first.statements);
  });
});
