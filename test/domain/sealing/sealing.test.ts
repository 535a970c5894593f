import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { purgeDocuments, recycleDocuments } from '../../../src/domain/documents/document-bin.ts';
import type { Storage } from '../../../src/domain/kernel/context.ts';
import { sweep } from '../../../src/domain/maintenance/sweep.ts';
import { retrySealing } from '../../../src/domain/sealing/sealing-retry.ts';
import { MAX_ATTEMPTS } from '../../../src/domain/sealing/sealing-state.ts';
import { ChildFailed } from '../../../src/files/child/child-pool.ts';
import { Busy } from '../../../src/lib/fair-slots.ts';
import { SealUnusable } from '../../../src/pdf/seal/certificate.ts';
import { nodeSuite } from '../../../src/verify/node-suite.ts';
import { checkSeal } from '../../../src/verify/seal.js';
import { brokenPng, pages, pdf } from '../../files/content/pdf-source.ts';
import { hasPoppler, poppler } from '../../pdf/seal/job.ts';
import { testDatabase } from '../../support/database.ts';
import { dropJobs, runJobs } from '../../support/jobs.ts';
import { newSealingDesk } from '../../support/sealing.ts';
import { newDocuments } from '../../support/storage.ts';

beforeAll(dropJobs);

beforeAll(testDatabase);

const pdfFile = { name: 'deed.pdf', content: pdf(pages(2)) };

type Progress = 'NONE' | 'PART' | 'ALL';

/** A store where one operation never returns, before, within or after its effect, as if the server was killed. */
const dyingIn = (storage: Storage, operation: 'read' | 'write' | 'sealer', progress: Progress): Storage => {
  const dead = () => new Promise<never>(() => {});
  if (operation === 'sealer') return { ...storage, sealer: dead };
  const { store } = storage;
  const write: typeof store.write = async (key, bytes) => {
    if (progress === 'PART') await store.append(key, 0, bytes);
    if (progress === 'ALL') await store.write(key, bytes);
    return dead();
  };
  return { ...storage, store: { ...store, ...(operation === 'write' ? { write } : { read: dead }) } };
};

describe('sealing', () => {
  it('reports what it removed from the PDF, also in the chain of events', async () => {
    const world = await newSealingDesk();
    const [catalog = '', ...others] = pages(1);
    const script = catalog.replace('>>', '/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>>>');
    const file = { name: 'deed.pdf', content: pdf([script, ...others]) };
    const { documentId, sessionId } = await world.signed(['Ann'], file);
    await world.seal(sessionId);
    expect((await world.sessionOf(sessionId)).sealRemoved).toEqual(['JAVASCRIPT']);
    const event = await world.db.prisma.event.findFirstOrThrow({
      where: { subjectId: documentId, kind: 'document.sealed' },
    });
    expect(event.data).toMatchObject({ removed: ['JAVASCRIPT'] });
  });

  it('follows the last signature automatically', async () => {
    const world = await newSealingDesk();
    const { documentId, sessionId } = await world.signed(['Ann', 'Żółć'], pdfFile);
    expect(await world.sessionOf(sessionId)).toMatchObject({ sealing: 'PENDING', sealedAt: null });
    await runJobs();
    const session = await world.sessionOf(sessionId);
    const [signed, sealed] = await world.revisionsOf(documentId);
    expect(session).toMatchObject({ sealing: 'SEALED', sealingAttempts: 1, sealingError: null });
    expect(session.sealRevisionId).toBe(sealed?.id);
    expect(sealed).toMatchObject({
      number: 2,
      name: 'deed.pdf',
      contentType: 'application/pdf',
      pageCount: 3,
    });
    const document = await world.db.prisma.document.findUniqueOrThrow({ where: { id: documentId } });
    expect(document).toMatchObject({ revisionNumber: 2, origin: 'SEAL', pageCount: 3, size: sealed?.size });
    expect(document.signedAt).toEqual(session.completedAt);
    const bytes = await world.bytesOf(sealed?.blobId as string);
    expect(
      createHash('sha256')
        .update(bytes)
        .digest()
        .equals(sealed?.blob.sha256 as Uint8Array),
    ).toBe(true);
    expect((await checkSeal(nodeSuite, bytes)).reason).toContain(sessionId);
    expect((await world.kinds(documentId)).slice(-2)).toEqual([
      'document.signingCompleted',
      'document.sealed',
    ]);
    if (!hasPoppler) return;
    expect(await poppler('pdfsig', bytes)).toMatch(/Total document signed[\s\S]*Signature is Valid/);
    const text = await poppler('pdftotext', bytes, '-layout');
    const sha256 = Buffer.from(signed?.blob.sha256 as Uint8Array).toString('hex');
    for (const expectedText of ['Ann', 'Żółć', 's0@signers.test', '192.0.2.7', sha256, sessionId, 'Harbor'])
      expect(text).toContain(expectedText);
  });

  it('happens once, however often it is requested', async () => {
    const world = await newSealingDesk();
    const { documentId, sessionId } = await world.signed();
    await Promise.all([world.seal(sessionId), world.seal(sessionId), world.seal(sessionId)]);
    await world.seal(sessionId);
    expect(await world.revisionsOf(documentId)).toHaveLength(2);
  });

  it.runIf(process.env.TEST_DATABASE_URL)('happens once with twenty concurrent processes', async () => {
    const world = await newSealingDesk();
    const { documentId, sessionId } = await world.signed();
    await Promise.all(Array.from({ length: 20 }, () => world.seal(sessionId)));
    expect(await world.revisionsOf(documentId)).toHaveLength(2);
    expect(await world.sessionOf(sessionId)).toMatchObject({ sealing: 'SEALED', sealingAttempts: 1 });
  });

  it.each([
    ['before it has a certificate', 'sealer', 'NONE'],
    ['while it reads', 'read', 'NONE'],
    ['before it writes', 'write', 'NONE'],
    ['before the blob is finished', 'write', 'PART'],
    ['when the blob is finished', 'write', 'ALL'],
  ] as const)('is done by the next attempt if the server is killed %s', async (_, operation, progress) => {
    const world = await newSealingDesk();
    const { documentId, sessionId } = await world.signed();
    const objectsBefore = await world.objects();
    void world.seal(sessionId, dyingIn(world.ctx.storage, operation, progress));
    const reached = async () =>
      progress !== 'NONE'
        ? (await world.objects()).size > objectsBefore.size
        : (await world.sessionOf(sessionId)).sealingAttempts > 0;
    while (!(await reached())) await new Promise((resolve) => setTimeout(resolve, 20));
    await world.seal(sessionId);
    expect(await world.revisionsOf(documentId)).toHaveLength(1);
    await world.timePasses(sessionId);
    await world.seal(sessionId);
    const [, sealed, ...more] = await world.revisionsOf(documentId);
    expect(more).toEqual([]);
    expect(await world.sessionOf(sessionId)).toMatchObject({ sealing: 'SEALED', sealingAttempts: 2 });
    await checkSeal(nodeSuite, await world.bytesOf(sealed?.blobId as string));
    await sweep(world.db, world.ctx.storage.store);
    const left = [...(await world.objects())].filter((key) => !objectsBefore.has(key));
    expect(left).toEqual([sealed?.blobId]);
  });

  it('protects the blob of a running attempt from the sweep', async () => {
    const world = await newSealingDesk();
    const { sessionId } = await world.signed();
    void world.seal(sessionId, dyingIn(world.ctx.storage, 'write', 'ALL'));
    const written = async () =>
      (
        await world.ctx.storage.store.stat(
          (await world.sessionOf(sessionId)).sealingBlobId ?? 'blb_00000000000000000000000000',
        )
      )?.finished;
    while (!(await written())) await new Promise((resolve) => setTimeout(resolve, 20));
    await sweep(world.db, world.ctx.storage.store);
    expect(await written()).toBe(true);
  });

  it('adds no revision if another attempt has taken over', async () => {
    const world = await newSealingDesk();
    const { documentId, sessionId } = await world.signed();
    const { storage } = world.ctx;
    const objectsBefore = await world.objects();
    const sealer = async () => {
      await world.timePasses(sessionId);
      await world.seal(sessionId);
      return storage.sealer();
    };
    await world.seal(sessionId, { ...storage, sealer });
    expect(await world.revisionsOf(documentId)).toHaveLength(2);
    expect((await world.objects()).size).toBe(objectsBefore.size + 1);
  });
});

describe('a session that is due', () => {
  it('is sealed without a wake-up signal', async () => {
    const world = await newSealingDesk();
    const { sessionId } = await world.signed();
    await world.db.prisma.signatureSession.update({
      where: { id: sessionId },
      data: { sealingNextAt: null },
    });
    await runJobs();
    expect(await world.sessionOf(sessionId)).toMatchObject({ sealing: 'PENDING' });
    await world.timePasses(sessionId);
    await runJobs();
    expect(await world.sessionOf(sessionId)).toMatchObject({ sealing: 'SEALED' });
  });
});

describe('a document that changes before it is sealed', () => {
  it('gets the sealed file of the signed revision after revisions that were added after an attempt failed', async () => {
    const world = await newSealingDesk();
    const { documentId, sessionId } = await world.signed(['Ann'], pdfFile);
    const sealing = (state: 'FAILED' | 'PENDING') =>
      world.db.prisma.signatureSession.update({ where: { id: sessionId }, data: { sealing: state } });
    await sealing('FAILED');
    await newDocuments(world.ctx, world.project.id, [
      { name: 'deed-b.pdf', content: pdf(pages(7)), documentId },
    ]);
    await sealing('PENDING');
    await world.seal(sessionId);
    const [, later, sealed] = await world.revisionsOf(documentId);
    expect([later?.pageCount, sealed?.number, sealed?.pageCount]).toEqual([7, 3, 3]);
  });

  it('is sealed in the recycle bin too, and stays there', async () => {
    const world = await newSealingDesk();
    const { documentId, sessionId } = await world.signed();
    await recycleDocuments(world.ctx, { documentIds: [documentId] });
    await world.seal(sessionId);
    const document = await world.db.prisma.document.findUniqueOrThrow({ where: { id: documentId } });
    expect(document).toMatchObject({ state: 'RECYCLED', revisionNumber: 2 });
    await purgeDocuments(world.ctx, { documentIds: [documentId] });
    expect(await world.revisionsOf(documentId)).toEqual([]);
  });

  it('leaves no blob if it is purged before or during the attempt', async () => {
    const world = await newSealingDesk();
    const { storage } = world.ctx;
    const [purged, going] = [await world.signed(), await world.signed()];
    const purge = async ({ documentId }: { documentId: string }) => {
      await recycleDocuments(world.ctx, { documentIds: [documentId] });
      await purgeDocuments(world.ctx, { documentIds: [documentId] });
    };
    await purge(purged);
    await world.seal(purged.sessionId);
    const objectsBefore = await world.objects();
    const sealer = async () => {
      await purge(going);
      return storage.sealer();
    };
    await world.seal(going.sessionId, { ...storage, sealer });
    expect(await world.objects()).toEqual(objectsBefore);
  });
});

describe('sealing that fails', () => {
  const broken = (storage: Storage): Storage => ({
    ...storage,
    sealer: () => Promise.reject(new SealUnusable('the certificate expired on Monday')),
  });

  it('is retried with a growing delay, then on request only, with the reason', async () => {
    const world = await newSealingDesk();
    const { documentId, sessionId } = await world.signed();
    const waits: number[] = [];
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      await world.timePasses(sessionId);
      await world.seal(sessionId, broken(world.ctx.storage));
      const { sealingNextAt, sealingAttempts, sealingError } = await world.sessionOf(sessionId);
      expect([sealingAttempts, sealingError]).toEqual([attempt, 'the certificate expired on Monday']);
      waits.push(Math.round(((sealingNextAt?.getTime() ?? Date.now()) - Date.now()) / 60_000));
    }
    expect(waits).toEqual([1, 5, 30, 120, 360, 720, 0]);
    expect(await world.sessionOf(sessionId)).toMatchObject({ sealing: 'FAILED', sealingNextAt: null });
    expect((await world.kinds(documentId)).slice(-1)).toEqual(['document.sealingFailed']);
    await world.seal(sessionId);
    expect(await world.revisionsOf(documentId)).toHaveLength(1);
  });

  it('is not retried if a retry cannot succeed', async () => {
    const world = await newSealingDesk();
    const { sessionId } = await world.signed(['Ann'], { name: 'a.png', content: brokenPng });
    await runJobs();
    expect(await world.sessionOf(sessionId)).toMatchObject({
      sealing: 'FAILED',
      sealingError: expect.stringContaining('The file cannot be drawn'),
      sealingNextAt: null,
    });
  });

  it('is stored if it is unexpected, and thrown for the log', async () => {
    const world = await newSealingDesk();
    const { sessionId } = await world.signed();
    const sealer = () => Promise.reject(new Error('a secret of ours'));
    await expect(world.seal(sessionId, { ...world.ctx.storage, sealer })).rejects.toThrow('a secret of ours');
    const { sealing, sealingError } = await world.sessionOf(sessionId);
    expect(sealing).toBe('PENDING');
    expect(sealingError).not.toContain('secret');
  });

  it.each([
    ['time', 'It took too long.'],
    ['memory', 'It took too much memory.'],
    ['died', 'The process that worked on it ended without an answer.'],
  ] as const)('is retried after its process failed: %s', async (reason, sealingError) => {
    const world = await newSealingDesk();
    const { documentId, sessionId } = await world.signed();
    const sealer = () => Promise.reject(new ChildFailed(reason));
    await world.seal(sessionId, { ...world.ctx.storage, sealer });
    expect(await world.sessionOf(sessionId)).toMatchObject({
      sealing: 'PENDING',
      sealingAttempts: 1,
      sealingError,
    });
    await retrySealing(world.ctx, { sessionId });
    await world.seal(sessionId);
    expect(await world.revisionsOf(documentId)).toHaveLength(2);
  });

  it('waits without counting an attempt or a failure while no process is free', async () => {
    const world = await newSealingDesk();
    const { documentId, sessionId } = await world.signed();
    const sealer = () => Promise.reject(new Busy());
    await world.seal(sessionId, { ...world.ctx.storage, sealer });
    const { sealing, sealingAttempts, sealingError, sealingNextAt } = await world.sessionOf(sessionId);
    expect([sealing, sealingAttempts, sealingError]).toEqual(['PENDING', 0, null]);
    expect(sealingNextAt).not.toBeNull();
    expect(await world.kinds(documentId)).not.toContain('document.sealingFailed');
    await world.timePasses(sessionId);
    await world.seal(sessionId);
    expect(await world.revisionsOf(documentId)).toHaveLength(2);
  });

  it('ends after every attempt has crashed the server', async () => {
    const world = await newSealingDesk();
    const { sessionId } = await world.signed();
    await world.db.prisma.signatureSession.update({
      where: { id: sessionId },
      data: { sealingAttempts: MAX_ATTEMPTS },
    });
    await world.seal(sessionId);
    expect(await world.sessionOf(sessionId)).toMatchObject({ sealing: 'FAILED' });
  });
});
