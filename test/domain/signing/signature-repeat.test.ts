import { describe, expect, it } from 'vitest';
import {
  stopSignatureSession,
  updateSignatureSession,
} from '../../../src/domain/signatures/signature-session-change.ts';
import { signDocument } from '../../../src/domain/signing/sign.ts';
import { confirmUploads } from '../../../src/domain/uploads/upload-confirm.ts';
import { newSigningWorld } from '../../support/signatures.ts';
import { upload } from '../../support/storage.ts';

const ROUNDS = Number(process.env.RACE_ROUNDS ?? 3);
const server = process.env.TEST_DATABASE_URL !== undefined;

type World = Awaited<ReturnType<typeof newSigningWorld>>;

async function signer(world: World) {
  const { sessionId, documentId } = await world.active([{ name: 'Ann' }, { name: 'Bob', rank: 2 }]);
  const [ann] = await world.signersOf(sessionId);
  if (!ann) throw new Error('no signer');
  const input = (value: string) => ({
    ...{ sessionId, recipientId: ann.id },
    values: ann.fields.map(({ id: fieldId }) => ({ fieldId, value })),
  });
  const path = `/documentSignatureSessions/${sessionId}/signingRecipients/${ann.id}/fields?uniqueId=${world.secretOf(ann)}`;
  return { ann, documentId, sessionId, input, path };
}

const SIGNED_ALREADY =
  /^This signer signed already, at 20\d\d-\d\d-\d\dT[\d:.]+Z\. The values of this request were not used\.$/;

describe('a second signature on one link', () => {
  it('is told by both APIs when the first one was made, and that its values were not used', async () => {
    const world = await newSigningWorld();
    const { ann, documentId, input, path } = await signer(world);
    await signDocument(world.through(ann), input('first'));
    const before = await world.everything(documentId);
    const again = signDocument(world.through(ann), input('second'));
    await expect(again).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(SIGNED_ALREADY),
    });
    const body = ann.fields.map(({ id }) => ({ DocumentSignatureFormFieldID: id, Value: 'third' }));
    const answer = await world.anonymous('PUT', path, body);
    expect([answer.status, answer.body.message]).toEqual([409, expect.stringMatching(SIGNED_ALREADY)]);
    expect(await world.everything(documentId)).toEqual(before);
  });

  it.runIf(server)('at the same time is told too: the document has the values of one of them', async () => {
    const world = await newSigningWorld();
    for (let round = 0; round < ROUNDS; round++) {
      const { ann, sessionId, input } = await signer(world);
      const settled = await Promise.allSettled(
        ['one', 'two'].map((value) => signDocument(world.through(ann), input(value))),
      );
      const [lost] = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason.message] : []));
      expect(lost).toMatch(SIGNED_ALREADY);
      const winner = settled[0]?.status === 'fulfilled' ? 'one' : 'two';
      expect((await world.signersOf(sessionId))[0]?.fields[0]?.value).toBe(winner);
    }
  });
});

describe('a new revision', () => {
  const revise = async ({ ctx, project }: World, documentId: string) =>
    confirmUploads(ctx, {
      files: [{ uploadId: await upload(ctx, project.id, 'a later text'), name: 'contract.txt', documentId }],
    });

  const CONFIRM = `mutation ($input: ConfirmUploadsInput!) { confirmUploads(input: $input) { documents { revisionNumber } } }`;

  it('is refused with the reason while the document is being signed, and accepted once that was stopped', async () => {
    const world = await newSigningWorld();
    const { documentId } = await signer(world);
    const before = await world.everything(documentId);
    const uploadId = await upload(world.ctx, world.project.id, 'a later text');
    const input = { files: [{ uploadId, name: 'contract.txt', documentId }] };
    const refused = await world.owner.graph(CONFIRM, { input });
    expect(refused.errors).toMatchObject([
      {
        message: expect.stringContaining('is being signed, so it takes no new revision'),
        extensions: { code: 'CONFLICT', at: 'files.0.documentId' },
      },
    ]);
    expect(await world.everything(documentId)).toEqual(before);
    await stopSignatureSession(world.ctx, { documentId });
    const accepted = await world.owner.graph(CONFIRM, { input });
    expect(accepted.data.confirmUploads.documents).toEqual([{ revisionNumber: 2 }]);
  });

  it('is refused until the document that all have signed is sealed', async () => {
    const world = await newSigningWorld();
    const { sessionId, documentId } = await world.active([{ name: 'Ann' }]);
    const [ann] = await world.signersOf(sessionId);
    if (!ann) throw new Error('no signer');
    const values = ann.fields.map(({ id: fieldId }) => ({ fieldId, value: 'Ann' }));
    await signDocument(world.through(ann), { sessionId, recipientId: ann.id, values });
    await expect(revise(world, documentId)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('is being sealed'),
    });
    const where = { id: sessionId };
    await world.db.prisma.signatureSession.update({ where, data: { sealing: 'FAILED' } });
    expect(await revise(world, documentId)).toMatchObject([{ revisionNumber: 2 }]);
  });

  it.runIf(server)('at the moment when signing begins is what is signed, or refused', async () => {
    const world = await newSigningWorld();
    for (let round = 0; round < ROUNDS; round++) {
      const { documentId, sessionId } = await world.draft([{ name: 'Ann' }]);
      const begin = updateSignatureSession(world.ctx, { documentId, begin: true });
      const [begun, revised] = await Promise.allSettled([begin, revise(world, documentId)]);
      const { revisionId } = await world.db.prisma.signatureSession.findUniqueOrThrow({
        where: { id: sessionId },
      });
      const revisions = await world.db.prisma.revision.findMany({
        where: { documentId },
        orderBy: { number: 'desc' },
      });
      const codes = [begun, revised].map((each) => (each.status === 'rejected' ? each.reason.code : 'done'));
      expect(codes).toContain('done');
      if (begun.status === 'fulfilled') expect(revisionId).toBe(revisions[0]?.id);
      expect(revisions).toHaveLength(revised.status === 'fulfilled' ? 2 : 1);
      if (revised.status === 'rejected') expect(revised.reason.code).toBe('CONFLICT');
    }
  });
});
