import { describe, expect, it } from 'vitest';
import type { Database, Transaction } from '../../../src/db/database.ts';
import { type Sql, sql } from '../../../src/db/sql/sql.ts';
import { inTransaction } from '../../../src/db/transaction.ts';
import { visibleEvents } from '../../../src/domain/access/access-event.ts';
import { approvalsOfOrganization, approvalsOfProject } from '../../../src/domain/approvals/approval.ts';
import { runsOfProcess } from '../../../src/domain/approvals/process-run.ts';
import { commentsOfProject } from '../../../src/domain/comments/comment.ts';
import type { DocumentFilter } from '../../../src/domain/documents/document-filter.ts';
import {
  documentsOfFolder,
  documentsOfProject,
  documentsOfViewer,
} from '../../../src/domain/documents/document-list.ts';
import { eventsOfOrganization } from '../../../src/domain/events/event-feed.ts';
import { allFolders, childFolders, rootFolders } from '../../../src/domain/folders/folder.ts';
import { formsOfProject } from '../../../src/domain/forms/form.ts';
import { submissionsOfForm } from '../../../src/domain/forms/form-submission.ts';
import type { Context } from '../../../src/domain/kernel/context.ts';
import { type Listing, listPages, type Parent } from '../../../src/domain/kernel/listing.ts';
import { countRows } from '../../../src/domain/kernel/listing-count.ts';
import { EXTENDED_SCAN_ROWS, SCAN_ROWS } from '../../../src/domain/kernel/listing-sparse.ts';
import type { Page } from '../../../src/domain/kernel/page.ts';
import { tables } from '../../../src/domain/kernel/tables.ts';
import { membersOfOrganization } from '../../../src/domain/organizations/member.ts';
import { createProjects, projectsOfOrganization } from '../../../src/domain/projects/project.ts';
import { recentForms } from '../../../src/domain/signatures/signature-form.ts';
import { sessionsOfProject } from '../../../src/domain/signatures/signature-session.ts';
import { tasksOfProject } from '../../../src/domain/tasks/task.ts';
import { newId } from '../../../src/lib/id.ts';
import { newDatabase } from '../../support/database.ts';
import { mixedObjects } from '../../support/mixed-rights.ts';
import { rowsRead } from '../../support/plans.ts';
import { joinProject, newMember, newWorld, type Person } from '../../support/world.ts';

type AnyListing = Listing<{ id: string }, object, string>;

const idsOf = async (ctx: Context, listing: AnyListing, parents: Parent[], filter: object, field: string) => {
  const args = { first: 100, filter, orderBy: { field, direction: 'DESC' as const } };
  return (await listPages(ctx, listing, parents, args)).map(({ rows }) => rows.map(({ id }) => id));
};

/** The ids of a list, read in pages of 200. */
async function allOf(ctx: Context, listing: AnyListing, parent: Parent, filter: object, field: string) {
  const ids: string[] = [];
  let after: string | undefined;
  for (let more = true; more; ) {
    const args = { first: 200, after, filter, orderBy: { field, direction: 'DESC' as const } };
    const [page]: Page<{ id: string }>[] = await listPages(ctx, listing, [parent], args);
    if (!page) throw new Error('no page');
    ids.push(...page.rows.map(({ id }) => id));
    more = page.hasNextPage;
    after = page.rows.length > 0 ? page.cursorOf(page.rows.at(-1) as { id: string }) : undefined;
  }
  return ids;
}

/** Compares both queries of a sparse list in every order. Returns the count; undefined if there is one query only. */
async function requireSame(ctx: Context, listing: AnyListing, parents: Parent[], filter: object) {
  const sparse = listing.sparse?.(ctx, filter);
  if (!sparse) return undefined;
  const through = { ...listing, sparse: undefined, storedCount: undefined };
  const orders = Object.keys(listing.sorts).slice(0, Object.keys(filter).length === 0 ? undefined : 1);
  for (const field of orders) {
    const ids = await idsOf(ctx, through, parents, filter, field);
    expect(await idsOf(ctx, sparse.fallback(), parents, filter, field)).toEqual(ids);
    expect(await idsOf(ctx, listing, parents, filter, field)).toEqual(ids);
  }
  const counts = await countRows(ctx, through, parents, filter);
  expect(await countRows(ctx, listing, parents, filter)).toEqual(counts);
  return counts.reduce((sum, { count }) => sum + count, 0);
}

describe('a sparse list', () => {
  it('has the same rows from either query', async () => {
    const { people, projects, folders } = await mixedObjects();
    const [, , creator] = people;
    const filters: DocumentFilter[] = [
      {},
      { state: 'RECYCLED' },
      { tag: 'RED' },
      { createdById: creator?.id as string },
      { belowFolderId: folders[1]?.id as string },
      { namePrefix: 'd1', contentType: 'text/plain' },
      { contentType: 'text/plain', state: 'RECYCLED' },
      { legalHold: true },
      { signed: true },
      { signed: false, namePrefix: 'd1' },
      { origin: 'FORM' },
      { hasPicture: true },
      { hasPicture: false, origin: 'UPLOAD' },
      { createdAfter: new Date('2026-01-01'), createdBefore: new Date('2036-01-01') },
      { state: 'RECYCLED', tag: 'red', namePrefix: 'D' },
    ];
    let comparisons = 0;
    for (const person of people) {
      const ctx = await person.context();
      const mine = [{ organizationId: '', id: person.id }];
      for (const filter of filters)
        for (const count of [
          await requireSame(ctx, documentsOfProject as AnyListing, projects, filter),
          await requireSame(ctx, documentsOfFolder as AnyListing, folders, filter),
          await requireSame(ctx, documentsOfViewer(ctx, filter) as AnyListing, mine, filter),
        ])
          if (count) comparisons++;
    }
    expect(comparisons).toBeGreaterThan(50);
  });

  it('has the same rows for every list of a project, and for projects', async () => {
    const { db, org, people, projects, folders, forms, processes } = await mixedObjects();
    const [, , creator] = people;
    await db.query(
      sql`UPDATE approvals SET state = 'APPROVED', decided_at = now(), decided_by_id = ${creator?.id} WHERE organization_id = ${org} AND right(id, 1) < '5'`,
    );
    const item = sql`SELECT coalesce(document_id, task_id) AS id, process_id, created_by_id FROM process_runs WHERE project_id = ${projects[0]?.id} ORDER BY id LIMIT 1`;
    const [run] = await db.query<{ id: string; processId: string; createdById: string }>(item);
    const organizations = [{ organizationId: org, id: org }];
    const lists: [AnyListing, Parent[], object[]][] = [
      [
        tasksOfProject as AnyListing,
        projects,
        [{ states: ['OPEN'] }, { assigneeEmail: creator?.email }, { createdById: creator?.id }],
      ],
      [rootFolders as AnyListing, projects, [{ namePrefix: 'F' }]],
      [allFolders as AnyListing, projects, [{ namePrefix: 'f1' }]],
      [childFolders as AnyListing, folders, [{ namePrefix: 'f1' }]],
      [formsOfProject as AnyListing, projects, [{ namePrefix: 'm1' }, { state: 'SHARED' }]],
      [
        approvalsOfProject as AnyListing,
        projects,
        [
          { state: 'PENDING' },
          { itemId: run?.id },
          { processId: run?.processId, state: 'APPROVED' },
          { waitsForViewer: true },
          { waitsForViewer: false },
          { requestedById: run?.createdById },
        ],
      ],
      [
        approvalsOfOrganization as AnyListing,
        organizations,
        [
          { state: 'PENDING' },
          { itemId: run?.id },
          { waitsForViewer: true },
          { requestedById: run?.createdById, state: 'APPROVED' },
        ],
      ],
      [sessionsOfProject as AnyListing, projects, [{ state: 'DRAFT' }]],
      [runsOfProcess as AnyListing, processes, []],
      [submissionsOfForm as AnyListing, forms, []],
      [recentForms as AnyListing, projects, [{ namePrefix: 'd1', exceptId: 'x' }]],
      [
        projectsOfOrganization as AnyListing,
        organizations,
        [{ namePrefix: 'p' }, { access: 'RESTRICTED' }, { viewerRoles: ['EDITOR'] }],
      ],
    ];
    const countsByList = new Map<string, Set<number | undefined>>();
    for (const person of people) {
      const ctx = await person.context();
      for (const [listing, parents, filters] of lists)
        for (const filter of [{}, ...filters]) {
          const label = `${listing.name} ${JSON.stringify(filter)}`;
          const count = await requireSame(ctx, listing, parents, filter);
          countsByList.set(label, (countsByList.get(label) ?? new Set()).add(count));
        }
    }
    const guest = await (people[3] as Person).context();
    for (const filter of [{}, { roles: ['MEMBER'] }, { namePrefix: 'p' }]) {
      const total = await requireSame(guest, membersOfOrganization as AnyListing, organizations, filter);
      expect(total).toBeGreaterThan(0);
    }
    // Each list is sparse for somebody and not empty, and its count differs between people.
    for (const [label, counts] of countsByList)
      expect([label, counts.size > 1, [...counts].some(Boolean)]).toEqual([label, true, true]);
  });
});

/** Adds events of two kinds to every object; some of the objects are purged. */
async function addEvents({ db, org }: Awaited<ReturnType<typeof mixedObjects>>) {
  const tail = org.slice(-20);
  const tables = ['projects', 'folders', 'documents', 'tasks', 'form_templates', 'processes', 'approvals'];
  const objects = tables.map(
    (table) =>
      sql`SELECT id, ${table === 'projects' ? sql`id` : sql`project_id`} AS project_id FROM ${sql.raw(table)} WHERE organization_id = ${org}`,
  );
  await db.query(sql`INSERT INTO events (organization_id, sequence, id, project_id, subject_id, kind, data, created_at, hash)
    SELECT ${org}, 1000 + row_number() OVER (ORDER BY md5(x.id || kind)), 'evt_' || ${tail} || row_number() OVER (ORDER BY md5(x.id || kind)),
      x.project_id, x.id, kind, '{}', now(), sha256('x')
    FROM (${sql.join(
      [
        ...objects,
        sql`SELECT 'doc_gone', id FROM projects WHERE organization_id = ${org}`,
        sql`SELECT user_id, NULL FROM memberships WHERE organization_id = ${org}`,
        sql`SELECT user_id, project_id FROM project_members WHERE organization_id = ${org}`,
      ],
      ' UNION ALL ',
    )}) x(id, project_id) CROSS JOIN unnest(ARRAY['document.purged', 'task.completed']) kind`);
}

describe('the comments of a project', () => {
  it('have the same rows from either query', async () => {
    const { db, org, people, projects } = await mixedObjects();
    const subjects = (kind: string, table: string) =>
      sql`SELECT id, project_id, ${kind} AS kind FROM ${sql.raw(table)} WHERE organization_id = ${org}`;
    await db.query(sql`INSERT INTO events (organization_id, sequence, id, project_id, subject_id, kind, data, created_at, hash)
      SELECT ${org}, 1000 + row_number() OVER (ORDER BY md5(x.id)), 'evt_' || x.kind || x.id, x.project_id, x.id, x.kind, '{"text":"x"}', now(), sha256('x')
      FROM (${subjects('document.commented', 'documents')} UNION ALL ${subjects('task.commented', 'tasks')}
        UNION ALL ${subjects('document.moved', 'documents')}) x`);
    const counts = new Set<number | undefined>();
    for (const person of people)
      counts.add(await requireSame(await person.context(), commentsOfProject as AnyListing, projects, {}));
    expect([counts.size > 2, [...counts].some(Boolean)]).toEqual([true, true]);
  });
});

describe('the feed of an organization', () => {
  it('has the same rows from either query', async () => {
    const world = await mixedObjects();
    await addEvents(world);
    const { db, org, people } = world;
    const lengths = new Set<number>();
    for (const person of people) {
      const context = await person.context();
      const ctx = { ...context, limits: { ...context.limits, pageSizeMax: 500 } };
      const { viewer } = ctx;
      const expected = async (fit: Sql) =>
        (
          await db.query<{ id: string }>(sql`SELECT e.id FROM ${tables.events.from}
        WHERE e.organization_id = ${org} AND ${fit} AND ${visibleEvents(viewer, tables.events)} ORDER BY e.sequence DESC`)
        ).map(({ id }) => id);
      const listing = eventsOfOrganization(ctx, org) as AnyListing;
      for (const [filter, fit] of [
        [{}, sql`true`],
        [{ kinds: ['document.purged'] }, sql`e.kind = 'document.purged'`],
        [{ kinds: ['task.*', 'document.purged', 'document.*', 'form.*'] }, sql`e.sequence > 1000`],
      ] as const) {
        const all = await expected(fit);
        for (const each of [listing, listing.sparse?.(ctx, filter)?.fallback() ?? listing])
          expect(await allOf(ctx, each, { organizationId: org, id: org }, filter, 'SEQUENCE')).toEqual(all);
        lengths.add(all.length);
      }
    }
    expect(lengths.size).toBeGreaterThan(5);
  });
});

/** A project with `many` documents of which a member sees five, and one with three, all visible. */
async function setUpMany(many: number, on?: Database) {
  const world = await newWorld(on);
  const { db, owner, organization } = world;
  const projects = await createProjects(await owner.context(), {
    organizationId: organization.id,
    projects: [{ name: 'Large', access: 'RESTRICTED' }, { name: 'Small' }],
  });
  const member = await newMember(db, organization.id, 'MEMBER');
  for (const [index, count] of [many, 3].entries()) {
    const ids = Array.from({ length: count }, () => newId('Document'));
    await db.query(sql`INSERT INTO documents
      (organization_id, id, project_id, name, name_key, revision_number, content_type, size, created_by_id, created_at)
      SELECT ${organization.id}, x, ${projects[index]?.id}, 'n', 'n' || n, 1, 'text/plain', 1, ${owner.id}, timestamptz '2026-01-01' + n * interval '1 minute'
      FROM unnest(${sql.texts(ids)}) WITH ORDINALITY AS i(x, n)`);
    if (index === 0)
      for (const documentId of [0, 1, many / 2, many - 2, many - 1].map((index) => ids[index] as string))
        await db.prisma.documentAssignment.create({
          data: { organizationId: organization.id, documentId, email: member.email },
        });
  }
  await joinProject(db, projects[0] as never, member, 'VIEWER');
  return { ...world, projects, member };
}

describe('the pages of a sparse list', () => {
  it('lead from one end to the other in both directions, beside a list that is visible as a whole', async () => {
    const { projects, member } = await setUpMany(SCAN_ROWS * 2);
    const query = (page: string) =>
      `{ ${projects.map(({ id }, index) => `p${index}: project(id: "${id}") { documents(${index === 0 ? page : 'first: 2'}) { totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { node { id } } } }`).join(' ')} }`;
    const names: string[][] = [[], []];
    for (const [way, page] of ['first: 2, after:', 'last: 2, before:'].entries())
      for (let cursor = 'null', more = true; more; ) {
        const { data } = await member.graph(query(`${page} ${cursor}`));
        const { edges, pageInfo, totalCount } = data.p0.documents;
        expect([totalCount, data.p1.documents.totalCount, data.p1.documents.edges.length]).toEqual([5, 3, 2]);
        const ids = edges.map(({ node }: { node: { id: string } }) => node.id);
        names[way] = way === 0 ? [...(names[way] ?? []), ...ids] : [...ids, ...(names[way] ?? [])];
        more = way === 0 ? pageInfo.hasNextPage : pageInfo.hasPreviousPage;
        cursor = JSON.stringify(way === 0 ? pageInfo.endCursor : pageInfo.startCursor);
      }
    expect(new Set(names[0]).size).toBe(5);
    expect(names[1]).toEqual(names[0]);
  });
});

/** Adds an approval for each document, and as many folders, forms and projects; the member sees every thousandth. */
async function addMany({ db, organization, owner, projects, member }: Awaited<ReturnType<typeof setUpMany>>) {
  const [org, project] = [organization.id, projects[0]?.id];
  const id = (prefix: string) => sql`${`${prefix}_${org}`} || n`;
  const documents = sql`(SELECT d.id, row_number() OVER (ORDER BY d.id) AS n FROM documents d WHERE d.project_id = ${project}) d`;
  const creator = sql`CASE WHEN n % 1000 = 0 THEN ${member.id} ELSE ${owner.id} END`;
  const statements = [
    sql`INSERT INTO folders (organization_id, id, project_id, link_sealed, name, name_key, created_by_id)
      SELECT ${org}, ${id('fld')}, ${project}, ${id('dgl')}, 'n', 'n' || n, ${creator} FROM ${documents}`,
    sql`INSERT INTO form_templates (organization_id, id, project_id, name, name_key, created_by_id)
      SELECT ${org}, ${id('frm')}, ${project}, 'n', 'n' || n, ${creator} FROM ${documents}`,
    sql`INSERT INTO processes (organization_id, id, project_id, name, name_key, created_by_id)
      SELECT ${org}, ${id('prc')}, ${project}, 'n', 'n', ${owner.id} FROM (VALUES (1)) x(n)`,
    sql`INSERT INTO process_steps (organization_id, id, process_id, rank, name, rule)
      SELECT ${org}, ${id('stp')}, ${id('prc')}, 1, 'n', 'ONE' FROM (VALUES (1)) x(n)`,
    sql`INSERT INTO process_runs (organization_id, id, project_id, process_id, document_id, created_by_id)
      SELECT ${org}, ${id('run')}, ${project}, (SELECT id FROM processes WHERE organization_id = ${org}), d.id, ${owner.id} FROM ${documents}`,
    sql`INSERT INTO approvals (organization_id, id, project_id, run_id, step_id, rule)
      SELECT ${org}, ${id('apr')}, ${project}, ${id('run')}, (SELECT id FROM process_steps WHERE organization_id = ${org}), 'ONE' FROM ${documents}`,
    sql`INSERT INTO approvers (organization_id, approval_id, user_id)
      SELECT ${org}, ${id('apr')}, ${owner.id} FROM ${documents} WHERE n % 1000 = 0`,
    sql`INSERT INTO projects (organization_id, id, name, name_key, access, created_by_id)
      SELECT ${org}, ${id('prj')}, 'n', 'n' || n, 'RESTRICTED', ${owner.id} FROM ${documents}`,
    sql`INSERT INTO project_members (organization_id, id, project_id, user_id, role, created_by_id)
      SELECT ${org}, ${id('pmb')}, ${id('prj')}, ${member.id}, 'VIEWER', ${owner.id} FROM ${documents} WHERE n % 1000 = 0`,
  ];
  for (const statement of statements) await db.query(statement);
}

describe.runIf(process.env.TEST_DATABASE_URL)('a sparse list on PostgreSQL', () => {
  it('reads a bounded number of rows for a page and for a count', async () => {
    const db = await newDatabase();
    const { projects, member, owner } = await setUpMany(8_000, db);
    await db.query(sql`VACUUM ANALYZE`);
    const [ofMember, ofOwner] = [await member.context(), await owner.context()];
    const viewerParents = [{ organizationId: '', id: member.id }];
    const page = { first: 25, orderBy: { field: 'NAME', direction: 'ASC' } as const };
    const byMember = { createdById: member.id };
    const reads = await inTransaction(db, async (tx) => ({
      project: await rowsRead(tx, () =>
        listPages(ofMember, documentsOfProject, projects, { ...page, filter: {} }, { reader: tx }),
      ),
      viewer: await rowsRead(tx, () =>
        listPages(
          ofMember,
          documentsOfViewer(ofMember, {}),
          viewerParents,
          { ...page, filter: {} },
          { reader: tx },
        ),
      ),
      filter: await rowsRead(tx, () =>
        listPages(ofOwner, documentsOfProject, projects, { ...page, filter: byMember }, { reader: tx }),
      ),
      number: await rowsRead(tx, () => countRows(ofMember, documentsOfProject, projects, {}, tx)),
    }));
    for (const [label, rows] of Object.entries(reads)) expect([label, rows < 1_000]).toEqual([label, true]);
    expect(reads.project).toBeGreaterThan(SCAN_ROWS);
    await db.close();
  });

  it('is scanned in order if every tenth row matches, and read by the other query if the scan is too long', async () => {
    const db = await newDatabase();
    const { projects, owner } = await setUpMany(8_000, db);
    await db.query(
      sql`UPDATE documents SET content_type = 'image/png' WHERE substr(name_key, 2)::int % 10 = 0`,
    );
    await db.query(
      sql`UPDATE documents SET content_type = 'image/gif' WHERE substr(name_key, 2)::int % 1000 < 10`,
    );
    await db.query(sql`VACUUM ANALYZE`);
    const ctx = await owner.context();
    const read = (tx: Transaction, contentType: string, direction: 'ASC' | 'DESC') => {
      const orderBy = { field: 'CREATED_AT', direction } as const;
      const page = { first: 25, filter: { contentType }, orderBy };
      return rowsRead(tx, () => listPages(ctx, documentsOfProject, projects, page, { reader: tx }));
    };
    const [tenth, promising, rest] = await inTransaction(db, async (tx) => [
      await read(tx, 'image/png', 'ASC'),
      await read(tx, 'image/gif', 'ASC'),
      await read(tx, 'image/gif', 'DESC'),
    ]);
    expect(tenth).toBeGreaterThan(SCAN_ROWS);
    expect(tenth).toBeLessThan(600);
    expect(promising).toBeGreaterThan(EXTENDED_SCAN_ROWS);
    expect(rest).toBeLessThan(600);
    await db.close();
  });

  it('reads a bounded number of rows for every list of a project, and for projects', async () => {
    const db = await newDatabase();
    const world = await setUpMany(8_000, db);
    await addMany(world);
    await db.query(sql`VACUUM ANALYZE`);
    const { member, owner, organization } = world;
    const projects = world.projects.slice(0, 1);
    const [ofMember, ofOwner] = [await member.context(), await owner.context()];
    const organizations = [{ organizationId: organization.id, id: organization.id }];
    const [document] = await db.query<{ id: string }>(
      sql`SELECT max(document_id) AS id FROM process_runs WHERE organization_id = ${organization.id}`,
    );
    const lists: [string, AnyListing, Parent[], Context, object, number][] = [
      ['folders', allFolders as AnyListing, projects, ofMember, {}, 8],
      ['folders', rootFolders as AnyListing, projects, ofMember, { namePrefix: 'n1000' }, 1],
      ['form_templates', formsOfProject as AnyListing, projects, ofMember, {}, 8],
      ['approvals', approvalsOfProject as AnyListing, projects, ofMember, {}, 5],
      ['approvals', approvalsOfProject as AnyListing, projects, ofOwner, { itemId: document?.id }, 1],
      ['approvals', approvalsOfProject as AnyListing, projects, ofOwner, { state: 'DENIED' }, 0],
      ['approvals', approvalsOfProject as AnyListing, projects, ofOwner, { waitsForViewer: true }, 8],
      ['approvals', approvalsOfProject as AnyListing, projects, ofMember, { waitsForViewer: true }, 0],
      ['projects', projectsOfOrganization as AnyListing, organizations, ofMember, {}, 11],
      [
        'projects',
        projectsOfOrganization as AnyListing,
        organizations,
        ofMember,
        { viewerRoles: ['VIEWER'] },
        9,
      ],
    ];
    for (const [table, listing, parents, ctx, filter, count] of lists) {
      const label = [table, filter];
      const page = { first: 25, filter, orderBy: { field: 'CREATED_AT', direction: 'ASC' } as const };
      const { pages, counts, reads } = await inTransaction(db, async (tx) => {
        const pages = await listPages(ctx, listing, parents, page, { reader: tx });
        const counts = await countRows(ctx, listing, parents, filter, tx);
        const reads = [
          await rowsRead(tx, () => listPages(ctx, listing, parents, page, { reader: tx }), table),
          await rowsRead(tx, () => countRows(ctx, listing, parents, filter, tx), table),
        ];
        return { pages, counts, reads };
      });
      expect([label, pages[0]?.rows.length, counts[0]]).toEqual([label, count, { count, exact: true }]);
      expect([label, ...reads.map((rows) => rows < 1_000)]).toEqual([label, true, true]);
    }
    await db.close();
  });
});
