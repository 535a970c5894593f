import { expect, it, onTestFinished } from 'vitest';
import { sql } from '../../../src/db/sql/sql.ts';
import { reindex } from '../../../src/domain/search/search-reindex.ts';
import { counted, newDatabase } from '../../support/database.ts';
import { runJobs } from '../../support/jobs.ts';
import { newDocuments } from '../../support/storage.ts';
import { newWorld } from '../../support/world.ts';

/** Files with these contents, whose text was read, in a database of their own: reindexing takes all of it. */
async function setUp(...contents: string[]) {
  const db = await newDatabase();
  onTestFinished(() => db.close());
  const world = await newWorld(db);
  const ctx = await world.owner.context();
  const files = contents.map((content, index) => ({ name: `${index}.txt`, content }));
  const documents = await newDocuments(ctx, world.project.id, files);
  await runJobs(undefined, db);
  const { organization } = world;
  const statuses = async () => (await db.prisma.blob.findMany()).map(({ textStatus }) => textStatus);
  const entries = () => db.query<{ nameKey: string }>(sql`SELECT name_key FROM search_entries ORDER BY 1`);
  const texts = () => db.query<{ text: string }>(sql`SELECT text FROM search_texts ORDER BY 1`);
  const run = async (after?: string) => {
    const progress = [];
    for await (const each of reindex(db, after)) progress.push(each);
    return progress;
  };
  return { db, ctx, organization, documents, statuses, entries, texts, run };
}

it('adds missing entries, deletes entries without an object, and extracts the text of files again', async () => {
  const { db, ctx, organization, statuses, entries, texts, run } = await setUp('zephyr', 'breakwater');
  await db.query(sql`DELETE FROM search_entries`);
  await db.query(sql`DELETE FROM search_texts`);
  await db.query(sql`INSERT INTO search_entries (organization_id, subject_id, project_id, kind, state, name_key, created_by_id, created_at, modified_at, own)
    VALUES (${organization.id}, 'doc_gone', 'prj', 'DOCUMENT', 'ACTIVE', 'gone', ${ctx.viewer.userId}, now(), now(), '')`);
  const progress = await run();
  const meanwhile = await statuses();
  await runJobs(undefined, db);
  expect(meanwhile).toEqual(['PENDING', 'PENDING']);
  expect(await entries()).toEqual([{ nameKey: '0.txt' }, { nameKey: '1.txt' }]);
  expect(await texts()).toEqual([{ text: 'breakwater' }, { text: 'zephyr' }]);
  expect(progress.map(({ count }) => count)).toEqual([2, 2]);
  expect(progress.at(-1)?.last).toMatch(/^doc_/);
});

it('continues after an id', async () => {
  const { db, documents, entries, run } = await setUp('a', 'b');
  await db.query(sql`DELETE FROM search_entries`);
  const [first] = documents.map(({ id }) => id).sort();
  await run(first);
  expect(await entries()).toHaveLength(1);
});

it('writes ten entries in a transaction, so that changes never wait long for it', async () => {
  const { db, entries, run } = await setUp(...Array.from({ length: 23 }, (_, index) => `${index}`));
  await db.query(sql`DELETE FROM search_entries`);
  const { statements } = await counted(() => run());
  expect(statements.filter((text) => text.includes('search_refresh('))).toHaveLength(3);
  expect(await entries()).toHaveLength(23);
});
