import { describe, expect, it } from 'vitest';
import { issueApiKey } from '../../../../src/auth/api-key.ts';
import { sql } from '../../../../src/db/sql/sql.ts';
import { recordOpenedDocuments } from '../../../../src/domain/opened-documents/opened-document-change.ts';
import { counted } from '../../../support/database.ts';
import { newDocuments } from '../../../support/storage.ts';
import { joinProject, newMember, newWorld, type Person } from '../../../support/world.ts';

const LIST = `query ($id: ID!) { organization(id: $id) { recentlyOpenedDocuments(first: 20) {
  totalCount nodes { id openedAt document { id name } } } } }`;
const NODE = 'query ($id: ID!) { node(id: $id) { id } }';
const CLEAR = `mutation ($id: ID!) { clearRecentlyOpenedDocuments(input: { organizationId: $id }) { organization { id } } }`;
const READ = 'query ($id: ID!) { document(id: $id) { downloadUrl } }';

async function setUp() {
  const world = await newWorld();
  const { db, owner, organization, project } = world;
  const documents = await newDocuments(await owner.context(), project.id, [
    { name: 'a.txt' },
    { name: 'b.txt' },
    { name: 'c.txt' },
  ]);
  const member = await newMember(db, organization.id, 'MEMBER');
  const ids = documents.map(({ id }) => id) as [string, string, string];
  const list = async (who: Person) =>
    (await who.graph(LIST, { id: organization.id })).data.organization.recentlyOpenedDocuments;
  const names = async (who: Person) =>
    (await list(who)).nodes.map((each: { document: { name: string } }) => each.document.name);
  const read = (who: Person, id: string) => who.graph(READ, { id });
  /** As if all that was opened so far had been opened an hour earlier. */
  const wait = () =>
    db.query(sql`UPDATE opened_documents SET opened_at = opened_at - interval '1 hour'
      WHERE organization_id = ${organization.id}`);
  return { ...world, member, ids, list, names, read, wait };
}

describe('recently opened documents', () => {
  it('are those whose content a person asked for, newest first, each once', async () => {
    const { owner, ids, names, read, wait } = await setUp();
    for (const id of [ids[0], ids[1], ids[0]]) {
      expect((await read(owner, id)).errors).toBeUndefined();
      await wait();
    }
    expect(await names(owner)).toEqual(['a.txt', 'b.txt']);
  });

  it.each([
    ['the URL of the newest revision', 'document(id: $id) { currentRevision { downloadUrl } }'],
    ['a page as an image', 'document(id: $id) { currentRevision { imageUrl } }'],
    ['its URL as a node', 'node(id: $id) { ... on Document { downloadUrl } }'],
  ])('include a document of which one asked for %s', async (_, selection) => {
    const { owner, ids, names } = await setUp();
    await owner.graph(`query ($id: ID!) { ${selection} }`, { id: ids[2] });
    expect(await names(owner)).toEqual(['c.txt']);
  });

  it.each([
    ['the name', 'document(id: $id) { name }'],
    ['the thumbnail', 'document(id: $id) { thumbnailUrl }'],
    ['the URLs of a list', 'nodes(ids: [$id]) { ... on Document { downloadUrl } }'],
    ['all revisions', 'document(id: $id) { revisions { nodes { downloadUrl } } }'],
  ])('do not include one of which one asked for %s', async (_, selection) => {
    const { owner, ids, names } = await setUp();
    expect((await owner.graph(`query ($id: ID!) { ${selection} }`, { id: ids[2] })).errors).toBeUndefined();
    expect(await names(owner)).toEqual([]);
  });

  it('do not include what the payload of a mutation returned', async () => {
    const { owner, ids, names } = await setUp();
    const rename = `mutation ($id: ID!) { updateDocument(input: { documentId: $id, name: "d.txt" }) { document { downloadUrl } } }`;
    expect((await owner.graph(rename, { id: ids[0] })).errors).toBeUndefined();
    expect(await names(owner)).toEqual([]);
  });

  it('are recorded for a key that may only read', async () => {
    const { db, member, ids, names } = await setUp();
    const { secret } = await issueApiKey(db.prisma, { userId: member.id, name: 'reader', scopes: ['read'] });
    const reader = await member.with(secret);
    await reader.graph(READ, { id: ids[1] });
    expect(await names(reader)).toEqual(['b.txt']);
    expect((await reader.graph(CLEAR, { id: 'none' })).errors?.[0]?.extensions.code).toBe(
      'INSUFFICIENT_SCOPE',
    );
  });

  it('do not include what a program opens beyond twenty in a minute, and include the next one later', async () => {
    const { owner, project, ids, list, names, read, wait } = await setUp();
    const files = Array.from({ length: 21 }, (_, index) => ({ name: `export ${index}.txt` }));
    const exported = await newDocuments(await owner.context(), project.id, files);
    for (const { id } of exported) await read(owner, id);
    expect((await list(owner)).totalCount).toBe(20);
    await wait();
    await read(owner, ids[0]);
    expect((await names(owner))[0]).toBe('a.txt');
  });

  it('are visible to nobody else, also not as a node', async () => {
    const { owner, member, stranger, organization, ids, list, names, read } = await setUp();
    await read(member, ids[0]);
    const [{ id }] = (await list(member)).nodes;
    expect((await member.graph(NODE, { id })).data.node.id).toBe(id);
    expect(await names(owner)).toEqual([]);
    expect((await owner.graph(NODE, { id })).errors?.[0]?.extensions.code).toBe('NOT_FOUND');
    expect((await stranger.graph(LIST, { id: organization.id })).errors?.[0]?.extensions.code).toBe(
      'NOT_FOUND',
    );
  });

  it('do not include a document that the person does not see', async () => {
    const { db, stranger, ids, read } = await setUp();
    expect((await read(stranger, ids[0])).errors?.[0]?.extensions.code).toBe('NOT_FOUND');
    expect(await db.prisma.openedDocument.count({ where: { documentId: ids[0] } })).toBe(0);
  });

  it('are hidden while the document is in the recycle bin or invisible', async () => {
    const { db, owner, organization, project, ids, names, read } = await setUp();
    const guest = await newMember(db, organization.id, 'GUEST');
    const membership = await joinProject(db, project, guest, 'VIEWER');
    for (const id of [ids[0], ids[1]]) await read(guest, id);
    const bin = (name: string) =>
      owner.graph(`mutation ($ids: [ID!]!) { ${name}(input: { documentIds: $ids }) { __typename } }`, {
        ids: [ids[0]],
      });
    await bin('recycleDocuments');
    expect(await names(guest)).toEqual(['b.txt']);
    await bin('restoreDocuments');
    expect(await names(guest)).toHaveLength(2);
    await db.prisma.projectMember.delete({ where: { id: membership } });
    expect(await names(guest)).toEqual([]);
  });

  it('end with the document and with the membership', async () => {
    const { db, owner, member, organization, ids, read } = await setUp();
    await read(owner, ids[0]);
    await read(member, ids[1]);
    const bin = (name: string) =>
      owner.graph(`mutation ($ids: [ID!]!) { ${name}(input: { documentIds: $ids }) { __typename } }`, {
        ids: [ids[0]],
      });
    await bin('recycleDocuments');
    await bin('purgeDocuments');
    await db.prisma.membership.deleteMany({ where: { organizationId: organization.id, userId: member.id } });
    expect(await db.prisma.openedDocument.count({ where: { organizationId: organization.id } })).toBe(0);
  });

  it('are cleared by the person, for that person alone', async () => {
    const { owner, member, stranger, organization, ids, names, read } = await setUp();
    await read(owner, ids[0]);
    await read(member, ids[1]);
    expect((await owner.graph(CLEAR, { id: organization.id })).errors).toBeUndefined();
    expect([await names(owner), await names(member)]).toEqual([[], ['b.txt']]);
    expect((await stranger.graph(CLEAR, { id: organization.id })).errors?.[0]?.extensions.code).toBe(
      'NOT_FOUND',
    );
  });

  it('keep the newest hundred', async () => {
    const { db, owner, organization, project, ids, names, read, wait } = await setUp();
    const ctx = await owner.context();
    const names100 = Array.from({ length: 100 }, (_, index) => ({ name: `${index}.txt` }));
    const more = await newDocuments(ctx, project.id, names100);
    await read(owner, ids[0]);
    await wait();
    await recordOpenedDocuments(
      ctx,
      more.map(({ id }) => id),
    );
    expect(await db.prisma.openedDocument.count({ where: { organizationId: organization.id } })).toBe(100);
    expect(await names(owner)).not.toContain('a.txt');
  });

  it('are recorded once when several requests open a document at the same time', async () => {
    const { owner, ids, list, read } = await setUp();
    const answers = await Promise.all(ids.flatMap((id) => [read(owner, id), read(owner, id)]));
    expect(answers.map(({ errors }) => errors)).toEqual(answers.map(() => undefined));
    expect((await list(owner)).totalCount).toBe(3);
  });

  it('do not fail the read when they cannot be recorded', async () => {
    const { owner, ids } = await setUp();
    const ctx = await owner.context();
    const failures: unknown[] = [];
    const query = () => Promise.reject(new Error('read-only'));
    const refused = { ...ctx, db: { ...ctx.db, query }, report: (error: unknown) => failures.push(error) };
    expect(await recordOpenedDocuments(refused, [ids[0]])).toEqual([null]);
    expect(failures).toEqual([new Error('read-only')]);
  });

  it('write once a minute, and one statement for many', async () => {
    const { owner, ids, read } = await setUp();
    await read(owner, ids[0]);
    const again = await counted(() => read(owner, ids[0]));
    expect(again.statements.filter((each) => /INSERT INTO opened|DELETE FROM opened/.test(each))).toEqual([]);
    const both = await counted(() =>
      owner.graph(
        'query ($a: ID!, $b: ID!) { a: document(id: $a) { downloadUrl } b: document(id: $b) { downloadUrl } }',
        { a: ids[1], b: ids[2] },
      ),
    );
    expect(both.statements.filter((each) => each.includes('INSERT INTO opened'))).toHaveLength(1);
  });
});
