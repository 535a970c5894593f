import type { Database } from '../src/db/database.ts';
import { openPostgres } from '../src/db/postgres/postgres.ts';
import type { Sql } from '../src/db/sql/sql.ts';
import { updateDocument } from '../src/domain/documents/document-change.ts';
import { updateFolder } from '../src/domain/folders/folder-change.ts';
import { createFolders } from '../src/domain/folders/folder-create.ts';
import { newDocuments } from '../test/support/storage.ts';
import { newWorld } from '../test/support/world.ts';
import { makeDatabase } from './data.ts';
import { median } from './rounds.ts';

/**
 * What it costs to record states: `npx tsx bench/history.ts`. Runs commands in one organization on PostgreSQL, several at once, in turn with states
 * and without, and prints commands a second and the median ratio with the least and the greatest. Without: no item differs from its state.
 */
const ROUNDS = 13;
const COMMANDS = 400;
const AT_ONCE = 4;

const withoutStates = (db: Database): Database => ({
  ...db,
  transact: (work) =>
    db.transact((session) =>
      work({
        ...session,
        query: async <Row>(statement: Sql) =>
          statement.render().text.includes('has_new_people') ? [] : session.query<Row>(statement),
      }),
    ),
});

async function openSite(db: Database) {
  const { project, owner } = await newWorld(db);
  const ctx = await owner.context();
  const projectId = project.id;
  const names = Array.from({ length: AT_ONCE }, (_, index) => ({ name: `Item ${index}.txt` }));
  const folders = await createFolders(ctx, { projectId, folders: names });
  const documents = await newDocuments(ctx, projectId, names);
  let count = 0;
  const works: Record<string, (index: number) => Promise<unknown>> = {
    'create a folder': () => createFolders(ctx, { projectId, folders: [{ name: `Folder ${count++}` }] }),
    'rename a folder': (index) =>
      updateFolder(ctx, { folderId: folders[index]?.id as string, name: `Renamed ${count++}` }),
    'change a document': (index) =>
      updateDocument(ctx, {
        ...{ documentId: documents[index]?.id as string, name: `Renamed ${count++}.txt` },
        tags: [`Tag ${index}`, `Tag ${count % 7}`],
      }),
  };
  return works;
}

async function perSecond(work: (index: number) => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, index) => {
      for (let left = COMMANDS / AT_ONCE; left > 0; left--) await work(index);
    }),
  );
  return (COMMANDS / (performance.now() - begin)) * 1_000;
}

const server = process.env.BENCH_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const { url, drop } = await makeDatabase(server);
const db = await openPostgres({ url, pool: 10, statementTimeout: 10_000 });
try {
  const [recorded, plain] = [await openSite(db), await openSite(withoutStates(db))];
  for (const name of Object.keys(recorded)) {
    const figures: { recorded: number; plain: number }[] = [];
    const run = async (works: typeof recorded) =>
      perSecond(works[name] as (index: number) => Promise<unknown>);
    for (let round = 0; round <= ROUNDS; round++)
      figures.push(
        round % 2
          ? { recorded: await run(recorded), plain: await run(plain) }
          : { plain: await run(plain), recorded: await run(recorded) },
      );
    // The first warms up.
    const ratios = figures.slice(1).map((each) => each.recorded / each.plain);
    const [least, greatest] = [Math.min(...ratios), Math.max(...ratios)];
    console.log(
      `${name}: ${median(figures.map((each) => each.recorded)).toFixed(0)}/s with states, ` +
        `${median(figures.map((each) => each.plain)).toFixed(0)}/s without, ` +
        `ratio ${median(ratios).toFixed(2)} (${least.toFixed(2)} to ${greatest.toFixed(2)})`,
    );
  }
} finally {
  await db.close();
  await drop();
}
