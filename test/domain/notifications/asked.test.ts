import { beforeAll, describe, expect, it } from 'vitest';
import { approveApprovals, denyApprovals } from '../../../src/domain/approvals/approval-change.ts';
import { notifyNext } from '../../../src/domain/notifications/notify.ts';
import { declineSignature, signDocument } from '../../../src/domain/signing/sign.ts';
import { newApprovalWorld } from '../../support/approvals.ts';
import type { testDatabase } from '../../support/database.ts';
import { dropJobs } from '../../support/jobs.ts';
import { newSigningWorld } from '../../support/signatures.ts';
import { newMember, type Person } from '../../support/world.ts';

beforeAll(dropJobs);

/** Makes what is due, and lists the kinds and subjects of a person's notifications in order. */
async function notificationsOf({ db }: { db: Awaited<ReturnType<typeof testDatabase>> }, { id }: Person) {
  while (await notifyNext(db));
  const rows = await db.prisma.notification.findMany({
    where: { userId: id },
    orderBy: { eventId: 'asc' },
  });
  return rows.map(({ kind, subjectId }) => [kind, subjectId]);
}

describe('notifications of approvals', () => {
  it('go to the approvers whose turn it is, and to the requester for each answer', async () => {
    const world = await newApprovalWorld();
    const { owner, ann, bob, cyd } = world;
    const itemId = await world.document();
    await world.start(await world.process({ approvers: [ann] }, { approvers: [bob] }), itemId);
    expect(await notificationsOf(world, ann)).toEqual([['APPROVAL_REQUESTED', itemId]]);
    expect(await notificationsOf(world, bob)).toEqual([]);
    const [approval] = await world.approvals(itemId);
    await approveApprovals(await ann.context(), { ids: [approval?.id as string] });
    expect(await notificationsOf(world, bob)).toEqual([['APPROVAL_REQUESTED', itemId]]);
    expect(await notificationsOf(world, owner)).toEqual([['APPROVAL_DECIDED', itemId]]);
    expect(await notificationsOf(world, ann)).toHaveLength(1);
    expect(await notificationsOf(world, cyd)).toEqual([]);
  });
});

describe('notifications of steps of an equal rank', () => {
  it('go to the approvers of each of them, not to those of the next rank', async () => {
    const world = await newApprovalWorld();
    const { ann, bob, cyd } = world;
    const itemId = await world.document();
    const together = await world.process(
      { rank: 0, approvers: [ann] },
      { rank: 0, approvers: [bob] },
      { rank: 1, approvers: [cyd] },
    );
    await world.start(together, itemId);
    expect(await notificationsOf(world, ann)).toEqual([['APPROVAL_REQUESTED', itemId]]);
    expect(await notificationsOf(world, bob)).toEqual([['APPROVAL_REQUESTED', itemId]]);
    expect(await notificationsOf(world, cyd)).toEqual([]);
  });

  it('go to nobody whose approval was withdrawn before', async () => {
    const world = await newApprovalWorld();
    const { ann, bob } = world;
    const itemId = await world.document();
    const together = await world.process({ rank: 0, approvers: [ann] }, { rank: 0, approvers: [bob] });
    await world.start(together, itemId);
    await denyApprovals(await ann.context(), { ids: [itemId] });
    expect(await notificationsOf(world, bob)).toEqual([]);
  });
});

describe('notifications of signatures', () => {
  it('go to the signers with an account, and to the sender when each has signed and all have', async () => {
    const world = await newSigningWorld();
    const member = await newMember(world.db, world.organization.id, 'MEMBER');
    const { documentId, sessionId } = await world.active([{ name: 'Member', email: member.email }]);
    expect(await notificationsOf(world, member)).toEqual([['SIGNATURE_REQUESTED', documentId]]);
    const [signer] = await world.signersOf(sessionId);
    const values = signer?.fields.map(({ id: fieldId }) => ({ fieldId, value: 'Signed' })) ?? [];
    await signDocument(await member.context(), { sessionId, recipientId: signer?.id as string, values });
    expect(await notificationsOf(world, world.owner)).toEqual([
      ['SIGNING_PROGRESSED', documentId],
      ['SIGNING_PROGRESSED', documentId],
    ]);
    expect(await notificationsOf(world, member)).toHaveLength(1);
  });

  it('go to the sender of a refusal with its reason, which the sender alone reads', async () => {
    const world = await newSigningWorld();
    const { sessionId } = await world.active([{ name: 'Ann' }]);
    const [ann] = await world.signersOf(sessionId);
    if (!ann) throw new Error('no signer');
    await declineSignature(world.through(ann), { sessionId, recipientId: ann.id, reason: 'Clause 4' });
    while (await notifyNext(world.db));
    const query =
      '{ viewer { notifications { nodes { kind event { kind } subject { ... on Document { signatureSession { recipients { nodes { declinedReason } } } } } } } } }';
    const { data } = await world.owner.graph(query);
    expect(data.viewer.notifications.nodes).toContainEqual({
      kind: 'SIGNING_PROGRESSED',
      event: { kind: 'document.signatureDeclined' },
      subject: { signatureSession: { recipients: { nodes: [{ declinedReason: 'Clause 4' }] } } },
    });
    const { data: others } = await world.stranger.graph(query);
    expect(others.viewer.notifications.nodes).toEqual([]);
  });
});
