import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { textPdf } from '../../../files/content/pdf-source.ts';
import { newDocuments } from '../../../support/storage.ts';
import { newWorld } from '../../../support/world.ts';

const QUERY = `query ($id: ID!, $page: Int, $width: Int) { document(id: $id) {
  thumbnailUrl(width: $width) currentRevision { imageUrl(page: $page, width: $width) } } }`;

async function setUp() {
  const world = await newWorld();
  const ctx = await world.owner.context();
  const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const [report, picture, note] = await newDocuments(ctx, world.project.id, [
    { name: 'report.pdf', content: textPdf([['one'], ['two']]) },
    { name: 'picture.png', content: png },
    { name: 'note.txt' },
  ]);
  if (!report || !picture || !note) throw new Error('the fixture is not whole');
  return { ...world, ctx, report, picture, note };
}

const tokenOf = (url: string) => url.slice(url.lastIndexOf('/') + 1);

describe('the signed URL of a picture', () => {
  it('is for the requested page and width, and null if there is no such page', async () => {
    const { owner, ctx, report, picture, note } = await setUp();
    const read = async (id: string, page: number, width: number) =>
      (await owner.graph(QUERY, { id, page, width })).data.document;
    const second = await read(report.id, 2, 640);
    const ticket = await ctx.storage.signedUrls.readImage(tokenOf(second.currentRevision.imageUrl));
    const thumbnail = await ctx.storage.signedUrls.readImage(tokenOf(second.thumbnailUrl));
    expect(ticket).toMatchObject({ contentType: 'application/pdf', page: 2, width: 640 });
    expect(thumbnail).toMatchObject({ page: 1, width: 640 });
    expect((await read(report.id, 3, 640)).currentRevision.imageUrl).toBeNull();
    expect((await read(picture.id, 2, 640)).currentRevision.imageUrl).toBeNull();
    expect((await read(picture.id, 1, 640)).thumbnailUrl).toContain('/images/');
    expect(await read(note.id, 1, 640)).toEqual({ thumbnailUrl: null, currentRevision: { imageUrl: null } });
  });

  it.each([0, 15, 2_049])('is refused with a width of %i', async (width) => {
    const { owner, report } = await setUp();
    const { errors } = await owner.graph(QUERY, { id: report.id, page: 1, width });
    expect(errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });

  it('is not available to strangers', async () => {
    const { stranger, report } = await setUp();
    const { data, errors } = await stranger.graph(QUERY, { id: report.id, page: 1, width: 100 });
    expect(data.document).toBeNull();
    expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  });

  it('is in REST v1 as well, for documents and revisions', async () => {
    const { owner, organization, project, report, note } = await setUp();
    const path = `/organizations/${organization.id}/projects/${project.id}/documents`;
    const documents = (await owner.rest('GET', path)).body.Documents;
    const revisions = (await owner.rest('GET', `${path}/${report.id}/revisions`)).body.DocumentRevisions;
    const of = (id: string) => documents.find(({ ID }: { ID: string }) => ID === id);
    expect(of(report.id)).toMatchObject({
      ThumbnailUrl: expect.stringContaining('/images/'),
      HasSinglePageImages: true,
    });
    expect(of(note.id)).toMatchObject({ ThumbnailUrl: '', HasSinglePageImages: false });
    expect(revisions[0].ThumbnailUrl).toContain('/images/');
  });
});
