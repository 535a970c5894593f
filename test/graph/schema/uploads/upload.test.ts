import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { cancelUpload, receiveUpload, reserveUploads } from '../../../../src/domain/uploads/upload.ts';
import { confirmUploads } from '../../../../src/domain/uploads/upload-confirm.ts';
import { newId } from '../../../../src/lib/id.ts';
import { counted } from '../../../support/database.ts';
import { upload } from '../../../support/storage.ts';
import { newMember, newWorld, type Person } from '../../../support/world.ts';

const RESERVE = `mutation ($input: ReserveUploadsInput!) { reserveUploads(input: $input) { uploads { id url objectId expiresAt } } }`;
const CONFIRM = `mutation ($input: ConfirmUploadsInput!) { confirmUploads(input: $input) { documents { id name size contentType pageCount revisionNumber tags folder { name } } } }`;
const LIST = `query ($id: ID!) { project(id: $id) { documents { totalCount } } }`;

const codes = (errors: { extensions: { code: string } }[] | undefined) =>
  errors?.map((error) => error.extensions.code);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const countOf = async (person: Person, id: string) =>
  (await person.graph(LIST, { id })).data.project.documents.totalCount;

describe('uploads', () => {
  it('are reserved, each with a signed URL that needs no escapes', async () => {
    const { owner, project } = await newWorld();
    const { data } = await owner.graph(RESERVE, { input: { projectId: project.id, count: 3 } });
    const { uploads } = data.reserveUploads;
    expect(new Set(uploads.map(({ id }: { id: string }) => id)).size).toBe(3);
    expect(uploads[0].url).toMatch(/^http:\/\/docgraph\.test\/uploads\/[\w.-]+$/);
  });

  it.each([
    [
      'left\u200eto right.txt',
      'names.1: must not contain control, formatting or invisible characters (U+200E)',
    ],
    [
      'right\u200fto left.txt',
      'names.1: must not contain control, formatting or invisible characters (U+200F)',
    ],
    [
      'soft\u00adhyphen.txt',
      'names.1: must not contain control, formatting or invisible characters (U+00AD)',
    ],
    ['zero\u200bwidth.txt', 'names.1: must not contain control, formatting or invisible characters (U+200B)'],
    [
      '\u2066isolate\u2069.txt',
      'names.1: must not contain control, formatting or invisible characters (U+2066)',
    ],
    ['x'.repeat(256), 'names.1: must not be longer than 255 characters'],
    ['', 'names.1: must not be empty'],
  ])('are not reserved for %j, which a confirmation would refuse after all bytes', async (refused, message) => {
    const { owner, project, db } = await newWorld();
    const { errors } = await owner.graph(RESERVE, {
      input: { projectId: project.id, names: ['a.txt', refused] },
    });
    expect(errors).toMatchObject([{ message, extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(await db.prisma.upload.count({ where: { projectId: project.id } })).toBe(0);
    const uploadId = await upload(await owner.context(), project.id, 'x');
    const confirmed = await owner.graph(CONFIRM, { input: { files: [{ uploadId, name: refused }] } });
    expect(confirmed.errors?.[0]?.message).toBe(message.replace('names.1', 'files.0.name'));
  });

  it('are reserved for each of the names, which stay as they were given', async () => {
    const { owner, project } = await newWorld();
    const names = ['می\u200Cخواهم.txt', 'Us 👨\u200D👩\u200D👧.txt', 'CON.', '..'];
    const { data } = await owner.graph(RESERVE, { input: { projectId: project.id, names } });
    expect(data.reserveUploads.uploads).toHaveLength(4);
    const ctx = await owner.context();
    const files = await Promise.all(
      names.map(async (name) => ({ uploadId: await upload(ctx, project.id, name), name })),
    );
    const { documents } = (await owner.graph(CONFIRM, { input: { files } })).data.confirmUploads;
    expect(documents.map(({ name }: { name: string }) => name)).toEqual(names);
    const other = await owner.graph(RESERVE, { input: { projectId: project.id, names, count: 3 } });
    expect(other.errors?.[0]?.message).toBe('names: must be one for each of the 3 files');
  });

  it('have URLs that contain the organization, whose share of the bandwidth they use', async () => {
    const { owner, project, organization } = await newWorld();
    const { data } = await owner.graph(RESERVE, { input: { projectId: project.id } });
    const { signedUrls } = (await owner.context()).storage;
    const ticket = await signedUrls.readUpload(data.reserveUploads.uploads[0].url.split('/').at(-1));
    expect(ticket).toMatchObject({ organizationId: organization.id, session: false });
  });

  it('become documents with the type of their bytes, in input order', async () => {
    const { owner, project } = await newWorld();
    const ctx = await owner.context();
    const files = [
      { uploadId: await upload(ctx, project.id, 'plain words'), name: 'a.txt', tags: ['One'] },
      { uploadId: await upload(ctx, project.id, '%PDF-1.4 broken'), name: 'b.bin' },
      { uploadId: await upload(ctx, project.id, ''), name: 'empty' },
    ];
    const { data, errors } = await owner.graph(CONFIRM, { input: { files } });
    expect(errors).toBeUndefined();
    expect(data.confirmUploads.documents).toMatchObject([
      {
        name: 'a.txt',
        size: 11,
        contentType: 'text/plain',
        pageCount: null,
        revisionNumber: 1,
        tags: ['One'],
      },
      { name: 'b.bin', size: 15, contentType: 'application/pdf', pageCount: null },
      { name: 'empty', size: 0 },
    ]);
  });

  it('are confirmed with the same number of statements, for any number of uploads', async () => {
    const { owner, project } = await newWorld();
    const ctx = await owner.context();
    const statementsFor = async (count: number) => {
      const files: { uploadId: string; name: string }[] = [];
      for (let index = 0; index < count; index++)
        files.push({
          uploadId: await upload(ctx, project.id, `file ${index} of ${count}`),
          name: 'note.txt',
        });
      return (await counted(() => confirmUploads(ctx, { files }))).statements;
    };
    expect(await statementsFor(12)).toEqual(await statementsFor(2));
  });

  it('cannot be received or confirmed once they are cancelled', async () => {
    const { db, owner, project } = await newWorld();
    const ctx = await owner.context();
    const [reserved] = await reserveUploads(ctx, { projectId: project.id });
    const blobId = reserved?.blobId as string;
    expect([await cancelUpload(db, blobId), await cancelUpload(db, blobId)]).toEqual([true, true]);
    expect(await receiveUpload(db, blobId, { size: 1, sha256: new Uint8Array(32) })).toBe(false);
    const uploadId = await upload(ctx, project.id, 'received');
    const { blobId: received } = await db.prisma.upload.findUniqueOrThrow({ where: { id: uploadId } });
    expect(await cancelUpload(db, received)).toBe(true);
    const { errors } = await owner.graph(CONFIRM, { input: { files: [{ uploadId, name: 'a' }] } });
    expect(codes(errors)).toEqual(['CONFLICT']);
    expect(await countOf(owner, project.id)).toBe(0);
  });

  it('cannot be cancelled once they are documents', async () => {
    const { db, owner, project } = await newWorld();
    const uploadId = await upload(await owner.context(), project.id, 'stored');
    await owner.graph(CONFIRM, { input: { files: [{ uploadId, name: 'a' }] } });
    const { blobId } = await db.prisma.upload.findUniqueOrThrow({ where: { id: uploadId } });
    expect(await cancelUpload(db, blobId)).toBe(false);
    expect(await countOf(owner, project.id)).toBe(1);
  });

  it('result in the same document when confirmed repeatedly, whatever the second input', async () => {
    const { owner, project } = await newWorld();
    const uploadId = await upload(await owner.context(), project.id, 'once');
    const first = await owner.graph(CONFIRM, { input: { files: [{ uploadId, name: 'a' }] } });
    const again = await owner.graph(CONFIRM, { input: { files: [{ uploadId, name: 'other', size: 99 }] } });
    expect(again).toEqual(first);
    expect(await countOf(owner, project.id)).toBe(1);
  });

  it.each([
    [{ size: 4 }, 'files.1.size'],
    [{ sha256: sha256('other') }, 'files.1.sha256'],
    [{ name: '' }, 'files.1.name'],
    [{ folderId: newId('Folder') }, 'files.1.folderId'],
    [{ fieldValues: [{ fieldId: newId('Field'), values: ['x'] }] }, 'files.1.fieldValues.0.fieldId'],
    [{ documentId: newId('Document') }, 'files.1.documentId'],
  ])('are all refused, with nothing stored, if one of them has %j', async (wrong, at) => {
    const { owner, project } = await newWorld();
    const ctx = await owner.context();
    const valid = {
      uploadId: await upload(ctx, project.id, 'fine'),
      name: 'a',
      sha256: sha256('fine'),
      size: 4,
    };
    const bad = { uploadId: await upload(ctx, project.id, 'other words'), name: 'b' };
    const { errors } = await owner.graph(CONFIRM, { input: { files: [valid, { ...bad, ...wrong }] } });
    expect(errors?.[0]?.extensions.at).toBe(at);
    expect(await countOf(owner, project.id)).toBe(0);
    const right = await owner.graph(CONFIRM, { input: { files: [valid, bad] } });
    expect(right.data.confirmUploads.documents).toHaveLength(2);
  });

  it('answer CONFLICT while bytes are missing, and after they expired', async () => {
    const { db, owner, project } = await newWorld();
    const ctx = await owner.context();
    const [reserved] = await reserveUploads(ctx, { projectId: project.id });
    const input = { files: [{ uploadId: reserved?.id, name: 'a' }] };
    expect(codes((await owner.graph(CONFIRM, { input })).errors)).toEqual(['CONFLICT']);
    const late = await upload(ctx, project.id, 'late');
    await db.prisma.upload.update({ where: { id: late }, data: { state: 'EXPIRED' } });
    const { errors } = await owner.graph(CONFIRM, { input: { files: [{ uploadId: late, name: 'a' }] } });
    expect(errors?.[0]?.message).toBe('The reservation has expired; reserve anew.');
  });

  it('can be confirmed after the server stopped between receiving the last byte and recording it', async () => {
    const { owner, project } = await newWorld();
    const ctx = await owner.context();
    const [reserved] = await reserveUploads(ctx, { projectId: project.id });
    if (!reserved) throw new Error('nothing was reserved');
    await ctx.storage.store.finish(reserved.blobId, 0);
    const [document] = await confirmUploads(ctx, { files: [{ uploadId: reserved.id, name: 'a' }] });
    expect(document?.size).toBe(0n);
  });

  it('store equal bytes once in an organization, and separately in another', async () => {
    const one = await newWorld();
    const two = await newWorld();
    for (const { owner, project } of [one, one, two]) {
      const ctx = await owner.context();
      const uploadId = await upload(ctx, project.id, 'the same bytes');
      await confirmUploads(ctx, { files: [{ uploadId, name: 'a' }] });
    }
    const organizations = [one.organization.id, two.organization.id];
    const blobs = await one.db.prisma.blob.groupBy({
      by: ['organizationId'],
      where: { organizationId: { in: organizations } },
      _count: true,
    });
    expect(blobs.map(({ _count }) => _count)).toEqual([1, 1]);
  });

  it('set the values of fields, normalized by type', async () => {
    const { db, owner, project, organization } = await newWorld();
    const make = (type: 'NUMBER' | 'DATE', name: string) =>
      db.prisma.field.create({
        data: {
          organizationId: organization.id,
          id: newId('Field'),
          projectId: project.id,
          name,
          nameKey: name.toLowerCase(),
          type,
          createdById: owner.id,
        },
      });
    const [amount, due] = [await make('NUMBER', 'Amount'), await make('DATE', 'Due')];
    const uploadId = await upload(await owner.context(), project.id, 'x');
    const values = (number: string, date: string) => ({
      input: {
        files: [
          {
            uploadId,
            name: 'a',
            fieldValues: [
              { fieldId: amount.id, values: [number] },
              { fieldId: due.id, values: [date] },
            ],
          },
        ],
      },
    });
    for (const [number, date] of [
      ['12x', '2026-01-31'],
      ['12', 'tomorrow'],
      ['Infinity', '2026-01-31'],
    ] as const)
      expect(codes((await owner.graph(CONFIRM, values(number, date))).errors)).toEqual(['BAD_USER_INPUT']);
    await owner.graph(CONFIRM, values('-12.50', '2026-01-31'));
    const rows = await db.prisma.documentFieldValue.findMany({
      where: { organizationId: organization.id },
      orderBy: { text: 'asc' },
    });
    expect(rows.map(({ text, number, date }) => [text, number?.toString(), date?.toISOString()])).toEqual([
      ['-12.50', '-12.5', undefined],
      ['2026-01-31', undefined, '2026-01-31T00:00:00.000Z'],
    ]);
  });

  it('can be confirmed only by the person who reserved them, in their project', async () => {
    const { db, owner, organization, project, stranger } = await newWorld();
    const uploadId = await upload(await owner.context(), project.id, 'mine');
    const input = { files: [{ uploadId, name: 'a' }] };
    const colleague = await newMember(db, organization.id, 'ADMIN');
    for (const person of [stranger, colleague])
      expect(codes((await person.graph(CONFIRM, { input })).errors)).toEqual(['NOT_FOUND']);
    const other = await newWorld();
    expect(
      codes((await owner.graph(CONFIRM, { input: { ...input, projectId: other.project.id } })).errors),
    ).toEqual(['NOT_FOUND']);
    expect(codes((await stranger.graph(RESERVE, { input: { projectId: project.id } })).errors)).toEqual([
      'NOT_FOUND',
    ]);
  });

  it('are recorded as received once, and not after they expired', async () => {
    const { db, owner, project } = await newWorld();
    const ctx = await owner.context();
    const blob = { size: 0, sha256: Uint8Array.from(createHash('sha256').digest()) };
    const [fresh, late] = await reserveUploads(ctx, { projectId: project.id, count: 2 });
    await db.prisma.upload.update({
      where: { id: late?.id },
      data: { createdAt: new Date(0), expiresAt: new Date(1) },
    });
    expect(await receiveUpload(db, fresh?.blobId as string, blob)).toBe(true);
    expect(await receiveUpload(db, fresh?.blobId as string, blob)).toBe(true);
    expect(await receiveUpload(db, late?.blobId as string, blob)).toBe(false);
    expect(await receiveUpload(db, newId('Blob'), blob)).toBe(false);
  });

  it.runIf(process.env.TEST_DATABASE_URL)(
    'result in one document when twenty confirmations race',
    async () => {
      const { owner, project } = await newWorld();
      const ctx = await owner.context();
      const uploadId = await upload(ctx, project.id, 'raced for');
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => confirmUploads(ctx, { files: [{ uploadId, name: 'a' }] })),
      );
      expect(new Set(answers.map(([document]) => document?.id)).size).toBe(1);
      expect(await countOf(owner, project.id)).toBe(1);
    },
  );

  it.runIf(process.env.TEST_DATABASE_URL)(
    'number the revisions of one document without gaps when confirmations race',
    async () => {
      const { db, owner, project } = await newWorld();
      const ctx = await owner.context();
      const first = await upload(ctx, project.id, 'first');
      const [document] = await confirmUploads(ctx, { files: [{ uploadId: first, name: 'a' }] });
      const documentId = document?.id as string;
      const uploads = [];
      for (let count = 0; count < 15; count++)
        uploads.push(await upload(ctx, project.id, `revision ${count % 5}`));
      await Promise.all(
        uploads.map((uploadId) => confirmUploads(ctx, { files: [{ uploadId, name: 'a', documentId }] })),
      );
      const numbers = await db.prisma.revision.findMany({
        where: { documentId },
        orderBy: { number: 'asc' },
      });
      expect(numbers.map(({ number }) => number)).toEqual(
        Array.from({ length: 16 }, (_, index) => index + 1),
      );
    },
  );
});
