import { describe, expect, it } from 'vitest';
import { newDocuments } from '../../../support/storage.ts';
import { newPerson, newWorld } from '../../../support/world.ts';

const LIST = `query ($id: ID!, $filter: DocumentFilter) { project(id: $id) {
  documents(first: 10, filter: $filter, orderBy: { field: NAME, direction: ASC }) {
    totalCount nodes { name signedAt origin thumbnailUrl } } } }`;

/** A PNG, a PDF of two pages, one whose pages are not counted yet, a text that is signed, and one from a form. */
async function setUp() {
  const { db, owner, project } = await newWorld();
  const ctx = await owner.context();
  const names = ['drawn.png', 'pages.pdf', 'pending.pdf', 'signed.txt', 'filled.txt'];
  const documents = await newDocuments(
    ctx,
    project.id,
    names.map((name) => ({ name })),
  );
  const idOf = Object.fromEntries(documents.map(({ name, id }) => [name, id]));
  const set = async (name: string, data: object, ofRevision: object = data) => {
    await db.prisma.document.update({ where: { id: idOf[name] as string }, data });
    await db.prisma.revision.updateMany({ where: { documentId: idOf[name] as string }, data: ofRevision });
  };
  await set('drawn.png', { contentType: 'image/png' });
  await set('pages.pdf', { contentType: 'application/pdf', pageCount: 2 });
  await set('pending.pdf', { contentType: 'application/pdf', pageCount: null });
  await set('signed.txt', { signedAt: new Date() }, {});
  await set('filled.txt', { origin: 'FORM' }, {});
  const documentsWith = async (filter: object, person = owner) =>
    (await person.graph(LIST, { id: project.id, filter })).data?.project?.documents;
  return { db, documentsWith };
}

describe('the filter of documents', () => {
  it.each([
    [{ signed: true }, ['signed.txt']],
    [{ signed: false }, ['drawn.png', 'filled.txt', 'pages.pdf', 'pending.pdf']],
    [{ origin: 'FORM' }, ['filled.txt']],
    [{ origin: 'UPLOAD', signed: false }, ['drawn.png', 'pages.pdf', 'pending.pdf']],
    [{ origin: 'SEAL' }, []],
    [{ hasPicture: true }, ['drawn.png', 'pages.pdf']],
    [{ hasPicture: false }, ['filled.txt', 'pending.pdf', 'signed.txt']],
    [{ signed: null, origin: null, hasPicture: null, namePrefix: 'P' }, ['pages.pdf', 'pending.pdf']],
  ])('%o selects and counts %o', async (filter, names) => {
    const { documentsWith } = await setUp();
    const { nodes, totalCount } = await documentsWith(filter);
    expect([nodes.map(({ name }: { name: string }) => name), totalCount]).toEqual([names, names.length]);
  });

  it('hasPicture agrees with thumbnailUrl', async () => {
    const { documentsWith } = await setUp();
    for (const hasPicture of [true, false]) {
      const { nodes } = await documentsWith({ hasPicture });
      for (const { thumbnailUrl } of nodes) expect(thumbnailUrl !== null).toBe(hasPicture);
    }
  });

  it('shows nothing to strangers', async () => {
    const { db, documentsWith } = await setUp();
    expect(await documentsWith({ signed: true }, await newPerson(db))).toBeUndefined();
  });
});
