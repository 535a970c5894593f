import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql/sql.ts';
import { endText, storeText } from '../../../src/domain/file-text/file-text.ts';
import { cutText, pagesOf } from '../../../src/domain/file-text/file-text-pieces.ts';
import { claimText, renewClaim } from '../../../src/domain/file-text/text-claim.ts';
import { dropJobs, runJobs } from '../../support/jobs.ts';
import { newDocuments } from '../../support/storage.ts';
import { newWorld } from '../../support/world.ts';

/** An organization with these files, whose text is pending. */
async function setUp(...contents: string[]) {
  await dropJobs();
  const world = await newWorld();
  await world.db.prisma.blob.updateMany({ data: { textStatus: 'NONE' } });
  const ctx = await world.owner.context();
  const files = contents.map((content, index) => ({ name: `${index}.txt`, content }));
  const documents = await newDocuments(ctx, world.project.id, files);
  const { db, organization } = world;
  const blobs = () =>
    db.prisma.blob.findMany({ where: { organizationId: organization.id }, orderBy: { id: 'asc' } });
  const pieces = () =>
    db.query<{ number: number; text: string }>(
      sql`SELECT number, text FROM search_texts WHERE organization_id = ${organization.id} ORDER BY blob_id, number`,
    );
  const expireClaims = () =>
    db.prisma.blob.updateMany({ where: { textStatus: 'PENDING' }, data: { textNextAt: new Date(0) } });
  return { ...world, ctx, documents, blobs, pieces, expireClaims };
}

describe('a text that is split into pieces', () => {
  it.each([
    ['pages that fit', ['one', '', 'three']],
    ['a long page among short ones', ['short', 'word '.repeat(9_000).trim(), 'last']],
    ['a page without blanks', [`${'x'.repeat(40_000)}`]],
    ['surrogate pairs', ['😀'.repeat(20_000), 'end']],
    ['nothing', ['']],
  ])('is complete, with each part on its page: %s', (_, pages) => {
    const pieces = cutText(pages);
    const joined = pages.map(() => '');
    for (const { page, text } of pieces.flatMap(pagesOf)) joined[page - 1] += text;
    expect(joined).toEqual(pages);
    expect(pieces.every(({ text }) => text.length <= 16_000 && text.isWellFormed())).toBe(true);
  });

  it('keeps at most 30 consecutive combining marks', () => {
    const marks = '\u0315\u0316';
    expect(cutText([`a${marks.repeat(40_000)}b`])).toEqual([{ firstPage: 1, text: `a${marks.repeat(15)}b` }]);
  });
});

describe('the extraction of the text of a file', () => {
  it('is claimed by one process, and by another after the claim expired', async () => {
    const { db, expireClaims } = await setUp('a');
    const first = await claimText(db, 'READ');
    const duringFirst = await claimText(db, 'READ');
    await expireClaims();
    const second = await claimText(db, 'READ');
    expect(first).toMatchObject({ attempt: 1 });
    expect(duringFirst).toBeUndefined();
    expect(second).toMatchObject({ id: first?.id, attempt: 2 });
  });

  it('changes nothing if its claim has expired', async () => {
    const { db, expireClaims, blobs } = await setUp('a');
    const first = await claimText(db, 'READ');
    await expireClaims();
    const second = await claimText(db, 'READ');
    if (!first || !second) throw new Error('nothing was due');
    await endText(db, first, 'FAILED', 'late');
    expect(await renewClaim(db, first)).toBe(false);
    expect(await blobs()).toMatchObject([{ textStatus: 'PENDING', textError: null }]);
    await storeText(db, second, { pages: ['b'], paged: true });
    expect(await blobs()).toMatchObject([{ textStatus: 'READY' }]);
  });

  it('replaces an earlier, longer text completely', async () => {
    const { db, pieces } = await setUp('a');
    const claim = await claimText(db, 'READ');
    if (!claim) throw new Error('nothing was due');
    await storeText(db, claim, { pages: ['word '.repeat(10_000)], paged: false });
    const long = (await pieces()).length;
    await db.prisma.blob.updateMany({ data: { textStatus: 'PENDING', textNextAt: new Date(0) } });
    await storeText(db, claim, { pages: ['short'], paged: false });
    expect(long).toBeGreaterThan(3);
    expect(await pieces()).toEqual([{ number: 0, text: 'short' }]);
  });

  it('is retried later if the store does not return the file', async () => {
    const { ctx, blobs } = await setUp('a');
    const [blob] = await blobs();
    await ctx.storage.store.remove(blob?.id as string);
    await runJobs();
    const [after] = await blobs();
    expect(after).toMatchObject({ textStatus: 'PENDING', textError: 'The storage did not give the file.' });
    expect(after?.textNextAt.getTime()).toBeGreaterThan(Date.now() + 30_000);
  });

  it.runIf(process.env.TEST_DATABASE_URL)('claims each file once in concurrent claims', async () => {
    const { db } = await setUp(...Array.from({ length: 30 }, (_, index) => `file ${index}`));
    const claims = await Promise.all(Array.from({ length: 60 }, () => claimText(db, 'READ')));
    const ids = claims.flatMap((claim) => claim?.id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(0);
  });
});
