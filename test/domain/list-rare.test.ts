import { describe, expect, it } from 'vitest';
import type { Database, Transaction } from '../../src/db/database.ts';
import { type Sql, sql } from '../../src/db/sql.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { visibleFeed } from '../../src/domain/access-event.ts';
import type { Context } from '../../src/domain/context.ts';
import type { DocumentFilter } from '../../src/domain/document-filter.ts';
import { documentsOfFolder, documentsOfProject, documentsOfViewer } from '../../src/domain/document-list.ts';
import { eventsOfOrganization } from '../../src/domain/event-feed.ts';
import { type Listing, listPages, type Parent } from '../../src/domain/listing.ts';
import { countRows } from '../../src/domain/listing-count.ts';
import { LOOKED_AT } from '../../src/domain/listing-rare.ts';
import type { Page } from '../../src/domain/page.ts';
import { createProjects } from '../../src/domain/project.ts';
import { tasksOfProject } from '../../src/domain/task.ts';
import { newId } from '../../src/lib/id.ts';
import { newDatabase } from '../support/database.ts';
import { mixedRights } from '../support/mixed-rights.ts';
import { joinProject, newMember, newWorld, type Person } from '../support/world.ts';

type AnyListing = Listing<{ id: string }, object, string>;

const idsOf = async (ctx: Context, listing: AnyListing, parents: Parent[], filter: object, field: string) => {
  const args = { first: 100, filter, orderBy: { field, direction: 'DESC' as const } };
  return (await listPages(ctx, listing, parents, args)).map(({ rows }) => rows.map(({ id }) => id));
};

/** All that a list holds, in pages of 200. */
async function allOf(ctx: Context, listing: AnyListing, parent: Parent, filter: object, field: string) {
  const found: string[] = [];
  let after: string | undefined;
  for (let more = true; more; ) {
    const args = { first: 200, after, filter, orderBy: { field, direction: 'DESC' as const } };
    const [page]: Page<{ id: string }>[] = await listPages(ctx, listing, [parent], args);
    if (!page) throw new Error('no page');
    found.push(...page.rows.map(({ id }) => id));
    more = page.hasNextPage;
    after = page.rows.length > 0 ? page.cursorOf(page.rows.at(-1) as { id: string }) : undefined;
  }
  return found;
}

/** What the two ways find, of all in every order, and count. Gives how much that is; undefined where there is but one way. */
async function requireSame(ctx: Context, listing: AnyListing, parents: Parent[], filter: object) {
  const rare = listing.rare?.(ctx, filter);
  if (!rare) return undefined;
  const through = { ...listing, rare: undefined, kept: undefined };
  const orders = Object.keys(filter).length === 0 ? Object.keys(listing.sorts) : ['NAME'];
  for (const field of orders) {
    const found = await idsOf(ctx, through, parents, filter, field);
    expect(await idsOf(ctx, rare.listing(), parents, filter, field)).toEqual(found);
    expect(await idsOf(ctx, listing, parents, filter, field)).toEqual(found);
  }
  const counts = await countRows(ctx, through, parents, filter);
  expect(await countRows(ctx, listing, parents, filter)).toEqual(counts);
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The mixed rights, with every seventh document in the recycle bin, and every fourth tagged. */
async function setUp() {
  const world = await mixedRights();
  const { db, org } = world;
  // Of each role one, and the stranger.
  const [owner, , member, other, , guest, , stranger] = world.people;
  const people = [owner, member, other, guest, stranger] as Person[];
  await db.query(sql`UPDATE documents SET state = 'RECYCLED', recycled_at = now(), recycled_by_id = ${owner?.id}, purge_at = now() + interval '1 day'
    WHERE organization_id = ${org} AND right(name, 1) IN ('7', '3') AND name <> 'D3'`);
  await db.query(sql`INSERT INTO tags (organization_id, id, project_id, text, text_key)
    SELECT organization_id, replace(id, 'prj', 'tag'), id, 'Red', 'red' FROM projects WHERE organization_id = ${org}`);
  await db.query(sql`INSERT INTO document_tags (organization_id, document_id, tag_id)
    SELECT organization_id, id, replace(project_id, 'prj', 'tag') FROM documents
    WHERE organization_id = ${org} AND right(name, 1) IN ('1', '3', '6', '8')`);
  const parents = (table: string) =>
    db.query<Parent>(
      sql`SELECT organization_id, id FROM ${sql.raw(table)} WHERE organization_id = ${org} ORDER BY id`,
    );
  return { ...world, people, projects: await parents('projects'), folders: await parents('folders') };
}

describe('a list of which someone sees little', () => {
  it('is the same, whichever way it is found', async () => {
    const { people, projects, folders } = await setUp();
    const [, , maker] = people;
    const filters: DocumentFilter[] = [
      {},
      { state: 'RECYCLED' },
      { tag: 'RED' },
      { createdById: maker?.id as string },
      { belowFolderId: folders[1]?.id as string },
      { namePrefix: 'd1', contentType: 'text/plain' },
      { state: 'RECYCLED', tag: 'red', namePrefix: 'D' },
    ];
    let both = 0;
    for (const person of people) {
      const ctx = await person.context();
      const mine = [{ organizationId: '', id: person.id }];
      for (const filter of filters)
        for (const found of [
          await requireSame(ctx, documentsOfProject as AnyListing, projects, filter),
          await requireSame(ctx, documentsOfFolder as AnyListing, folders, filter),
          await requireSame(ctx, documentsOfViewer(ctx, filter) as AnyListing, mine, filter),
        ])
          if (found) both++;
      for (const filter of [
        {},
        { states: ['OPEN'] },
        { assigneeEmail: maker?.email },
        { createdById: maker?.id },
      ])
        if (await requireSame(ctx, tasksOfProject as AnyListing, projects, filter)) both++;
    }
    expect(both).toBeGreaterThan(50);
  });
});

/** Something happened to everything there is, of two kinds; some of it by now is gone. */
async function addEvents({ db, org }: Awaited<ReturnType<typeof setUp>>) {
  const tail = org.slice(-20);
  const tables = ['projects', 'folders', 'documents', 'tasks', 'form_templates', 'processes', 'approvals'];
  const things = tables.map(
    (table) =>
      sql`SELECT id, ${table === 'projects' ? sql`id` : sql`project_id`} AS project_id FROM ${sql.raw(table)} WHERE organization_id = ${org}`,
  );
  await db.query(sql`INSERT INTO events (organization_id, sequence, id, project_id, subject_id, kind, data, created_at, hash)
    SELECT ${org}, 1000 + row_number() OVER (ORDER BY md5(x.id || kind)), 'evt_' || ${tail} || row_number() OVER (ORDER BY md5(x.id || kind)),
      x.project_id, x.id, kind, '{}', now(), sha256('x')
    FROM (${sql.join(
      [
        ...things,
        sql`SELECT 'doc_gone', id FROM projects WHERE organization_id = ${org}`,
        sql`SELECT user_id, NULL FROM memberships WHERE organization_id = ${org}`,
        sql`SELECT user_id, project_id FROM project_members WHERE organization_id = ${org}`,
      ],
      ' UNION ALL ',
    )}) x(id, project_id) CROSS JOIN unnest(ARRAY['document.purged', 'task.completed']) kind`);
}

describe('the feed of an organization', () => {
  it('is the same, whichever way it is found', async () => {
    const world = await setUp();
    await addEvents(world);
    const { db, org, people } = world;
    const lengths = new Set<number>();
    for (const person of people) {
      const found = await person.context();
      const ctx = { ...found, limits: { ...found.limits, pageSizeMax: 500 } };
      const { viewer } = ctx;
      const expected = async (fit: Sql) =>
        (
          await db.query<{ id: string }>(sql`SELECT e.id FROM events e
        WHERE e.organization_id = ${org} AND ${fit} AND ${visibleFeed(viewer)} ORDER BY e.sequence DESC`)
        ).map(({ id }) => id);
      const listing = eventsOfOrganization(ctx, org) as AnyListing;
      for (const [filter, fit] of [
        [{}, sql`true`],
        [{ kinds: ['document.purged'] }, sql`e.kind = 'document.purged'`],
        [{ kinds: ['task.*', 'document.purged', 'document.*', 'form.*'] }, sql`e.sequence > 1000`],
      ] as const) {
        const all = await expected(fit);
        for (const each of [listing, listing.rare?.(ctx, filter)?.listing() ?? listing])
          expect(await allOf(ctx, each, { organizationId: org, id: org }, filter, 'SEQUENCE')).toEqual(all);
        lengths.add(all.length);
      }
    }
    expect(lengths.size).toBeGreaterThan(5);
  });
});

/** A project of which a member sees five documents of many, and one of which they see all three. */
async function setUpMany(many: number, on?: Database) {
  const world = await newWorld(on);
  const { db, owner, organization } = world;
  const projects = await createProjects(await owner.context(), {
    organizationId: organization.id,
    projects: [{ name: 'Large', access: 'RESTRICTED' }, { name: 'Small' }],
  });
  const member = await newMember(db, organization.id, 'MEMBER');
  for (const [place, count] of [many, 3].entries()) {
    const ids = Array.from({ length: count }, () => newId('Document'));
    await db.query(sql`INSERT INTO documents
      (organization_id, id, project_id, name, name_key, revision_number, content_type, size, created_by_id, created_at)
      SELECT ${organization.id}, x, ${projects[place]?.id}, 'n', 'n' || n, 1, 'text/plain', 1, ${owner.id}, timestamptz '2026-01-01' + n * interval '1 minute'
      FROM unnest(${ids}::text[]) WITH ORDINALITY AS i(x, n)`);
    if (place === 0)
      for (const documentId of [0, 1, many / 2, many - 2, many - 1].map((index) => ids[index] as string))
        await db.prisma.documentAssignment.create({
          data: { organizationId: organization.id, documentId, email: member.email },
        });
  }
  await joinProject(db, projects[0] as never, member, 'VIEWER');
  return { ...world, projects, member };
}

describe('a page of it', () => {
  it('goes on from one end to the other, beside those of lists that are seen as a whole', async () => {
    const { projects, member } = await setUpMany(LOOKED_AT * 2);
    const query = (page: string) =>
      `{ ${projects.map(({ id }, place) => `p${place}: project(id: "${id}") { documents(${place === 0 ? page : 'first: 2'}) { totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { node { id } } } }`).join(' ')} }`;
    const seen: string[][] = [[], []];
    for (const [way, page] of ['first: 2, after:', 'last: 2, before:'].entries())
      for (let cursor = 'null', more = true; more; ) {
        const { data } = await member.graph(query(`${page} ${cursor}`));
        const { edges, pageInfo, totalCount } = data.p0.documents;
        expect([totalCount, data.p1.documents.totalCount, data.p1.documents.edges.length]).toEqual([5, 3, 2]);
        const ids = edges.map(({ node }: { node: { id: string } }) => node.id);
        seen[way] = way === 0 ? [...(seen[way] ?? []), ...ids] : [...ids, ...(seen[way] ?? [])];
        more = way === 0 ? pageInfo.hasNextPage : pageInfo.hasPreviousPage;
        cursor = JSON.stringify(way === 0 ? pageInfo.endCursor : pageInfo.startCursor);
      }
    expect(new Set(seen[0]).size).toBe(5);
    expect(seen[1]).toEqual(seen[0]);
  });
});

/** How many rows of documents it reads. */
async function rowsRead(tx: Transaction, work: () => Promise<unknown>): Promise<number> {
  const rows = sql`SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) AS rows
    FROM pg_stat_xact_user_tables WHERE relname = 'documents'`;
  const [before] = await tx.query<{ rows: bigint }>(rows);
  await work();
  const [after] = await tx.query<{ rows: bigint }>(rows);
  return Number(after?.rows) - Number(before?.rows);
}

describe.runIf(process.env.TEST_DATABASE_URL)('on PostgreSQL', () => {
  it('a page and a number read some of what is there, and what one sees', async () => {
    const db = await newDatabase();
    const { projects, member, owner } = await setUpMany(8_000, db);
    await db.query(sql`VACUUM ANALYZE`);
    const [ofMember, ofOwner] = [await member.context(), await owner.context()];
    const home = [{ organizationId: '', id: member.id }];
    const page = { first: 25, orderBy: { field: 'NAME', direction: 'ASC' } as const };
    const byMember = { createdById: member.id };
    const reads = await inTransaction(db, async (tx) => ({
      project: await rowsRead(tx, () =>
        listPages(ofMember, documentsOfProject, projects, { ...page, filter: {} }, tx),
      ),
      viewer: await rowsRead(tx, () =>
        listPages(ofMember, documentsOfViewer(ofMember, {}), home, { ...page, filter: {} }, tx),
      ),
      filter: await rowsRead(tx, () =>
        listPages(ofOwner, documentsOfProject, projects, { ...page, filter: byMember }, tx),
      ),
      number: await rowsRead(tx, () => countRows(ofMember, documentsOfProject, projects, {}, tx)),
    }));
    for (const [what, rows] of Object.entries(reads)) expect([what, rows < 1_000]).toEqual([what, true]);
    expect(reads.project).toBeGreaterThan(LOOKED_AT);
    await db.close();
  });
});
