import { describe, expect, it } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { type Sql, sql } from '../../../src/db/sql/sql.ts';
import { inTransaction } from '../../../src/db/transaction.ts';
import { createComments } from '../../../src/domain/comments/comment.ts';
import { purgeDocuments, recycleDocuments } from '../../../src/domain/documents/document-bin.ts';
import { moveDocuments, updateDocument } from '../../../src/domain/documents/document-change.ts';
import { createFields, deleteFields } from '../../../src/domain/fields/field-change.ts';
import { updateFolder } from '../../../src/domain/folders/folder-change.ts';
import { createFolders } from '../../../src/domain/folders/folder-create.ts';
import { normalizedKey } from '../../../src/domain/kernel/input.ts';
import { listPages } from '../../../src/domain/kernel/listing.ts';
import { hitsOf, type SearchOrder } from '../../../src/domain/search/search.ts';
import { readSearch, type SearchFilter } from '../../../src/domain/search/search-query.ts';
import { deleteUnusedWords } from '../../../src/domain/search/search-vocabulary.ts';
import { joinedWordsOf, wordsOf } from '../../../src/domain/search/search-words.ts';
import { newId } from '../../../src/lib/id.ts';
import { newDatabase } from '../../support/database.ts';
import { explaining } from '../../support/plans.ts';
import { newDocuments } from '../../support/storage.ts';
import { newWorld } from '../../support/world.ts';

async function setUp() {
  const world = await newWorld();
  return { ...world, ctx: await world.owner.context() };
}

type World = Awaited<ReturnType<typeof setUp>>;

/** The differences between the index and the indexed rows. */
const differences = ({ db, organization: { id } }: World) => {
  const columns = sql`organization_id, subject_id, project_id, kind, state, name_key, folder_id, created_by_id, created_at, modified_at, own::text`;
  const rows = (table: Sql) => sql`SELECT ${columns} FROM ${table} WHERE organization_id = ${id}`;
  const [entries, sources] = [rows(sql`search_entries`), rows(sql`search_sources`)];
  return db.query(sql`(${entries} EXCEPT ${sources}) UNION ALL (${sources} EXCEPT ${entries})`);
};

async function find({ ctx, organization }: World, filter: SearchFilter, field: SearchOrder = 'RELEVANCE') {
  const search = readSearch(organization.id, filter);
  const args = { first: 25, filter: search, orderBy: { field, direction: 'DESC' as const } };
  const [page] = await listPages(
    ctx,
    hitsOf(ctx, 'organization', search, field),
    [{ organizationId: organization.id, id: organization.id }],
    args,
  );
  return page?.rows.map(({ id }) => id);
}

describe('the search index', () => {
  it('splits and folds text as a query does, for every character of the Basic Multilingual Plane and some others', async () => {
    const { db } = await setUp();
    const codes = Array.from({ length: 0xffff }, (_, index) => index + 1).filter(
      (code) => code < 0xd800 || code > 0xdfff,
    );
    const texts = [...codes, 0x1f680, 0x1f1e9, 0x20000, 0x10400, 0x1d400]
      .filter((code) => code !== 0x1f)
      .map((code) => normalizedKey(`a${String.fromCodePoint(code)}b`));
    const rows = await db.query<{ words: string[] }>(
      sql`SELECT search_words(t) AS words FROM unnest(${sql.texts(texts)}) WITH ORDINALITY AS x(t, position) ORDER BY position`,
    );
    const others = texts.filter(
      (text, index) => JSON.stringify(rows[index]?.words) !== JSON.stringify(wordsOf(text)),
    );
    expect(others).toEqual([]);
  });

  it('has the words that a text writes in parts as a query does, in one piece', async () => {
    const { db } = await setUp();
    const separators = [..." -./()_'’‘‛‐‑,;:+\n\u3000–", '', '  ', ') ', '\x1f'];
    const texts = separators.flatMap((each) => [
      `ab${each}12${each}34`,
      `12${each}34${each}cd ef`,
      `o${each}brien${each}s ٣${each}۴ ж${each}д 東${each}京`,
      `${'12345 '.repeat(12)}${each}1`,
    ]);
    const rows = await db.query<{ words: string[] }>(
      sql`SELECT search_joined(t) AS words FROM unnest(${sql.texts(texts)}) WITH ORDINALITY AS x(t, position) ORDER BY position`,
    );
    expect(rows.map(({ words }) => words)).toEqual(texts.map(joinedWordsOf));
    expect(rows.filter(({ words }) => words.length > 0).length).toBeGreaterThan(20);
  });

  it('equals the indexed objects after every change', async () => {
    const world = await setUp();
    const { ctx, db, project } = world;
    const projectId = project.id;
    const [a, b] = await createFolders(ctx, { projectId, folders: [{ name: 'A' }, { name: 'B' }] });
    const [field, other] = await createFields(ctx, {
      projectId,
      fields: [
        { name: 'Colour', type: 'TEXT' },
        { name: 'Size', type: 'TEXT' },
      ],
    });
    const documents = await newDocuments(ctx, projectId, [
      { name: 'one', tags: ['x', 'y'], folderId: a?.id },
      { name: 'two' },
      { name: 'three' },
    ]);
    const [one, two, three] = documents.map(({ id }) => id) as [string, string, string];
    for (const documentId of [one, two])
      await updateDocument(ctx, {
        documentId,
        name: `${documentId} renamed`,
        tags: ['z'],
        fieldValues: [
          { fieldId: field?.id as string, values: ['red'] },
          { fieldId: other?.id as string, values: ['large'] },
        ],
      });
    expect(await differences(world)).toEqual([]);
    await deleteFields(ctx, { projectId, fieldIds: [field?.id as string] });
    await updateFolder(ctx, { folderId: b?.id as string, name: 'Below', parentId: a?.id });
    await moveDocuments(ctx, { documentIds: [one, two], folderId: b?.id });
    await createComments(ctx, { documentId: two, texts: ['said'] });
    await recycleDocuments(ctx, { documentIds: [two, three] });
    expect(await differences(world)).toEqual([]);
    expect(await find(world, { query: 'red' })).toEqual([]);
    expect(await find(world, { query: 'large said', states: ['RECYCLED'] })).toEqual([two]);
    await purgeDocuments(ctx, { documentIds: [three] });
    expect(await differences(world)).toEqual([]);
    await db.prisma.project.delete({ where: { id: projectId } });
    expect(
      await db.query(sql`SELECT FROM search_entries WHERE organization_id = ${world.organization.id}`),
    ).toEqual([]);
  });

  it('has the newest comments if there are too many for one tsvector', async () => {
    const world = await setUp();
    const { ctx, project } = world;
    const [document] = await newDocuments(ctx, project.id, [{ name: 'thread' }]);
    const documentId = document?.id as string;
    let count = 0;
    const text = (first: string) =>
      [
        first,
        ...Array.from({ length: 240 }, () => `${(count++).toString(36).padStart(4, 'q')}${'ж'.repeat(34)}`),
      ]
        .join(' ')
        .slice(0, 10_000);
    for (let index = 0; index < 3; index++)
      await createComments(ctx, {
        documentId,
        texts: Array.from({ length: 20 }, (_, each) => text(`said${index}x${each}`)),
      });
    expect(await find(world, { query: '"said2x19" thread' })).toEqual([documentId]);
    await updateDocument(ctx, { documentId, name: 'renamed' });
    expect(await find(world, { query: 'renamed' })).toEqual([documentId]);
    await createComments(ctx, { documentId, texts: ['finally'] });
    expect(await find(world, { query: 'finally renamed' })).toEqual([documentId]);
    expect(await find(world, { query: '"said0x0"' })).toEqual([]);
  });

  it('removes the words of purged documents, and keeps the others', async () => {
    const world = await setUp();
    const { ctx, db, organization, project } = world;
    const [vanishing] = await newDocuments(ctx, project.id, [{ name: 'vanishing' }, { name: 'lasting' }]);
    await recycleDocuments(ctx, { documentIds: [vanishing?.id as string] });
    await purgeDocuments(ctx, { documentIds: [vanishing?.id as string] });
    await deleteUnusedWords(db);
    const words = await db.query(
      sql`SELECT DISTINCT word FROM search_vocabulary WHERE organization_id = ${organization.id}`,
    );
    expect(words).toEqual([{ word: 'lasting' }]);
  });

  it.runIf(process.env.TEST_DATABASE_URL)('loses no concurrent change of one document', async () => {
    const world = await setUp();
    const { ctx, db, organization, project } = world;
    const [field] = await createFields(ctx, {
      projectId: project.id,
      fields: [{ name: 'Note', type: 'TEXT' }],
    });
    const [document] = await newDocuments(ctx, project.id, [{ name: 'raced' }]);
    const documentId = document?.id as string;
    const [tag] = await db.query<{ id: string }>(
      sql`INSERT INTO tags (organization_id, id, project_id, text, text_key) VALUES (${organization.id}, ${newId('Tag')}, ${project.id}, 'late', 'late') RETURNING id`,
    );
    // Written to the tables directly, so that no lock of a command orders them.
    const location = { organizationId: organization.id, documentId };
    for (let round = 0; round < 10; round++) {
      await Promise.all([
        inTransaction(db, (tx) =>
          tx.prisma.documentTag.upsert({
            where: { organizationId_documentId_tagId: { ...location, tagId: tag?.id as string } },
            create: { ...location, tagId: tag?.id as string },
            update: {},
          }),
        ),
        db.prisma.documentFieldValue.create({
          data: {
            ...location,
            fieldId: field?.id as string,
            position: round,
            text: `v${round}`,
            textKey: `v${round}`,
          },
        }),
        db.prisma.document.updateMany({
          where: { id: documentId },
          data: { name: `n${round}`, nameKey: `n${round}` },
        }),
        createComments(ctx, { documentId, texts: [`said${round}`] }),
      ]);
      expect(await differences(world)).toEqual([]);
      expect(await find(world, { query: `"n${round}" "v${round}" "said0" "late"` })).toEqual([documentId]);
      await db.prisma.documentTag.deleteMany({ where: location });
    }
  });

  it.runIf(process.env.TEST_DATABASE_URL)(
    'answers every search from indexes, also beside another large organization',
    async () => {
      const world = await setUp();
      const other = await setUp();
      for (const { db, organization, project, owner } of [world, other]) {
        const ids = Array.from({ length: 4_000 }, () => newId('Document'));
        await db.query(sql`INSERT INTO documents (organization_id, id, project_id, name, name_key, revision_number, content_type, size, created_by_id)
        SELECT ${organization.id}, x, ${project.id}, 'common n' || position, 'common n' || position, 1, 'text/plain', 1, ${owner.id}
        FROM unnest(${sql.texts(ids)}) WITH ORDINALITY AS i(x, position)`);
      }
      await world.db.query(sql`ANALYZE`);
      const plans: [SearchFilter, SearchOrder][] = [
        [{ query: '"n17"' }, 'RELEVANCE'],
        [{ query: 'n17' }, 'RELEVANCE'],
        [{ query: 'common' }, 'RELEVANCE'],
        [{ query: 'common' }, 'CREATED_AT'],
        [{ query: 'common "n17"' }, 'NAME'],
        [{ query: 'common -n1' }, 'MODIFIED_AT'],
        [{ query: 'tag:x' }, 'RELEVANCE'],
        [{}, 'NAME'],
        [{}, 'CREATED_AT'],
        [{}, 'MODIFIED_AT'],
      ];
      for (const [filter, field] of plans) {
        const { reader, lines } = explaining(world.db);
        const search = readSearch(world.organization.id, filter);
        const parent = { organizationId: world.organization.id, id: world.organization.id };
        const args = { first: 25, filter: search, orderBy: { field, direction: 'DESC' as const } };
        await listPages(world.ctx, hitsOf(world.ctx, 'organization', search, field), [parent], args, {
          reader,
        });
        const scans = lines.filter((line) => /Seq Scan on (search|documents)/.test(line));
        expect([filter, field, scans]).toEqual([filter, field, []]);
        expect(lines.join()).toMatch(/Index Scan.* search_entries/);
      }
    },
  );
});

/** `count` folders in a project of a new organization. */
async function newFolders(db: Database, count: number) {
  const { organization, project, owner } = await newWorld(db);
  await db.query(sql`INSERT INTO folders (organization_id, id, project_id, ancestor_ids, link_sealed, name, name_key, created_by_id)
    SELECT ${organization.id}, 'fld_' || x, ${project.id}, '{}', x, 'f', 'f', ${owner.id}
    FROM (SELECT ${organization.id} || n AS x FROM generate_series(1, ${count}::int) n) names`);
  return organization.id;
}

describe('in an organization with thousands of objects since the last ANALYZE', () => {
  it.each([
    [
      'creating',
      sql`INSERT INTO folders (organization_id, id, project_id, ancestor_ids, link_sealed, name, name_key, created_by_id)
        SELECT organization_id, id || 'x', project_id, '{}', link_sealed || 'x', name, name_key, created_by_id FROM few`,
    ],
    ['renaming', sql`UPDATE folders SET name_key = 'other' WHERE id IN (SELECT id FROM few)`],
    ['deleting', sql`DELETE FROM folders WHERE id IN (SELECT id FROM few)`],
  ])('%s a few of them reads few entries of the index', async (_, change) => {
    const db = await newDatabase();
    await newFolders(db, 2_000);
    await db.query(sql`ANALYZE`);
    const id = await newFolders(db, 4_000);
    const read = await inTransaction(db, async (tx) => {
      await tx.query(sql`CREATE TEMPORARY TABLE few ON COMMIT DROP AS
        SELECT * FROM folders WHERE organization_id = ${id} ORDER BY id LIMIT 5`);
      await tx.query(change);
      return tx.query<{
        rows: bigint;
      }>(sql`SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) AS rows
        FROM pg_stat_xact_user_tables WHERE relname = 'search_entries'`);
    });
    expect(Number(read[0]?.rows)).toBeLessThan(50);
    await db.close();
  });
});
