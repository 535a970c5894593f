import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { purgeDocuments, recycleDocuments } from '../../src/domain/documents/document-bin.ts';
import { restoreRevision } from '../../src/domain/documents/document-change.ts';
import { planPurge } from '../../src/domain/documents/purge-plan.ts';
import { sweep } from '../../src/domain/maintenance/sweep.ts';
import { gotenberg } from '../../src/files/office/gotenberg.ts';
import { libreOffice } from '../../src/files/office/libre-office.ts';
import { renderNext } from '../../src/jobs/rendition.ts';
import { pages, pdf } from '../files/content/pdf-source.ts';
import { dropJobs, jobContext } from '../support/jobs.ts';
import { fakeSoffice } from '../support/office/fake-soffice.ts';
import { newGotenberg } from '../support/office/gotenberg-server.ts';
import { docx } from '../support/office/office-files.ts';
import { renderAll, retriesAreDue } from '../support/office/rendering.ts';
import { newDocuments } from '../support/storage.ts';
import { newWorld } from '../support/world.ts';

beforeAll(dropJobs);

const PDF = pdf(pages(3));
const answerPdf = (response: ServerResponse) => void response.end(PDF);

/** A world with an office document, and a Gotenberg that answers as the test says. */
async function setUp(answer: (response: ServerResponse, turn: number) => void = answerPdf) {
  const world = await newWorld();
  const ctx = await world.owner.context();
  const server = await newGotenberg(answer);
  const [document] = await newDocuments(ctx, world.project.id, [
    { name: 'offer.docx', content: docx(world.project.id) },
  ]);
  const documentId = document?.id as string;
  const { prisma } = world.db;
  return {
    ...world,
    ctx,
    server,
    documentId,
    render: () => renderAll(gotenberg(server.url)),
    rendition: (number = 1) =>
      prisma.rendition.findFirstOrThrow({
        where: { revision: { documentId, number } },
        include: { blob: true },
      }),
  };
}

describe('an office file that was uploaded', () => {
  it('gets a PDF, which is stored with its digest, size and pages', async () => {
    const { render, rendition, server, ctx } = await setUp();
    expect(await rendition()).toMatchObject({ state: 'PENDING', blobId: null, attempts: 0 });
    await render();
    const made = await rendition();
    expect(made).toMatchObject({ state: 'READY', pageCount: 3, error: null, attemptBlobId: null });
    expect(made.sha256).toEqual(new Uint8Array(createHash('sha256').update(PDF).digest()));
    expect(made.blob).toMatchObject({
      size: BigInt(PDF.length),
      contentType: 'application/pdf',
      pageCount: 3,
    });
    expect(server.names).toEqual(['file.docx']);
    expect((await ctx.storage.store.stat(made.blobId as string))?.size).toBe(PDF.length);
  });

  it('gets none where nothing converts it, and other files never do', async () => {
    const { ctx, project, db } = await setUp();
    const without = { ...ctx, storage: { ...ctx.storage, office: undefined } };
    const [office] = await newDocuments(without, project.id, [{ name: 'a.docx', content: docx('without') }]);
    const [text] = await newDocuments(ctx, project.id, [{ name: 'a.txt' }]);
    for (const document of [office, text])
      expect(await db.prisma.rendition.count({ where: { revision: { documentId: document?.id } } })).toBe(0);
    expect(await renderNext(await jobContext())).toBe(false);
  });

  it('gets another for a revision that is restored', async () => {
    const { ctx, project, documentId, render, rendition } = await setUp();
    await render();
    await newDocuments(ctx, project.id, [{ name: 'b.docx', content: docx('second'), documentId }]);
    await restoreRevision(ctx, { documentId, number: 1 });
    await render();
    expect([await rendition(2), await rendition(3)]).toMatchObject([{ state: 'READY' }, { state: 'READY' }]);
    expect((await rendition(3)).blobId).toBe((await rendition(1)).blobId);
  });

  it('is FAILED with the reason where it cannot be converted', async () => {
    const { render, rendition } = await setUp((response) => response.writeHead(400).end());
    await render();
    expect(await rendition()).toMatchObject({
      state: 'FAILED',
      error: 'It cannot be opened: it is broken, or locked with a password.',
      attempts: 1,
    });
  });

  it.each([
    ['is no PDF', 'garbage'],
    ['has no pages', '%PDF-1.7\n'],
  ])('is FAILED where what comes back %s', async (_, body) => {
    const { render, rendition } = await setUp((response) => response.end(body));
    await render();
    expect(await rendition()).toMatchObject({ state: 'FAILED', blobId: null });
    expect((await rendition()).error).toContain('did not make a PDF with pages');
  });

  it('waits, and is not FAILED, as long as the converter is busy', async () => {
    const { render, rendition, db } = await setUp((response, turn) =>
      turn < 7 ? response.writeHead(429).end() : response.end(PDF),
    );
    for (let turn = 1; turn < 7; turn++) {
      await render();
      expect(await rendition()).toMatchObject({ state: 'PENDING', attempts: 0, attemptBlobId: null });
      expect((await rendition()).nextAt.getTime()).toBeGreaterThan(Date.now());
      await retriesAreDue(db);
    }
    await render();
    expect(await rendition()).toMatchObject({ state: 'READY' });
  });

  it('is tried once more where it took too long, and then FAILED', async () => {
    const { render, rendition, db } = await setUp((response) => response.writeHead(503).end());
    await render();
    expect(await rendition()).toMatchObject({ state: 'PENDING', attempts: 1 });
    await retriesAreDue(db);
    await render();
    expect(await rendition()).toMatchObject({ state: 'FAILED', error: 'It takes too long to convert.' });
  });

  it('is FAILED after attempts of which none came to an end', async () => {
    const { render, rendition, server, db } = await setUp();
    await db.prisma.rendition.updateMany({ where: { state: 'PENDING' }, data: { attempts: 4 } });
    await render();
    expect(await rendition()).toMatchObject({ state: 'FAILED' });
    expect(server.names).toEqual([]);
  });

  it('is FAILED where the program that converts it crashes each time', async () => {
    const { documentId, ctx, project, db } = await setUp();
    await newDocuments(ctx, project.id, [{ name: 'c.docx', content: docx('crash'), documentId }]);
    const converter = libreOffice(fakeSoffice(), 'none');
    for (let turn = 0; turn < 2; turn++) {
      await renderAll(converter);
      await retriesAreDue(db);
    }
    const { state, error } = await db.prisma.rendition.findFirstOrThrow({
      where: { revision: { documentId, number: 2 } },
    });
    expect([state, error]).toEqual([
      'FAILED',
      'It cannot be opened: it is broken, or locked with a password.',
    ]);
  });
});

describe('the PDF of an office file', () => {
  it('is counted by the plan of a purge, kept by the sweep, and deleted with the document', async () => {
    const { ctx, documentId, render, rendition, db } = await setUp();
    await render();
    const { blobId } = await rendition();
    const [plan] = await planPurge(ctx, [documentId]);
    const file = await db.prisma.blob.findFirstOrThrow({ where: { revisions: { some: { documentId } } } });
    expect(plan?.bytes).toBe(file.size + BigInt(PDF.length));
    await sweep(db, ctx.storage.store);
    expect(await ctx.storage.store.stat(blobId as string)).toBeDefined();
    await recycleDocuments(ctx, { documentIds: [documentId] });
    await purgeDocuments(ctx, { documentIds: [documentId] });
    await sweep(db, ctx.storage.store);
    expect(await ctx.storage.store.stat(blobId as string)).toBeUndefined();
    expect(await db.prisma.blob.count({ where: { id: blobId as string } })).toBe(0);
  });

  it('is made of the files of several organizations in turn', async () => {
    const first = await setUp();
    const second = await setUp();
    const more = [1, 2, 3].map((each) => ({ name: `${each}.docx`, content: docx(`more ${each}`) }));
    await newDocuments(first.ctx, first.project.id, more);
    const ctx = { ...(await jobContext()), office: gotenberg(first.server.url) };
    await renderNext(ctx);
    await renderNext(ctx);
    expect([await first.rendition(), await second.rendition()]).toMatchObject([
      { state: 'READY' },
      { state: 'READY' },
    ]);
    await first.render();
  });
});
