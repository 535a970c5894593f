import type { Database } from '../../src/db/database.ts';
import type { StampingSite } from '../../src/domain/sealing/seal-stamp.ts';
import { sealSession } from '../../src/domain/sealing/sealing.ts';
import { addSignatureFields } from '../../src/domain/signatures/signature-field-change.ts';
import { ensureSignatureForm } from '../../src/domain/signatures/signature-form-change.ts';
import { updateSignatureSession } from '../../src/domain/signatures/signature-session-change.ts';
import { signDocument } from '../../src/domain/signing/sign.ts';
import { newSigningWorld } from './signatures.ts';
import { newDocuments } from './storage.ts';

/** A desk with documents that everyone has signed, and that wait for their seal. */
export async function newSealingDesk(on?: Database) {
  const desk = await newSigningWorld(on);
  const { db, ctx, project } = desk;
  // What other tests left to be sealed is nobody's any more, and would take its time.
  await db.prisma.signatureSession.updateMany({
    where: { sealing: 'PENDING' },
    data: { sealingNextAt: null },
  });

  const begin = async (names: string[], file: { name: string; content?: Uint8Array }) => {
    const [document] = await newDocuments(ctx, project.id, [file]);
    const documentId = document?.id as string;
    const { id: sessionId } = await updateSignatureSession(ctx, {
      documentId,
      recipients: names.map((name, index) => ({
        email: `s${index}@signers.test`,
        fullName: name,
        rank: index + 1,
      })),
    });
    const { id: formId } = await ensureSignatureForm(ctx, { documentId });
    const signers = await desk.signersOf(sessionId);
    await addSignatureFields(ctx, {
      formId,
      fields: signers.map(({ id }, index) => ({
        type: 'SIGNATURE' as const,
        pageIndex: 0,
        x: 10,
        y: 20 + 10 * index,
        recipientId: id,
      })),
    });
    await updateSignatureSession(ctx, { documentId, begin: true });
    return { documentId, sessionId };
  };

  const sign = async (sessionId: string) => {
    for (const { id, linkVersion, fullName, fields } of await desk.signersOf(sessionId))
      await signDocument(desk.through({ id, linkVersion }), {
        sessionId,
        recipientId: id,
        values: fields.map((field) => ({ fieldId: field.id, value: fullName })),
      });
  };

  return {
    ...desk,
    begin,
    sign,
    signed: async (
      names = ['Ann', 'Bea'],
      file: { name: string; content?: Uint8Array } = { name: 'deed.txt' },
    ) => {
      const begun = await begin(names, file);
      await sign(begun.sessionId);
      return begun;
    },
    seal: (sessionId: string, storage = ctx.storage, stamping: StampingSite = {}) =>
      sealSession({ db, storage, ...stamping }, sessionId),
    /** As if the time had come for the next attempt, or the lease of the last one were over. */
    timePasses: (sessionId: string) =>
      db.prisma.signatureSession.updateMany({
        where: { id: sessionId, sealing: 'PENDING' },
        data: { sealingNextAt: new Date(Date.now() - 1) },
      }),
    sessionOf: (id: string) => db.prisma.signatureSession.findUniqueOrThrow({ where: { id } }),
    revisionsOf: (documentId: string) =>
      db.prisma.revision.findMany({
        where: { documentId },
        orderBy: { number: 'asc' },
        include: { blob: true },
      }),
    bytesOf: async (key: string): Promise<Buffer> => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of await ctx.storage.store.read(key)) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
    objects: async (): Promise<Set<string>> => {
      const keys = new Set<string>();
      for await (const { key } of ctx.storage.store.list()) keys.add(key);
      return keys;
    },
  };
}
