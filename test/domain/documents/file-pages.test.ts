import { setMaxListeners } from 'node:events';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { restoreRevision } from '../../../src/domain/documents/document-change.ts';
import { claimPages, postponePages, storePages } from '../../../src/domain/documents/file-pages.ts';
import { createFormTemplates, updateFormTemplate } from '../../../src/domain/forms/form-change.ts';
import type { Context } from '../../../src/domain/kernel/context.ts';
import { reindex } from '../../../src/domain/search/search-reindex.ts';
import { updateSignatureSession } from '../../../src/domain/signatures/signature-session-change.ts';
import { countPages } from '../../../src/files/content/pdf/pdf-pages.ts';
import { renderPage } from '../../../src/files/content/pictures/page-image.ts';
import { sourceOf } from '../../files/content/bytes.ts';
import { encryptedPdf, pages, pdf, slowPdf } from '../../files/content/pdf-source.ts';
import { newDatabase, testDatabase } from '../../support/database.ts';
import { dropJobs, runJobs } from '../../support/jobs.ts';
import { newDocuments } from '../../support/storage.ts';
import { newWorld } from '../../support/world.ts';

beforeEach(dropJobs);

const twoPages = pdf(pages(2));

/** A project with one PDF, and its stored page counts. */
async function setUp(content = twoPages, on?: Database) {
  const world = await newWorld(on);
  const ctx = await world.owner.context();
  const add = async (name = 'deed.pdf', bytes = content) => {
    const [document] = await newDocuments(ctx, world.project.id, [{ name, content: bytes }]);
    return document?.id as string;
  };
  const documentId = await add();
  const organizationId = world.organization.id;
  const stored = async (id = documentId) => {
    const { pageCount } = await world.db.prisma.document.findUniqueOrThrow({ where: { id } });
    const revisions = await world.db.prisma.revision.findMany({
      where: { documentId: id },
      include: { blob: true },
      orderBy: { number: 'asc' },
    });
    const blob = revisions[0]?.blob;
    return {
      document: pageCount,
      revisions: revisions.map((each) => each.pageCount),
      content: [blob?.pageCount, blob?.pageStatus],
    };
  };
  /** The state in which an earlier release stored a PDF when no process was free. */
  const unsetPageCount = async (pageStatus: 'READY' | 'PENDING' | 'BROKEN' = 'BROKEN') => {
    const none = { where: { organizationId }, data: { pageCount: null } };
    await world.db.prisma.document.updateMany(none);
    await world.db.prisma.revision.updateMany(none);
    await world.db.prisma.blob.updateMany({ ...none, data: { pageCount: null, pageStatus } });
  };
  return { ...world, ctx, documentId, organizationId, add, stored, unsetPageCount };
}

/** Of one organization, the most that may wait for a process. */
const MAX_WAITING = 100;

/** Occupies all counting processes that one organization may use, until the returned function is called. */
function occupy(organizationId: string, count = 20): () => void {
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const stalled = { size: 1_000, read: () => new Promise<never>(() => {}), organizationId };
  for (let index = 0; index < count; index++)
    void countPages(stalled, 60_000, stopping.signal).catch(() => {});
  return () => stopping.abort();
}

const COUNTED = { document: 2, revisions: [2], content: [2, 'READY'] };
const PENDING = { document: null, revisions: [null], content: [null, 'PENDING'] };

describe('an upload', () => {
  it('has its pages counted while another organization uses its whole share and renders slow pages', async () => {
    const slow = { ...sourceOf(slowPdf(20_000)), organizationId: 'org_busy' };
    for (let width = 1_000; width < 1_020; width++) void renderPage(slow, 1, width).catch(() => {});
    const release = occupy('org_busy');
    const { stored } = await setUp();
    // By a job where the count took too long for the confirmation.
    const counted = () => runJobs().then(() => stored());
    await expect.poll(counted, { interval: 1_000 }).toEqual(COUNTED);
    release();
  });

  it('is stored while its organization has no free process, and counted afterwards', async () => {
    const { add, stored, organizationId } = await setUp();
    const release = occupy(organizationId);
    const later = await add('later.pdf', pdf(pages(2), '', 0));
    const second = await add('other.pdf', pdf(pages(3)));
    expect((await stored(second)).content).toEqual([null, 'PENDING']);
    release();
    await runJobs();
    expect(await stored(second)).toEqual({ document: 3, revisions: [3], content: [3, 'READY'] });
    expect(await stored(later)).toEqual(COUNTED);
  });

  it.each([
    ['BROKEN', Buffer.from('%PDF-1.7\n')],
    ['LOCKED', encryptedPdf(2, 'user')],
  ])('of a PDF without readable pages stores the reason: %s', async (status, content) => {
    const { stored } = await setUp(content);
    expect((await stored()).content).toEqual([null, status]);
  });

  it('of the same bytes completes a document that has no page count', async () => {
    const { add, stored, unsetPageCount, documentId } = await setUp();
    await unsetPageCount('READY');
    const duplicate = await add('again.pdf');
    expect(await stored(duplicate)).toMatchObject({ document: 2, revisions: [2] });
    await runJobs();
    expect(await stored(documentId)).toEqual(COUNTED);
  });
});

describe('a PDF during inspection', () => {
  const newForm = async (ctx: Context, projectId: string): Promise<string> =>
    (await createFormTemplates(ctx, { projectId, formTemplates: [{ name: 'Form' }] }))[0]?.id as string;
  const recipients = [{ email: 'a@signers.test', fullName: 'Ann' }];

  it('is inspected at once by the session or the form that needs its pages', async () => {
    const { ctx, documentId, project, stored, unsetPageCount } = await setUp();
    await updateSignatureSession(ctx, { documentId, recipients, design: 'QUICK' });
    await unsetPageCount('PENDING');
    await updateSignatureSession(ctx, { documentId, begin: true });
    expect(await stored()).toEqual(COUNTED);
    const formTemplateId = await newForm(ctx, project.id);
    await unsetPageCount('PENDING');
    expect(await updateFormTemplate(ctx, { formTemplateId, documentId })).toMatchObject({ pageCount: 2 });
  });

  it('is refused as UNAVAILABLE, not as broken, while no process is free to inspect it', async () => {
    const { ctx, organizationId, documentId, project, unsetPageCount } = await setUp();
    await updateSignatureSession(ctx, { documentId, recipients, design: 'QUICK' });
    const formTemplateId = await newForm(ctx, project.id);
    await unsetPageCount('PENDING');
    const waiting = { code: 'UNAVAILABLE', retryAfter: 5, message: expect.stringContaining('inspected') };
    const release = occupy(organizationId, MAX_WAITING + 2);
    await expect(updateSignatureSession(ctx, { documentId, begin: true })).rejects.toMatchObject(waiting);
    await expect(updateFormTemplate(ctx, { formTemplateId, documentId })).rejects.toMatchObject(waiting);
    release();
  });

  it('is refused with the reason if its inspection finds that it cannot be signed', async () => {
    const { ctx, documentId, unsetPageCount } = await setUp(encryptedPdf(2, 'user'));
    await updateSignatureSession(ctx, { documentId, recipients, design: 'QUICK' });
    await unsetPageCount('PENDING');
    await expect(updateSignatureSession(ctx, { documentId, begin: true })).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      message: 'documentId: the PDF is locked with a password, so it cannot be sealed',
    });
  });

  it('is refused with the reason if it cannot be signed', async () => {
    const { ctx, documentId } = await setUp(encryptedPdf(2, 'user'));
    const recipients = [{ email: 'a@signers.test', fullName: 'Ann' }];
    await updateSignatureSession(ctx, { documentId, recipients, design: 'QUICK' });
    const sent = updateSignatureSession(ctx, { documentId, begin: true });
    await expect(sent).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      message: 'documentId: the PDF is locked with a password, so it cannot be sealed',
    });
  });
});

describe('a PDF that an earlier release stored without a page count', () => {
  it('is counted again by reindex, which reports how many there are', async () => {
    // Reindexing takes the whole database.
    const db = await newDatabase();
    onTestFinished(() => db.close());
    const { stored, unsetPageCount } = await setUp(twoPages, db);
    await unsetPageCount();
    let inspected = 0;
    for await (const each of reindex(db)) inspected += each.inspected;
    expect(inspected).toBe(1);
    expect(await stored()).toEqual(PENDING);
    await runJobs(undefined, db);
    expect(await stored()).toEqual(COUNTED);
  });

  it('is counted again when the revision is restored', async () => {
    const { ctx, documentId, project, stored, unsetPageCount } = await setUp();
    await newDocuments(ctx, project.id, [{ name: 'deed.txt', documentId }]);
    await unsetPageCount();
    await restoreRevision(ctx, { documentId, number: 1 });
    await runJobs();
    expect(await stored()).toEqual({ document: 2, revisions: [2, null, 2], content: [2, 'READY'] });
  });
});

describe('the next PDF whose pages are counted', () => {
  it('belongs to the organization with the fewest attempts, for any number of files of another one', async () => {
    const { db } = await setUp();
    const worlds = [await setUp(), await setUp()] as const;
    for (const pageCount of [3, 4, 5]) await worlds[0].add(`${pageCount}.pdf`, pdf(pages(pageCount)));
    await dropJobs();
    for (const world of worlds) await world.unsetPageCount('PENDING');
    const order = [];
    for (let claim = await claimPages(db); claim; claim = await claimPages(db))
      order.push(claim.organizationId);
    const [many, one] = worlds.map(({ organizationId }) => organizationId);
    expect([...order.slice(0, 2)].sort()).toEqual([many, one].sort());
    expect(order.slice(2)).toEqual([many, many, many]);
  });

  it('is claimed once by concurrent claims', async () => {
    const { db, add, unsetPageCount } = await setUp();
    for (const pageCount of [3, 4, 5, 6]) await add(`${pageCount}.pdf`, pdf(pages(pageCount)));
    await unsetPageCount('PENDING');
    const claims = await Promise.all(Array.from({ length: 20 }, () => claimPages(db)));
    const ids = claims.flatMap((claim) => claim?.id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('ends as COSTLY after the last attempt, also if no attempt reported back', async () => {
    const { db, stored, unsetPageCount } = await setUp();
    await unsetPageCount('PENDING');
    const makeDue = () =>
      db.prisma.blob.updateMany({ where: { pageStatus: 'PENDING' }, data: { pageNextAt: new Date(0) } });
    const attempts = [];
    for (let claim = await claimPages(db); claim; claim = await claimPages(db)) {
      attempts.push(claim.attempt);
      if (claim.attempt % 2 === 0) await postponePages(db, claim);
      await makeDue();
    }
    expect(attempts).toEqual([1, 2, 3, 4]);
    expect((await stored()).content).toEqual([null, 'COSTLY']);
  });

  it('ends after some attempts of the job if its file is missing from the storage', async () => {
    const { db, ctx, documentId, stored, unsetPageCount } = await setUp();
    await unsetPageCount('PENDING');
    const { blobId } = await db.prisma.revision.findFirstOrThrow({ where: { documentId } });
    await ctx.storage.store.remove(blobId);
    for (let turn = 0; turn < 6; turn++) {
      await db.prisma.blob.updateMany({
        where: { id: blobId, pageStatus: 'PENDING' },
        data: { pageNextAt: new Date(0) },
      });
      await runJobs();
    }
    expect((await stored()).content).toEqual([null, 'COSTLY']);
  });

  it('keeps the page count of another attempt', async () => {
    const { db, stored, unsetPageCount } = await setUp();
    await unsetPageCount('PENDING');
    const claim = await claimPages(db);
    if (!claim) throw new Error('nothing was due');
    await storePages(db, claim, { pageCount: 2, pageStatus: 'READY' });
    await storePages(db, claim, { pageCount: null, pageStatus: 'BROKEN' });
    expect(await stored()).toEqual(COUNTED);
  });
});

beforeEach(testDatabase);
