import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { purgeDocuments, recycleDocuments } from '../../../src/domain/documents/document-bin.ts';
import type { Storage } from '../../../src/domain/kernel/context.ts';
import { sweep } from '../../../src/domain/maintenance/sweep.ts';
import { MAX_ATTEMPTS } from '../../../src/domain/sealing/sealing-state.ts';
import { retrySealing } from '../../../src/domain/signatures/sealing-retry.ts';
import { ChildFailed } from '../../../src/files/child/child-pool.ts';
import { Busy } from '../../../src/lib/fair-slots.ts';
import { SealUnusable } from '../../../src/pdf/seal/certificate.ts';
import { checkSeal } from '../../../src/pdf/seal/check-seal.ts';
import { brokenPng, pages, pdf } from '../../files/content/pdf-source.ts';
import { hasPoppler, poppler } from '../../pdf/seal/job.ts';
import { testDatabase } from '../../support/database.ts';
import { dropJobs, runJobs } from '../../support/jobs.ts';
import { newSealingDesk } from '../../support/sealing.ts';
import { newDocuments } from '../../support/storage.ts';

beforeAll(dropJobs);

beforeAll(testDatabase);

const pdfFile = { name: 'deed.pdf', content: pdf(pages(2)) };

/** A store of which one operation never ends, before or after it is done: as when the server is killed there. */
const dyingIn = (
  storage: Storage,
  operation: 'read' | 'append' | 'finish' | 'sealer',
  after: boolean,
): Storage => {
  const dead = () => new Promise<never>(() => {});
  if (operation === 'sealer') return { ...storage, sealer: dead };
  const original = storage.store[operation] as (...given: unknown[]) => Promise<unknown>;
  const dying = async (...given: unknown[]) => {
    if (after) await original(...given);
    return dead();
  };
  return { ...storage, store: { ...storage.store, [operation]: dying } };
};

describe('sealing', () => {
  it('reports what it removed from the PDF, also in the chain of events', async () => {
    const desk = await newSealingDesk();
    const [catalog = '', ...others] = pages(1);
    const script = catalog.replace('>>', '/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>>>');
    const file = { name: 'deed.pdf', content: pdf([script, ...others]) };
    const { documentId, sessionId } = await desk.signed(['Ann'], file);
    await desk.seal(sessionId);
    expect((await desk.sessionOf(sessionId)).sealRemoved).toEqual(['JAVASCRIPT']);
    const event = await desk.db.prisma.event.findFirstOrThrow({
      where: { subjectId: documentId, kind: 'document.sealed' },
    });
    expect(event.data).toMatchObject({ removed: ['JAVASCRIPT'] });
  });

  it('follows the last signature automatically', async () => {
    const desk = await newSealingDesk();
    const { documentId, sessionId } = await desk.signed(['Ann', 'Żółć'], pdfFile);
    expect(await desk.sessionOf(sessionId)).toMatchObject({ sealing: 'PENDING', sealedAt: null });
    await runJobs();
    const session = await desk.sessionOf(sessionId);
    const [signed, sealed] = await desk.revisionsOf(documentId);
    expect(session).toMatchObject({ sealing: 'SEALED', sealingAttempts: 1, sealingError: null });
    expect(session.sealRevisionId).toBe(sealed?.id);
    expect(sealed).toMatchObject({
      number: 2,
      name: 'deed.pdf',
      contentType: 'application/pdf',
      pageCount: 3,
    });
    const document = await desk.db.prisma.document.findUniqueOrThrow({ where: { id: documentId } });
    expect(document).toMatchObject({ revisionNumber: 2, origin: 'SEAL', pageCount: 3, size: sealed?.size });
    expect(document.signedAt).toEqual(session.completedAt);
    const bytes = await desk.bytesOf(sealed?.blobId as string);
    expect(
      createHash('sha256')
        .update(bytes)
        .digest()
        .equals(sealed?.blob.sha256 as Uint8Array),
    ).toBe(true);
    expect(checkSeal(bytes).reason).toContain(sessionId);
    expect((await desk.kinds(documentId)).slice(-2)).toEqual([
      'document.signingCompleted',
      'document.sealed',
    ]);
    if (!hasPoppler) return;
    expect(await poppler('pdfsig', bytes)).toMatch(/Total document signed[\s\S]*Signature is Valid/);
    const text = await poppler('pdftotext', bytes, '-layout');
    const sha256 = Buffer.from(signed?.blob.sha256 as Uint8Array).toString('hex');
    for (const said of ['Ann', 'Żółć', 's0@signers.test', '192.0.2.7', sha256, sessionId, 'Harbor'])
      expect(text).toContain(said);
  });

  it('happens once, however often it is requested', async () => {
    const desk = await newSealingDesk();
    const { documentId, sessionId } = await desk.signed();
    await Promise.all([desk.seal(sessionId), desk.seal(sessionId), desk.seal(sessionId)]);
    await desk.seal(sessionId);
    expect(await desk.revisionsOf(documentId)).toHaveLength(2);
  });

  it.runIf(process.env.TEST_DATABASE_URL)('happens once when twenty processes are at it', async () => {
    const desk = await newSealingDesk();
    const { documentId, sessionId } = await desk.signed();
    await Promise.all(Array.from({ length: 20 }, () => desk.seal(sessionId)));
    expect(await desk.revisionsOf(documentId)).toHaveLength(2);
    expect(await desk.sessionOf(sessionId)).toMatchObject({ sealing: 'SEALED', sealingAttempts: 1 });
  });

  it.each([
    ['before it has a certificate', 'sealer', false],
    ['while it reads', 'read', false],
    ['before it writes', 'append', false],
    ['when it has written', 'append', true],
    ['before the blob is finished', 'finish', false],
    ['when the blob is finished', 'finish', true],
  ] as const)('is done by the next attempt if the server is killed %s', async (_, operation, after) => {
    const desk = await newSealingDesk();
    const { documentId, sessionId } = await desk.signed();
    const known = await desk.objects();
    void desk.seal(sessionId, dyingIn(desk.ctx.storage, operation, after));
    const reached = async () =>
      after
        ? (await desk.objects()).size > known.size
        : (await desk.sessionOf(sessionId)).sealingAttempts > 0;
    while (!(await reached())) await new Promise((resolve) => setTimeout(resolve, 20));
    await desk.seal(sessionId);
    expect(await desk.revisionsOf(documentId)).toHaveLength(1);
    await desk.timePasses(sessionId);
    await desk.seal(sessionId);
    const [, sealed, ...more] = await desk.revisionsOf(documentId);
    expect(more).toEqual([]);
    expect(await desk.sessionOf(sessionId)).toMatchObject({ sealing: 'SEALED', sealingAttempts: 2 });
    checkSeal(await desk.bytesOf(sealed?.blobId as string));
    await sweep(desk.db, desk.ctx.storage.store);
    const left = [...(await desk.objects())].filter((key) => !known.has(key));
    expect(left).toEqual([sealed?.blobId]);
  });

  it('protects the blob of a running attempt from the sweep', async () => {
    const desk = await newSealingDesk();
    const { sessionId } = await desk.signed();
    void desk.seal(sessionId, dyingIn(desk.ctx.storage, 'finish', true));
    const written = async () =>
      (
        await desk.ctx.storage.store.stat(
          (await desk.sessionOf(sessionId)).sealingBlobId ?? 'blb_00000000000000000000000000',
        )
      )?.finished;
    while (!(await written())) await new Promise((resolve) => setTimeout(resolve, 20));
    await sweep(desk.db, desk.ctx.storage.store);
    expect(await written()).toBe(true);
  });

  it('adds no revision if another attempt has taken over', async () => {
    const desk = await newSealingDesk();
    const { documentId, sessionId } = await desk.signed();
    const { storage } = desk.ctx;
    const known = await desk.objects();
    const sealer = async () => {
      await desk.timePasses(sessionId);
      await desk.seal(sessionId);
      return storage.sealer();
    };
    await desk.seal(sessionId, { ...storage, sealer });
    expect(await desk.revisionsOf(documentId)).toHaveLength(2);
    expect((await desk.objects()).size).toBe(known.size + 1);
  });
});

describe('a session that is due', () => {
  it('is sealed without a wake-up signal', async () => {
    const desk = await newSealingDesk();
    const { sessionId } = await desk.signed();
    await desk.db.prisma.signatureSession.update({ where: { id: sessionId }, data: { sealingNextAt: null } });
    await runJobs();
    expect(await desk.sessionOf(sessionId)).toMatchObject({ sealing: 'PENDING' });
    await desk.timePasses(sessionId);
    await runJobs();
    expect(await desk.sessionOf(sessionId)).toMatchObject({ sealing: 'SEALED' });
  });
});

describe('a document that changes before it is sealed', () => {
  it('gets the sealed file of the signed revision after the revisions added meanwhile', async () => {
    const desk = await newSealingDesk();
    const { documentId, sessionId } = await desk.signed(['Ann'], pdfFile);
    await newDocuments(desk.ctx, desk.project.id, [
      { name: 'deed-b.pdf', content: pdf(pages(7)), documentId },
    ]);
    await desk.seal(sessionId);
    const [, later, sealed] = await desk.revisionsOf(documentId);
    expect([later?.pageCount, sealed?.number, sealed?.pageCount]).toEqual([7, 3, 3]);
  });

  it('is sealed in the recycle bin too, and stays there', async () => {
    const desk = await newSealingDesk();
    const { documentId, sessionId } = await desk.signed();
    await recycleDocuments(desk.ctx, { documentIds: [documentId] });
    await desk.seal(sessionId);
    const document = await desk.db.prisma.document.findUniqueOrThrow({ where: { id: documentId } });
    expect(document).toMatchObject({ state: 'RECYCLED', revisionNumber: 2 });
    await purgeDocuments(desk.ctx, { documentIds: [documentId] });
    expect(await desk.revisionsOf(documentId)).toEqual([]);
  });

  it('leaves no blob if it is purged before or during the attempt', async () => {
    const desk = await newSealingDesk();
    const { storage } = desk.ctx;
    const [gone, going] = [await desk.signed(), await desk.signed()];
    const purge = async ({ documentId }: { documentId: string }) => {
      await recycleDocuments(desk.ctx, { documentIds: [documentId] });
      await purgeDocuments(desk.ctx, { documentIds: [documentId] });
    };
    await purge(gone);
    await desk.seal(gone.sessionId);
    const known = await desk.objects();
    const sealer = async () => {
      await purge(going);
      return storage.sealer();
    };
    await desk.seal(going.sessionId, { ...storage, sealer });
    expect(await desk.objects()).toEqual(known);
  });
});

describe('sealing that fails', () => {
  const broken = (storage: Storage): Storage => ({
    ...storage,
    sealer: () => Promise.reject(new SealUnusable('the certificate expired on Monday')),
  });

  it('is retried with a growing delay, then on request only, with the reason', async () => {
    const desk = await newSealingDesk();
    const { documentId, sessionId } = await desk.signed();
    const waits: number[] = [];
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      await desk.timePasses(sessionId);
      await desk.seal(sessionId, broken(desk.ctx.storage));
      const { sealingNextAt, sealingAttempts, sealingError } = await desk.sessionOf(sessionId);
      expect([sealingAttempts, sealingError]).toEqual([attempt, 'the certificate expired on Monday']);
      waits.push(Math.round(((sealingNextAt?.getTime() ?? Date.now()) - Date.now()) / 60_000));
    }
    expect(waits).toEqual([1, 5, 30, 120, 360, 720, 0]);
    expect(await desk.sessionOf(sessionId)).toMatchObject({ sealing: 'FAILED', sealingNextAt: null });
    expect((await desk.kinds(documentId)).slice(-1)).toEqual(['document.sealingFailed']);
    await desk.seal(sessionId);
    expect(await desk.revisionsOf(documentId)).toHaveLength(1);
  });

  it('is not retried if a retry cannot succeed', async () => {
    const desk = await newSealingDesk();
    const { sessionId } = await desk.signed(['Ann'], { name: 'a.png', content: brokenPng });
    await runJobs();
    expect(await desk.sessionOf(sessionId)).toMatchObject({
      sealing: 'FAILED',
      sealingError: expect.stringContaining('The file cannot be drawn'),
      sealingNextAt: null,
    });
  });

  it('is stored if it is unexpected, and thrown for the log', async () => {
    const desk = await newSealingDesk();
    const { sessionId } = await desk.signed();
    const sealer = () => Promise.reject(new Error('a secret of ours'));
    await expect(desk.seal(sessionId, { ...desk.ctx.storage, sealer })).rejects.toThrow('a secret of ours');
    const { sealing, sealingError } = await desk.sessionOf(sessionId);
    expect(sealing).toBe('PENDING');
    expect(sealingError).not.toContain('secret');
  });

  it.each([
    ['time', 'It took too long.'],
    ['memory', 'It took too much memory.'],
    ['died', 'The process that worked on it ended without an answer.'],
  ] as const)('is retried after its process failed: %s', async (reason, sealingError) => {
    const desk = await newSealingDesk();
    const { documentId, sessionId } = await desk.signed();
    const sealer = () => Promise.reject(new ChildFailed(reason));
    await desk.seal(sessionId, { ...desk.ctx.storage, sealer });
    expect(await desk.sessionOf(sessionId)).toMatchObject({
      sealing: 'PENDING',
      sealingAttempts: 1,
      sealingError,
    });
    await retrySealing(desk.ctx, { sessionId });
    await desk.seal(sessionId);
    expect(await desk.revisionsOf(documentId)).toHaveLength(2);
  });

  it('waits without counting an attempt or a failure while no process is free', async () => {
    const desk = await newSealingDesk();
    const { documentId, sessionId } = await desk.signed();
    const sealer = () => Promise.reject(new Busy());
    await desk.seal(sessionId, { ...desk.ctx.storage, sealer });
    const { sealing, sealingAttempts, sealingError, sealingNextAt } = await desk.sessionOf(sessionId);
    expect([sealing, sealingAttempts, sealingError]).toEqual(['PENDING', 0, null]);
    expect(sealingNextAt).not.toBeNull();
    expect(await desk.kinds(documentId)).not.toContain('document.sealingFailed');
    await desk.timePasses(sessionId);
    await desk.seal(sessionId);
    expect(await desk.revisionsOf(documentId)).toHaveLength(2);
  });

  it('ends after every attempt has crashed the server', async () => {
    const desk = await newSealingDesk();
    const { sessionId } = await desk.signed();
    await desk.db.prisma.signatureSession.update({
      where: { id: sessionId },
      data: { sealingAttempts: MAX_ATTEMPTS },
    });
    await desk.seal(sessionId);
    expect(await desk.sessionOf(sessionId)).toMatchObject({ sealing: 'FAILED' });
  });
});
