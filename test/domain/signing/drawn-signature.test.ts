import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { addSignatureFields } from '../../../src/domain/signatures/signature-field-change.ts';
import { ensureSignatureForm } from '../../../src/domain/signatures/signature-form-change.ts';
import { updateSignatureSession } from '../../../src/domain/signatures/signature-session-change.ts';
import { signDocument } from '../../../src/domain/signing/sign.ts';
import { nodeSuite } from '../../../src/verify/node-suite.ts';
import { checkSeal } from '../../../src/verify/seal.js';
import { brokenPng, pages, pdf } from '../../files/content/pdf-source.ts';
import { widePng } from '../../files/content/picture-source.ts';
import { dropJobs, runJobs } from '../../support/jobs.ts';
import { newSealingDesk } from '../../support/sealing.ts';
import { newDocuments } from '../../support/storage.ts';

beforeAll(dropJobs);

const dataUrl = (bytes: Uint8Array, type = 'png') =>
  `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`;

/** A PDF for one signer with `count` signature fields. */
async function begun(fields: number) {
  const world = await newSealingDesk();
  const [document] = await newDocuments(world.ctx, world.project.id, [
    { name: 'deed.pdf', content: pdf(pages(1)) },
  ]);
  const documentId = document?.id as string;
  const recipients = [{ email: 'a@signers.test', fullName: 'Ann' }];
  const { id: sessionId } = await updateSignatureSession(world.ctx, { documentId, recipients });
  const { id: formId } = await ensureSignatureForm(world.ctx, { documentId });
  const [recipient] = await world.signersOf(sessionId);
  const recipientId = recipient?.id as string;
  await addSignatureFields(world.ctx, {
    formId,
    fields: Array.from({ length: fields }, (_, index) => ({
      type: index % 2 === 0 ? ('SIGNATURE' as const) : ('INITIALS' as const),
      pageIndex: 0,
      x: 3 * (index % 30),
      y: 3 * (index % 30),
      recipientId,
    })),
  });
  await updateSignatureSession(world.ctx, { documentId, begin: true });
  const [signer] = await world.signersOf(sessionId);
  if (!signer) throw new Error('nobody signs');
  const sign = (value: (index: number) => string) =>
    signDocument(world.through(signer), {
      sessionId,
      recipientId,
      values: signer.fields.map((field, index) => ({ fieldId: field.id, value: value(index) })),
    });
  const values = async () =>
    (await world.db.prisma.signatureField.findMany({ where: { recipientId }, orderBy: { rank: 'asc' } })).map(
      ({ value }) => value ?? '',
    );
  return { ...world, documentId, sessionId, sign, values };
}

const sizeOf = async (url: string) => {
  const { width, height, format } = await sharp(
    Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'),
  ).metadata();
  return { width, height, format };
};

/** Values where no two drawings are equal. */
const distinct = (index: number) => Buffer.concat([widePng(4_000), Buffer.from([index])]);

describe('drawn signatures of the largest size', () => {
  it('are scaled down for storage and sealed, 25 of them', async () => {
    const { sign, values, sessionId, sessionOf, seal, revisionsOf, documentId, bytesOf } = await begun(25);
    await sign((index) => dataUrl(distinct(index)));
    for (const value of await values())
      expect(await sizeOf(value)).toEqual({ width: 1_600, height: 1_600, format: 'png' });
    await seal(sessionId);
    expect(await sessionOf(sessionId)).toMatchObject({ sealing: 'SEALED', sealingError: null });
    const [, sealed] = await revisionsOf(documentId);
    const bytes = await bytesOf(sealed?.blobId as string);
    await checkSeal(nodeSuite, bytes);
    expect(bytes.length).toBeLessThan(2 * 2 ** 20);
  }, 120_000);

  it('are sealed also if an earlier release stored them unscaled', async () => {
    const { db, sign, sessionId, sessionOf, seal } = await begun(25);
    await sign(() => 'Ann');
    const fields = await db.prisma.signatureField.findMany({ where: { recipient: { sessionId } } });
    for (const [index, { id }] of fields.entries())
      await db.prisma.signatureField.update({ where: { id }, data: { value: dataUrl(distinct(index)) } });
    await seal(sessionId);
    expect(await sessionOf(sessionId)).toMatchObject({ sealing: 'SEALED', sealingError: null });
  }, 120_000);

  it('are rejected above 25', async () => {
    const { sign } = await begun(26);
    await expect(sign((index) => dataUrl(distinct(index)))).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      message: 'values: the drawings have too many pixels together',
    });
  });

  it('count once if they are identical', async () => {
    const { sign, values } = await begun(26);
    await sign(() => dataUrl(widePng(4_000)));
    expect(new Set(await values()).size).toBe(1);
  });
});

describe('a drawn signature', () => {
  it('of a usual size is stored unchanged', async () => {
    const { sign, values } = await begun(1);
    const value = dataUrl(await sharp(widePng(600)).jpeg().toBuffer(), 'jpeg');
    await sign(() => value);
    expect(await values()).toEqual([value]);
  });

  it.each([
    ['is only a header', brokenPng],
    ['ends too early', widePng(900).subarray(0, 60)],
    ['is garbage after its header', Buffer.concat([widePng(900).subarray(0, 41), Buffer.alloc(500, 7)])],
  ])('that %s is rejected, and the signer can sign with another one', async (_, bytes) => {
    const { sign, sessionId, sessionOf } = await begun(2);
    const refused = sign((index) => (index === 1 ? dataUrl(bytes) : 'Ann'));
    await expect(refused).rejects.toMatchObject({ code: 'BAD_USER_INPUT', at: 'values.1.value' });
    await sign(() => 'Ann');
    await runJobs();
    expect(await sessionOf(sessionId)).toMatchObject({ sealing: 'SEALED' });
  });

  it('in a text field is stored as text', async () => {
    const { db, ctx, project, through, signersOf } = await newSealingDesk();
    const [document] = await newDocuments(ctx, project.id, [{ name: 'deed.txt' }]);
    const documentId = document?.id as string;
    const recipients = [{ email: 'a@signers.test', fullName: 'Ann' }];
    const { id: sessionId } = await updateSignatureSession(ctx, { documentId, recipients });
    const { id: formId } = await ensureSignatureForm(ctx, { documentId });
    const [recipient] = await signersOf(sessionId);
    const recipientId = recipient?.id as string;
    const field = { type: 'TEXT' as const, pageIndex: 0, x: 1, y: 1, recipientId };
    await addSignatureFields(ctx, { formId, fields: [field] });
    await updateSignatureSession(ctx, { documentId, begin: true });
    const [signer] = await signersOf(sessionId);
    if (!signer) throw new Error('nobody signs');
    const [{ id: fieldId } = { id: '' }] = signer.fields;
    const value = dataUrl(brokenPng);
    await signDocument(through(signer), { sessionId, recipientId, values: [{ fieldId, value }] });
    expect((await db.prisma.signatureField.findUniqueOrThrow({ where: { id: fieldId } })).value).toBe(value);
  });
});

describe('a signature that shows nothing', () => {
  const blank = (background: { r: number; g: number; b: number; alpha: number }) =>
    sharp({ create: { width: 200, height: 80, channels: 4, background } })
      .png()
      .toBuffer();

  it.each([
    ['a transparent drawing', async () => dataUrl(await blank({ r: 0, g: 0, b: 0, alpha: 0 }))],
    ['a white drawing', async () => dataUrl(await blank({ r: 255, g: 255, b: 255, alpha: 1 }))],
  ])('is refused: %s', async (_, drawing) => {
    const { sign, values } = await begun(1);
    const value = await drawing();
    await expect(sign(() => value)).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      message: 'values.0.value: shows nothing on white paper',
    });
    expect(await values()).toEqual(['']);
  });

  it.each(['\u200b', '\u2800', '\u3164', '\u0301'])('is refused as text: %j', async (value) => {
    const { sign, values } = await begun(1);
    await expect(sign(() => value)).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      message: 'values.0.value: has no visible character',
    });
    expect(await values()).toEqual(['']);
  });
});

it('a typed signature that no font can draw is refused with the character', async () => {
  const { sign } = await begun(1);
  await expect(sign(() => 'Ann 𓀀')).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
    message: 'values.0.value: has a character that cannot be drawn: 𓀀 (U+13000)',
  });
});
