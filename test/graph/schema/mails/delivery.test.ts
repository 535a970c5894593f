import { describe, expect, it } from 'vitest';
import { inviteMembers } from '../../../../src/domain/membership/invitation-create.ts';
import { newWorld } from '../../../support/world.ts';

const DELIVERY = 'delivery { mailId state attempts nextAttemptAt endedAt mayHaveArrived answer }';

async function setUp() {
  const { db, owner, organization } = await newWorld();
  const members = [{ email: 'new@example.test', role: 'MEMBER' as const }];
  await inviteMembers(await owner.context(), { organizationId: organization.id, members });
  const mail = await db.prisma.mail.findFirstOrThrow({ where: { organizationId: organization.id } });
  const answer = '550 no such mailbox';
  const endedAt = new Date('2026-03-04T09:15:27.402Z');
  await db.prisma.mail.update({
    where: { id: mail.id },
    data: { state: 'REFUSED', attempts: 2, nextAt: null, endedAt, answer },
  });
  const delivery = { mailId: mail.id, state: 'REFUSED', attempts: 2, nextAttemptAt: null, answer };
  return {
    owner,
    organization,
    expected: { ...delivery, endedAt: endedAt.toISOString(), mayHaveArrived: false },
  };
}

describe('the delivery of a mail', () => {
  it('has all its fields in the list of the organization, by id, and of the invitation', async () => {
    const { owner, organization, expected } = await setUp();
    const list = `query ($id: ID!) { organization(id: $id) { mails { nodes { id ${DELIVERY} } } invitations { nodes { ${DELIVERY} } } } }`;
    const node = `query ($id: ID!) { node(id: $id) { ... on Mail { id ${DELIVERY} } } }`;
    // From the third time on, a statement has a name, and its rows come in binary.
    for (let time = 0; time < 4; time++) {
      const { data, errors } = await owner.graph(list, { id: organization.id });
      expect(errors).toBeUndefined();
      expect(data.organization.mails.nodes).toEqual([{ id: expected.mailId, delivery: expected }]);
      expect(data.organization.invitations.nodes).toEqual([{ delivery: expected }]);
      const answer = await owner.graph(node, { id: expected.mailId });
      expect([answer.errors, answer.data.node]).toEqual([
        undefined,
        { id: expected.mailId, delivery: expected },
      ]);
    }
  });
});
