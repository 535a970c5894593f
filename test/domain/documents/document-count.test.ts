import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql/sql.ts';
import { inTransaction } from '../../../src/db/transaction.ts';
import {
  purgeDocuments,
  recycleDocuments,
  restoreDocuments,
} from '../../../src/domain/documents/document-bin.ts';
import type { DocumentFilter } from '../../../src/domain/documents/document-filter.ts';
import { documentsOfProject } from '../../../src/domain/documents/document-list.ts';
import { allFolders } from '../../../src/domain/folders/folder.ts';
import type { Context } from '../../../src/domain/kernel/context.ts';
import { COUNT_LIMIT, countRows } from '../../../src/domain/kernel/listing-count.ts';
import { createProjects } from '../../../src/domain/projects/project.ts';
import { countPages } from '../../../src/domain/projects/project-totals.ts';
import { newId } from '../../../src/lib/id.ts';
import { explaining } from '../../support/plans.ts';
import { joinProject, newMember, newWorld } from '../../support/world.ts';

type World = Awaited<ReturnType<typeof setUp>>;

/** An owner, and a member with the first of ten documents of a restricted project assigned; document n has n pages. */
async function setUp() {
  const world = await newWorld();
  const { db, owner, organization } = world;
  const ctx = await owner.context();
  const [project] = await createProjects(ctx, {
    organizationId: organization.id,
    projects: [{ name: 'Restricted', access: 'RESTRICTED' }],
  });
  if (!project) throw new Error('no project');
  const ids = await addDocuments({ ...world, project }, 10);
  const member = await newMember(db, organization.id, 'MEMBER');
  await joinProject(db, project, member, 'EDITOR');
  await db.prisma.documentAssignment.create({
    data: { organizationId: organization.id, documentId: ids[0] as string, email: member.email },
  });
  return { ...world, ctx, project, ids, member };
}

/** Adds documents in one statement; document n has n pages. */
async function addDocuments(
  { db, owner, project }: Pick<World, 'db' | 'owner' | 'project'>,
  count: number,
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('Document'));
  await db.query(sql`INSERT INTO documents
    (organization_id, id, project_id, name, name_key, revision_number, content_type, size, page_count, created_by_id)
    SELECT ${project.organizationId}, x, ${project.id}, 'n', 'n', 1, 'application/pdf', 1, position, ${owner.id}
    FROM unnest(${sql.texts(ids)}) WITH ORDINALITY AS i(x, position)`);
  return ids;
}

const numberOf = async (ctx: Context, project: World['project'], filter: DocumentFilter = {}) =>
  (await countRows(ctx, documentsOfProject, [project], filter))[0]?.count;

/** The stored counts, and the counts of the documents. */
async function standing({ db, project: { id } }: Pick<World, 'db' | 'project'>) {
  const numbers = sql`count(*) FILTER (WHERE state = 'ACTIVE')::int AS active, count(*) FILTER (WHERE state = 'RECYCLED')::int AS recycled,
    coalesce(sum(page_count) FILTER (WHERE state = 'ACTIVE'), 0)::int AS pages`;
  const [there] = await db.query<object>(sql`SELECT ${numbers} FROM documents WHERE project_id = ${id}`);
  const [storedCounts] = await db.query<object>(
    sql`SELECT coalesce(sum(active), 0)::int AS active, coalesce(sum(recycled), 0)::int AS recycled, coalesce(sum(pages), 0)::int AS pages
      FROM document_counts WHERE project_id = ${id}`,
  );
  return { storedCounts, there };
}

describe('the stored document counts of a project', () => {
  it('equal the number of documents after every change', async () => {
    const world = await setUp();
    const { ctx, db, project, ids } = world;
    const readings: object[] = [];
    const compareCounts = async () => {
      const { storedCounts, there } = await standing(world);
      expect(storedCounts).toEqual(there);
      readings.push(storedCounts as object);
    };
    await compareCounts();
    await recycleDocuments(ctx, { documentIds: ids.slice(0, 4) });
    await compareCounts();
    await restoreDocuments(ctx, { documentIds: ids.slice(0, 1) });
    await purgeDocuments(ctx, { documentIds: ids.slice(1, 3) });
    await compareCounts();
    await db.query(sql`UPDATE documents SET page_count = NULL WHERE id = ANY(${ids.slice(8)})`);
    await db.query(sql`UPDATE documents SET page_count = page_count + 100 WHERE project_id = ${project.id}`);
    await compareCounts();
    expect(readings).toEqual([
      { active: 10, recycled: 0, pages: 55 },
      { active: 6, recycled: 4, pages: 45 },
      { active: 7, recycled: 1, pages: 46 },
      { active: 7, recycled: 1, pages: 527 },
    ]);
  });

  it('are deleted with the project and its documents', async () => {
    const world = await setUp();
    await world.db.prisma.project.delete({ where: { id: world.project.id } });
    expect(
      await world.db.query(sql`SELECT FROM document_counts WHERE project_id = ${world.project.id}`),
    ).toEqual([]);
  });

  it('are limited to what the caller sees: all for an owner, assigned documents for a member, none for a stranger', async () => {
    const { owner, member, stranger, project, ids, ctx } = await setUp();
    await recycleDocuments(ctx, { documentIds: ids.slice(1, 3) });
    const counts = [];
    for (const person of [owner, member, stranger]) {
      const context = await person.context();
      const [totals] = await countPages(context, [project.id]);
      counts.push([
        await numberOf(context, project),
        await numberOf(context, project, { state: 'RECYCLED' }),
        totals?.pages,
      ]);
    }
    expect(counts).toEqual([
      [8, 2, 50n],
      [1, 0, 1n],
      [0, 0, 0n],
    ]);
  });

  it('are replaced by a count if there is another filter', async () => {
    const { ctx, db, project, ids } = await setUp();
    await db.prisma.document.update({ where: { id: ids[0] as string }, data: { legalHold: true } });
    const filters: DocumentFilter[] = [
      {},
      { atRoot: false },
      { atRoot: true },
      { legalHold: false },
      { legalHold: true },
      { contentType: 'text/plain' },
    ];
    const counts = [];
    for (const filter of filters) counts.push(await numberOf(ctx, project, filter));
    expect(counts).toEqual([10, 10, 10, 9, 1, 0]);
  });

  it('are used without scanning documents if the caller sees all of them', async () => {
    const { ctx, project } = await setUp();
    const { reader, lines } = explaining(ctx.db, true);
    const asking = { ...ctx, db: { ...ctx.db, ...reader } };
    await numberOf(asking, project);
    await countPages(asking, [project.id]);
    const scans = lines.filter((line) => / on documents\b/.test(line));
    expect(scans).toHaveLength(2);
    expect(scans.filter((line) => !/never executed/.test(line))).toEqual([]);
  });
});

describe.runIf(process.env.TEST_DATABASE_URL)('concurrent changes of stored counts', () => {
  it('that add, recycle and purge documents lose no update', async () => {
    const world = await setUp();
    const { ctx, db, project } = world;
    const batches: string[][] = [];
    for (let index = 0; index < 20; index++) batches.push(await addDocuments(world, 3));
    await Promise.all(
      batches.map(async (documentIds, index) => {
        await addDocuments(world, 2);
        await recycleDocuments(ctx, { documentIds });
        if (index % 2) await purgeDocuments(ctx, { documentIds: documentIds.slice(1) });
      }),
    );
    const { storedCounts, there } = await standing(world);
    expect(storedCounts).toEqual(there);
    expect(storedCounts).toMatchObject({ active: 50, recycled: 40 });
    const rows = await db.query(sql`SELECT FROM document_counts WHERE project_id = ${project.id}`);
    expect(rows.length).toBeLessThanOrEqual(25);
  });

  it('do not wait for another open transaction', async () => {
    const world = await setUp();
    const { ctx, db, ids } = world;
    await inTransaction(db, async (tx) => {
      await tx.query(sql`UPDATE documents SET page_count = 100 WHERE id = ${ids[0]}`);
      await recycleDocuments(ctx, { documentIds: ids.slice(1, 2) });
      expect(await standing(world)).toMatchObject({ storedCounts: { active: 9, recycled: 1, pages: 53 } });
    });
    const { storedCounts, there } = await standing(world);
    expect(storedCounts).toEqual(there);
    expect(storedCounts).toEqual({ active: 9, recycled: 1, pages: 152 });
  });
});

describe('a count that is not stored', () => {
  it('stops at ten thousand, and is marked as not exact', async () => {
    const { db, owner, organization, project } = await newWorld();
    const ctx = await owner.context();
    const add = (from: number, to: number) =>
      db.query(sql`INSERT INTO folders (organization_id, id, project_id, ancestor_ids, link_sealed, name, name_key, created_by_id)
        SELECT ${organization.id}, 'fld_' || x, ${project.id}, '{}', x, 'f', 'f', ${owner.id}
        FROM (SELECT ${organization.id} || n AS x FROM generate_series(${from}::int, ${to}::int) n) names`);
    const number = async () => (await countRows(ctx, allFolders, [project], {}))[0];
    await add(1, COUNT_LIMIT);
    expect(await number()).toEqual({ count: COUNT_LIMIT, exact: true });
    await add(COUNT_LIMIT + 1, COUNT_LIMIT + 5);
    expect(await number()).toEqual({ count: COUNT_LIMIT, exact: false });
    const { data } = await owner.graph(
      `{ project(id: "${project.id}") { folders(first: 1) { totalCount totalCountIsExact } documents(first: 1) { totalCount totalCountIsExact } } }`,
    );
    expect(data.project).toEqual({
      folders: { totalCount: COUNT_LIMIT, totalCountIsExact: false },
      documents: { totalCount: 0, totalCountIsExact: true },
    });
  });
});
