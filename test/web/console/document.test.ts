import { PDFDocument } from '@cantoo/pdf-lib';
import { beforeAll, describe, expect, it } from 'vitest';
import { counted } from '../../support/database.ts';
import { openAll } from '../../support/opened.ts';
import { newDocuments } from '../../support/storage.ts';
import { joinProject } from '../../support/world.ts';
import { HOSTILE, newScene } from './scene.ts';

let scene: Awaited<ReturnType<typeof newScene>>;
let path: string;

beforeAll(async () => {
  scene = await newScene();
  path = `${scene.path}/projects/${scene.project.id}`;
  await joinProject(scene.db, scene.project, scene.member, 'VIEWER');
});

const newDocument = async (name: string, content?: string | Uint8Array, documentId?: string) => {
  const files = [{ name, content, documentId }];
  const [document] = await newDocuments(await scene.owner.context(), scene.project.id, files);
  if (!document) throw new Error('no document');
  return { ...document, path: `${path}/documents/${document.id}` };
};

async function pdfOf(pages: number): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  for (let each = 0; each < pages; each++) pdf.addPage([200, 280]);
  return pdf.save();
}

const commentOn = async (documentId: string, count: number) => {
  const mutation = `mutation ($input: CreateCommentsInput!) { createComments(input: $input) { comments { id } } }`;
  const texts = Array.from({ length: count }, (_, index) => `Comment ${index}`);
  await scene.owner.graph(mutation, { input: { documentId, texts } });
};

describe('a document in the console', () => {
  it('is shown with what it is, its revisions, and links to its content on this server', async () => {
    const first = await newDocument('tide.txt', 'high');
    await newDocument('tide.txt', 'highest', first.id);
    const { status, text } = await scene.as.member.open(first.path);
    expect(status).toBe(200);
    expect(text).toContain('<title>tide.txt – Harbor – Docgraph</title>');
    for (const each of ['Text, 7 bytes', 'Revision 2', 'Revision 1', 'There are no comments.'])
      expect(text).toContain(each);
    const downloads = [...text.matchAll(/href="(\/downloads\/[^"]+)"/g)].map(([, url]) => url ?? '');
    expect(downloads).toHaveLength(3);
    const contents = await Promise.all(downloads.map((url) => scene.as.member.open(url)));
    expect(contents.map((content) => content.text)).toEqual(['highest', 'highest', 'high']);
  });

  it('shows pictures of six pages at once, each with a text, and links to the others', async () => {
    const document = await newDocument('plan.pdf', await pdfOf(8));
    const first = await scene.as.member.open(document.path);
    expect(first.text.match(/alt="Page \d of plan.pdf" loading="lazy"/g)).toHaveLength(6);
    expect(first.text).toContain(`href="${document.path}?page=7#pages"`);
    const last = await scene.as.member.open(`${document.path}?page=7`);
    expect(last.text.match(/alt="Page \d/g)).toEqual(['alt="Page 7', 'alt="Page 8']);
    const picture = /src="(\/images\/[^"]+)"/.exec(first.text)?.[1] ?? '';
    const { status, headers } = await scene.as.member.open(picture);
    expect([status, headers.get('content-type')]).toEqual([200, 'image/webp']);
  });

  it.each(['0', '-1', 'x', '99999999999', '1.5'])('shows its beginning for page=%s', async (page) => {
    const document = await newDocument('short.pdf', await pdfOf(1));
    const { status, text } = await scene.as.member.open(`${document.path}?page=${page}`);
    expect([status, text.includes('alt="Page 1 of')]).toEqual([200, true]);
  });

  it('takes as many statements with twenty comments and ten revisions as with two', async () => {
    const [few, many] = [await newDocument('few.txt'), await newDocument('many.txt')];
    await commentOn(few.id, 2);
    await commentOn(many.id, 20);
    await newDocument('few.txt', 'few again', few.id);
    for (let each = 0; each < 9; each++) await newDocument('many.txt', `many ${each}`, many.id);
    await openAll(scene.db, scene.organization.id);
    const statementsOf = async (document: { path: string }) =>
      (await counted(() => scene.as.member.open(document.path))).statements.length;
    await statementsOf(few);
    expect(await statementsOf(many)).toBe(await statementsOf(few));
  });

  it('gets an earlier revision back as its newest one', async () => {
    const document = await newDocument('back.txt', 'first');
    await newDocument('back.txt', 'second', document.id);
    const { text } = await scene.as.owner.open(document.path);
    expect(text.match(/name="revision" value="\d+"/g)).toEqual(['name="revision" value="1"']);
    const restored = await scene.as.owner.submit(`${document.path}/revisions`, { revision: '1' });
    expect(restored.headers.get('location')).toBe(`${document.path}?done=revision#revisions`);
    const after = await scene.as.owner.open(document.path);
    expect(after.text).toContain('restored from revision 1');
    for (const revision of ['9', 'x', ''])
      expect((await scene.as.owner.submit(`${document.path}/revisions`, { revision })).status).toBe(422);
  });

  it('is renamed, unless somebody else changed it meanwhile', async () => {
    const document = await newDocument('draft.txt');
    const { text } = await scene.as.owner.open(document.path);
    const version = /name="version" value="(\d+)"/.exec(text)?.[1] ?? '';
    const renamed = await scene.as.owner.submit(document.path, { name: 'final.txt', version });
    expect(renamed.headers.get('location')).toBe(`${document.path}?done=renamed`);
    const stale = await scene.as.owner.submit(document.path, { name: 'mine.txt', version });
    expect([stale.status, /<details class="card" open="">.*value="mine.txt"/s.test(stale.text)]).toEqual([
      409,
      true,
    ]);
    const empty = await scene.as.owner.submit(document.path, { name: ' ', version });
    expect([empty.status, empty.text.includes('href="#name"')]).toEqual([422, true]);
  });

  it('gets comments, which are shown as text, newest first', async () => {
    const document = await newDocument('discussed.txt');
    await commentOn(document.id, 1);
    const added = await scene.as.owner.submit(`${document.path}/comments`, { text: HOSTILE });
    expect(added.headers.get('location')).toBe(`${document.path}?done=commented#comments`);
    const { text } = await scene.as.member.open(document.path);
    expect(text).not.toContain('<script>alert');
    expect(text.indexOf('&lt;script&gt;alert')).toBeLessThan(text.indexOf('Comment 0'));
    const empty = await scene.as.owner.submit(`${document.path}/comments`, { text: '' });
    expect([empty.status, empty.text.includes('href="#text"')]).toEqual([422, true]);
    const long = await scene.as.owner.submit(`${document.path}/comments`, { text: 'x'.repeat(10_001) });
    expect([long.status, long.text.includes('href="#text"')]).toEqual([422, true]);
  });

  it('goes to the recycle bin after a confirmation, and comes back', async () => {
    const document = await newDocument('away.txt');
    const unconfirmed = await scene.as.owner.submit(`${document.path}/recycle`);
    expect([unconfirmed.status, unconfirmed.text.includes('href="#confirm"')]).toEqual([422, true]);
    const recycled = await scene.as.owner.submit(`${document.path}/recycle`, { confirm: 'yes' });
    expect(recycled.headers.get('location')).toBe(`${path}?done=recycled`);
    expect((await scene.as.owner.open(path)).text).not.toContain('away.txt');
    const bin = await scene.as.member.open(`${path}/bin`);
    expect(bin.text).toContain(`href="${document.path}"`);
    const { text } = await scene.as.owner.open(document.path);
    expect(text).toContain('is in the recycle bin');
    expect(text).not.toContain('Rename the document');
    const restored = await scene.as.owner.submit(`${document.path}/restore`);
    expect(restored.headers.get('location')).toBe(`${document.path}?done=restored`);
    expect((await scene.as.owner.open(path)).text).toContain('away.txt');
  });

  it('is changed by no viewer and no stranger', async () => {
    const document = await newDocument('fixed.txt');
    const { text } = await scene.as.member.open(document.path);
    for (const each of ['Rename', 'recycle bin', 'Your comment']) expect(text).not.toContain(each);
    for (const [below, form] of [
      ['', { name: 'Taken', version: '1' }],
      ['/comments', { text: 'Taken' }],
      ['/recycle', { confirm: 'yes' }],
      ['/restore', {}],
      ['/revisions', { revision: '1' }],
    ] as const) {
      expect([below, (await scene.as.member.submit(document.path + below, form)).status]).toEqual([
        below,
        403,
      ]);
      expect([below, (await scene.as.stranger.submit(document.path + below, form)).status]).toEqual([
        below,
        404,
      ]);
    }
  });

  it('shows the values of its fields, and those of sensitive ones on request only', async () => {
    const document = await newDocument('account.txt');
    const fields = `mutation ($input: CreateFieldsInput!) { createFields(input: $input) { fields { id } } }`;
    const { data, errors } = await scene.owner.graph(fields, {
      input: {
        projectId: scene.project.id,
        fields: [
          { name: HOSTILE, type: 'TEXT' },
          { name: 'Account', type: 'TEXT', sensitive: true },
        ],
      },
    });
    expect(errors).toBeUndefined();
    const [open, secret] = data.createFields.fields;
    const update = `mutation ($input: UpdateDocumentInput!) { updateDocument(input: $input) { document { id } } }`;
    const fieldValues = [
      { fieldId: open.id, values: ['Pier 7'] },
      { fieldId: secret.id, values: ['DE12'] },
    ];
    await scene.owner.graph(update, { input: { documentId: document.id, fieldValues } });
    const { text } = await scene.as.member.open(document.path);
    expect(text).toContain('<bdi>&lt;script&gt;alert');
    expect(text).toMatch(/<dd><bdi>Pier 7<\/bdi>/);
    expect(text).toMatch(/<details><summary>Show<\/summary><bdi>DE12/);
  });
});
