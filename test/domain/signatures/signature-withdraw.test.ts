import { describe, expect, it } from 'vitest';
import {
  purgeDocuments,
  recycleDocuments,
  restoreDocuments,
} from '../../../src/domain/documents/document-bin.ts';
import { deleteProjects, restoreProjects } from '../../../src/domain/projects/project-delete.ts';
import {
  stopSignatureSession,
  updateSignatureSession,
} from '../../../src/domain/signatures/signature-session-change.ts';
import { declineSignature, signDocument } from '../../../src/domain/signing/sign.ts';
import { openSigning } from '../../../src/domain/signing/signing-open.ts';
import { newSigningWorld } from '../../support/signatures.ts';
import { newMember } from '../../support/world.ts';

type Desk = Awaited<ReturnType<typeof newSigningWorld>>;
type Recipient = Awaited<ReturnType<Desk['signersOf']>>[0];

const at = ({ id, sessionId }: Recipient) => ({ recipientId: id, sessionId });

const filled = ({ fields }: Recipient) => fields.map(({ id }) => ({ fieldId: id, value: 'Ann' }));

/** A document to be signed by Ann and then by Bob; Ann may have an account. */
async function setUp(email?: string) {
  const world = await newSigningWorld();
  const signers = [
    { name: 'Ann', email },
    { name: 'Bob', rank: 2 },
  ];
  const started = await world.active(signers);
  const [ann, bob] = (await world.signersOf(started.sessionId)) as [Recipient, Recipient];
  const session = (id = started.sessionId) =>
    world.db.prisma.signatureSession.findUniqueOrThrow({ where: { id } });
  const refusal = (call: Promise<unknown>) =>
    call.then(
      () => 'done',
      ({ code }) => code,
    );
  return { ...world, ...started, ann, bob, session, refusal };
}

describe('recycling a document that is being signed', () => {
  it('stops the session in the same transaction, with a reason and an event', async () => {
    const { ctx, db, documentId, sessionId, session, organization } = await setUp();
    await recycleDocuments(ctx, { documentIds: [documentId] });
    expect(await session()).toMatchObject({
      state: 'STOPPED',
      stopReason: 'WITHDRAWN',
      stoppedAt: expect.any(Date),
      modifiedById: ctx.viewer.userId,
    });
    const events = await db.prisma.event.findMany({
      where: { organizationId: organization.id, subjectId: documentId },
      orderBy: { sequence: 'desc' },
      take: 2,
    });
    expect(events).toMatchObject([
      { kind: 'document.signingStopped', data: { sessionId, after: { stopReason: 'WITHDRAWN' } } },
      { kind: 'document.recycled' },
    ]);
  });

  it('informs the signer, by link and over REST, and allows neither signing nor declining', async () => {
    const { ctx, documentId, ann, through, anonymous, secretOf, refusal } = await setUp();
    await recycleDocuments(ctx, { documentIds: [documentId] });
    expect([
      await refusal(openSigning(through(ann), at(ann))),
      await refusal(signDocument(through(ann), { ...at(ann), values: filled(ann) })),
      await refusal(declineSignature(through(ann), at(ann))),
    ]).toEqual(['CONFLICT', 'CONFLICT', 'CONFLICT']);
    const path = `/documentSignatureSessions/${ann.sessionId}/signingRecipients/${ann.id}/fields`;
    for (const method of ['GET', 'PUT']) {
      const body = method === 'PUT' ? [] : undefined;
      const answer = await anonymous(method, `${path}?uniqueId=${secretOf(ann)}`, body);
      expect([answer.status, answer.body.message]).toEqual([
        409,
        'The sender withdrew the document: it can no longer be signed.',
      ]);
      expect(
        (await anonymous(method, `${path}?uniqueId=${secretOf({ ...ann, linkVersion: 9 })}`, body)).status,
      ).toBe(404);
    }
  });

  it('informs a signer with an account, and nobody else', async () => {
    const { ctx, db, organization, draft, signersOf, refusal } = await setUp();
    const member = await newMember(db, organization.id, 'GUEST');
    const other = await newMember(db, organization.id, 'MEMBER');
    const { documentId, sessionId } = await draft([{ name: 'Ann', email: member.email }]);
    await updateSignatureSession(ctx, { documentId, begin: true });
    const [mine] = (await signersOf(sessionId)) as [Recipient];
    await recycleDocuments(ctx, { documentIds: [documentId] });
    const open = async (person: typeof member) => refusal(openSigning(await person.context(), at(mine)));
    expect([await open(member), await open(other)]).toEqual(['CONFLICT', 'NOT_FOUND']);
  });

  it('keeps drafts and completed sessions, and a restored document can be signed again', async () => {
    const { ctx, db, documentId, ann, bob, through, draft, session, sessionId } = await setUp();
    const drafted = await draft([{ name: 'Ann' }]);
    await recycleDocuments(ctx, { documentIds: [drafted.documentId] });
    expect((await session(drafted.sessionId)).state).toBe('DRAFT');
    for (const each of [ann, bob]) await signDocument(through(each), { ...at(each), values: filled(each) });
    await recycleDocuments(ctx, { documentIds: [documentId] });
    expect(await session()).toMatchObject({ state: 'COMPLETED', stopReason: null });
    const second = await draft([{ name: 'Ann' }]);
    await updateSignatureSession(ctx, { documentId: second.documentId, begin: true });
    await recycleDocuments(ctx, { documentIds: [second.documentId] });
    await restoreDocuments(ctx, { documentIds: [second.documentId] });
    await updateSignatureSession(ctx, { documentId: second.documentId, reset: true, begin: true });
    const states = await db.prisma.signatureSession.findMany({ where: { documentId: second.documentId } });
    expect(states.map(({ state }) => state).sort()).toEqual(['ACTIVE', 'STOPPED']);
    expect(sessionId).not.toBe(second.sessionId);
  });

  it('and then purging it lets the link answer NOT_FOUND', async () => {
    const { ctx, documentId, ann, through, refusal } = await setUp();
    await recycleDocuments(ctx, { documentIds: [documentId] });
    await purgeDocuments(ctx, { documentIds: [documentId] });
    expect(await refusal(openSigning(through(ann), at(ann)))).toBe('NOT_FOUND');
  });
});

it('deleting a project stops its signature sessions, and restoring it does not restart them', async () => {
  const { ctx, organization, project, ann, through, session, kinds, documentId, refusal } = await setUp();
  const projects = { organizationId: organization.id, projectIds: [project.id] };
  await deleteProjects(ctx, projects);
  expect(await session()).toMatchObject({ state: 'STOPPED', stopReason: 'WITHDRAWN' });
  expect((await kinds(documentId)).at(-1)).toBe('document.signingStopped');
  expect(await refusal(openSigning(through(ann), at(ann)))).toBe('CONFLICT');
  await restoreProjects(ctx, projects);
  expect(await refusal(openSigning(through(ann), at(ann)))).toBe('CONFLICT');
});

it.runIf(process.env.TEST_DATABASE_URL)(
  'a signature concurrent with the deletion of its project precedes the end of the session, or is refused',
  async () => {
    for (let round = 0; round < 8; round++) {
      const { ctx, organization, project, ann, through, session, kinds, documentId, refusal } = await setUp();
      const [signed] = await Promise.all([
        refusal(signDocument(through(ann), { ...at(ann), values: filled(ann) })),
        deleteProjects(ctx, { organizationId: organization.id, projectIds: [project.id] }),
      ]);
      expect((await session()).state).toBe('STOPPED');
      const end =
        signed === 'done' ? ['document.signed', 'document.signingStopped'] : ['document.signingStopped'];
      expect((await kinds(documentId)).slice(-end.length)).toEqual(end);
    }
  },
);

it('a session has the person who ended it: its sender, or a signer', async () => {
  const one = await setUp();
  await stopSignatureSession(one.ctx, { documentId: one.documentId });
  const two = await setUp();
  await declineSignature(two.through(two.ann), at(two.ann));
  const three = await setUp();
  await updateSignatureSession(three.ctx, { documentId: three.documentId, reset: true });
  expect(await Promise.all([one.session(), two.session(), three.session()])).toMatchObject([
    { stopReason: 'SENDER' },
    { stopReason: 'DECLINED' },
    { stopReason: 'SENDER' },
  ]);
  const query = '{ signatureSession(id: "ID") { stopReason } }'.replace('ID', two.sessionId);
  expect((await two.owner.graph(query)).data.signatureSession).toEqual({ stopReason: 'DECLINED' });
});
