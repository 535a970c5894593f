import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { purgeDocuments, recycleDocuments } from '../../../src/domain/documents/document-bin.ts';
import type { Context } from '../../../src/domain/kernel/context.ts';
import { sweep } from '../../../src/domain/maintenance/sweep.ts';
import { writeEvidenceOf } from '../../../src/domain/sealing/evidence.ts';
import { checkEvidence } from '../../../src/domain/sealing/evidence-check.ts';
import { updateSignatureSession } from '../../../src/domain/signatures/signature-session-change.ts';
import { readPdfText } from '../../../src/files/content/pdf/pdf-text.ts';
import { bytesSource } from '../../../src/files/store/byte-source.ts';
import { selfSigned } from '../../../src/pdf/seal/self-signed.ts';
import { encryptedPdf, pages, pdf } from '../../files/content/pdf-source.ts';
import { printedOtherwise } from '../../pdf/copy/forms.ts';
import { hasPoppler, poppler } from '../../pdf/seal/job.ts';
import { unsigned, withSignature } from '../../pdf/seal/signed-pdf.ts';
import { dropJobs } from '../../support/jobs.ts';
import { newSealingDesk } from '../../support/sealing.ts';
import { newDocuments } from '../../support/storage.ts';
import { testApp } from '../../support/world.ts';

beforeAll(dropJobs);

const sample = (name: string): Buffer => readFileSync(new URL(`../../pdf/copy/${name}`, import.meta.url));
const hex = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

type Desk = Awaited<ReturnType<typeof newSealingDesk>>;

/** The digest of the copy of a session, and its bytes. */
async function copyOf(world: Desk, sessionId: string) {
  const { copyBlobId, copySha256 } = await world.sessionOf(sessionId);
  const bytes = await world.bytesOf(copyBlobId as string);
  return { bytes, copyBlobId, digest: Buffer.from(copySha256 as Uint8Array).toString('hex') };
}

describe('a PDF whose signing begins', () => {
  it.each([
    ['object-defined-twice.pdf', ['The price is 100 EUR'], '900'],
    ['need-appearances.pdf', ['RentIs1250', 'NewValue77'], 'NeedAppearances'],
  ])('is shown, downloaded, signed and sealed by one copy: %s', async (name, shown, never) => {
    const world = await newSealingDesk();
    const { documentId, sessionId } = await world.begin(['Ann'], { name, content: sample(name) });
    const { bytes, digest } = await copyOf(world, sessionId);
    expect(hex(bytes)).toBe(digest);
    const [signer] = (await world.signersOf(sessionId)) as [Awaited<ReturnType<Desk['signersOf']>>[number]];
    const link = `/sign/${signer.id}/${world.secretOf(signer)}`;
    const app = await testApp(world.db);
    expect(await (await app.request(link)).text()).toContain(digest);
    const picture = await app.request(`${link}/pages/1`);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp']);
    const download = (await app.request(`${link}/copy`)).headers.get('location') as string;
    const downloaded = await app.request(download.replace(/^https?:\/\/[^/]+/, ''));
    expect(hex(new Uint8Array(await downloaded.arrayBuffer()))).toBe(digest);
    await world.sign(sessionId);
    await world.seal(sessionId);
    const [, revision] = await world.revisionsOf(documentId);
    const sealed = await world.bytesOf(revision?.blobId as string);
    expect(sealed.includes(`/${never}`)).toBe(false);
    const evidence = (await writeEvidenceOf(world.ctx, documentId)) as string;
    expect(JSON.parse(evidence)).toMatchObject({ sessions: [{ copySha256: digest }] });
    expect((await checkEvidence(evidence, sealed)).errors).toEqual([]);
    if (!hasPoppler) return;
    const text = await poppler('pdftotext', sealed);
    for (const each of [...shown, digest.slice(0, 32)]) expect(text.replace(/\s+/g, ' ')).toContain(each);
    expect(text).not.toContain(`is ${never}`);
    expect(await poppler('pdfsig', sealed)).toContain('Signature is Valid');
  });

  it('names the copy in the event, and the sweep keeps it as long as the document', async () => {
    const world = await newSealingDesk();
    const { documentId, sessionId } = await world.begin(['Ann'], { name: 'a.pdf', content: pdf(pages(2)) });
    const { digest, copyBlobId } = await copyOf(world, sessionId);
    const began = await world.db.prisma.event.findFirstOrThrow({
      where: { subjectId: documentId, kind: 'document.signingBegan' },
    });
    expect(began.data).toMatchObject({ sessionId, copy: { sha256: digest } });
    expect(await world.db.prisma.upload.count({ where: { blobId: copyBlobId as string } })).toBe(0);
    await sweep(world.db, world.ctx.storage.store);
    expect((await world.objects()).has(copyBlobId as string)).toBe(true);
    await recycleDocuments(world.ctx, { documentIds: [documentId] });
    await purgeDocuments(world.ctx, { documentIds: [documentId] });
    await sweep(world.db, world.ctx.storage.store);
    expect((await world.objects()).has(copyBlobId as string)).toBe(false);
  });

  it.each([
    ['locked', encryptedPdf(1, 'user'), 'locked with a password'],
    ['of XFA', pdf(['<</Type/Catalog/Pages 2 0 R/AcroForm<</XFA(<xdp/>)>>>>', ...pages(1).slice(1)]), 'XFA'],
  ])('is refused with the reason, before anyone is asked: %s', async (_, content, reason) => {
    const world = await newSealingDesk();
    const { documentId, sessionId } = await world.draft(
      [{ name: 'Ann' }],
      {},
      await world.document('a.pdf', content),
    );
    const before = await world.everything(documentId);
    await expect(updateSignatureSession(world.ctx, { documentId, begin: true })).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      message: expect.stringContaining(reason),
    });
    expect(await world.everything(documentId)).toEqual(before);
    expect(await world.db.prisma.mail.count({ where: { subjectId: sessionId } })).toBe(0);
  });

  it('is copied once for requests that come at the same time, of which one begins', async () => {
    const world = await newSealingDesk();
    const documentId = await world.document('a.pdf', pdf(pages(1)));
    await world.draft([{ name: 'Ann' }], {}, documentId);
    const reservations = () => world.db.prisma.upload.count({ where: { projectId: world.project.id } });
    const [before, reserved] = [await world.objects(), await reservations()];
    const results = await Promise.allSettled(
      [1, 2, 3].map(() => updateSignatureSession(world.ctx, { documentId, begin: true })),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect((await world.objects()).size).toBe(before.size + 1);
    expect(await reservations()).toBe(reserved);
  });

  it('gets the copy of the revision on which it begins, where one is added meanwhile', async () => {
    const world = await newSealingDesk();
    const documentId = await world.document('a.pdf', pdf(pages(1)));
    const { sessionId } = await world.draft([{ name: 'Ann' }], {}, documentId);
    const { store } = world.ctx.storage;
    let revised = false;
    const read: typeof store.read = async (...args) => {
      if (!revised) {
        revised = true;
        const content = sample('object-defined-twice.pdf');
        await newDocuments(world.ctx, world.project.id, [{ name: 'b.pdf', documentId, content }]);
      }
      return store.read(...args);
    };
    const ctx: Context = { ...world.ctx, storage: { ...world.ctx.storage, store: { ...store, read } } };
    await updateSignatureSession(ctx, { documentId, begin: true });
    const [, second] = await world.revisionsOf(documentId);
    expect((await world.sessionOf(sessionId)).revisionId).toBe(second?.id);
    if (hasPoppler)
      expect(await poppler('pdftotext', (await copyOf(world, sessionId)).bytes)).toContain('100 EUR');
  });
});

describe('a PDF with a digital signature', () => {
  it('is attached to the sealed file as it was uploaded, and the event says whose the signature was', async () => {
    const world = await newSealingDesk();
    const content = await withSignature(unsigned(), await selfSigned('Bob'), { reason: 'I agree' });
    const { documentId, sessionId } = await world.begin(['Ann'], { name: 'a.pdf', content });
    await world.sign(sessionId);
    await world.seal(sessionId);
    const [, revision] = await world.revisionsOf(documentId);
    const sealed = await world.bytesOf(revision?.blobId as string);
    const event = await world.db.prisma.event.findFirstOrThrow({
      where: { subjectId: documentId, kind: 'document.sealed' },
    });
    expect(event.data).toMatchObject({
      earlierSignatures: [{ state: 'VALID', signer: 'Bob', reason: 'I agree' }],
    });
    if (!hasPoppler) return;
    expect((await poppler('pdftotext', sealed)).replace(/\s+/g, ' ')).toContain(
      'Earlier digital signatures: 1',
    );
    expect(await poppler('pdfdetach', sealed, '-list')).toContain('signed-original.pdf');
    expect(await poppler('pdfsig', sealed)).toContain('Signature is Valid');
  });
});

describe('a session that began before there were copies', () => {
  it('is sealed by one that is written then', async () => {
    const world = await newSealingDesk();
    const name = 'object-defined-twice.pdf';
    const { documentId, sessionId } = await world.begin(['Ann'], { name, content: sample(name) });
    await world.db.prisma.signatureSession.update({
      where: { id: sessionId },
      data: { copyBlobId: null, copySha256: null },
    });
    await world.sign(sessionId);
    await world.seal(sessionId);
    const [, sealed] = await world.revisionsOf(documentId);
    const bytes = await world.bytesOf(sealed?.blobId as string);
    expect((await readPdfText(bytesSource(bytes))).pages[0]).toContain('The price is 100 EUR');
    if (hasPoppler) expect(await poppler('pdftotext', bytes)).toContain('100 EUR');
  });
});

describe('a file that would not show what was signed', () => {
  it('is not sealed, and the signers and the sender are told', async () => {
    const world = await newSealingDesk();
    const content = printedOtherwise(300);
    const { documentId, sessionId } = await world.begin(['Ann'], { name: 'a.pdf', content });
    const [original] = await world.revisionsOf(documentId);
    // As if the copy had been the file as it is, which shows something else in print.
    await world.db.prisma.signatureSession.update({
      where: { id: sessionId },
      data: { copyBlobId: original?.blobId },
    });
    await world.sign(sessionId);
    const before = await world.objects();
    await world.seal(sessionId);
    expect(await world.sessionOf(sessionId)).toMatchObject({
      sealing: 'FAILED',
      sealingError: expect.stringContaining('Page 1 of the sealed file would not show what was signed'),
    });
    expect([await world.objects(), (await world.revisionsOf(documentId)).length]).toEqual([before, 1]);
    const failed = await world.db.prisma.event.findFirstOrThrow({
      where: { subjectId: documentId, kind: 'document.sealingFailed' },
    });
    expect(failed.data).toMatchObject({ code: 'NOT_SEALABLE', final: true });
    const mails = await world.db.prisma.mail.findMany({
      where: { subjectId: sessionId, kind: 'SIGNATURE_NOT_SEALED' },
    });
    expect(mails.map(({ toEmail }) => toEmail).sort()).toEqual(['s0@signers.test', world.owner.email].sort());
  });
});
