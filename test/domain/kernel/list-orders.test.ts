import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { sql } from '../../../src/db/sql/sql.ts';
import { processesOfProject } from '../../../src/domain/approvals/process.ts';
import { recycleDocuments } from '../../../src/domain/documents/document-bin.ts';
import type { DocumentFilter, DocumentOrder } from '../../../src/domain/documents/document-filter.ts';
import { documentsOfProject, documentsOfViewer } from '../../../src/domain/documents/document-list.ts';
import { eventsOfSubject } from '../../../src/domain/events/event.ts';
import type { Context } from '../../../src/domain/kernel/context.ts';
import { type Listing, listPages } from '../../../src/domain/kernel/listing.ts';
import { countRows } from '../../../src/domain/kernel/listing-count.ts';
import { createProjects } from '../../../src/domain/projects/project.ts';
import { recentForms } from '../../../src/domain/signatures/signature-form.ts';
import { newId } from '../../../src/lib/id.ts';
import { newDatabase } from '../../support/database.ts';
import { explaining } from '../../support/plans.ts';
import { joinProject, newMember, newWorld } from '../../support/world.ts';

type World = Awaited<ReturnType<typeof newWorld>>;

const ORDERS: DocumentOrder[] = ['NAME', 'CREATED_AT', 'MODIFIED_AT', 'RECYCLED_AT', 'SIZE'];
const DIRECTIONS = ['ASC', 'DESC'] as const;

/** Documents that are ordered differently by each field; some values are equal. */
async function addDocuments(
  { db, owner }: World,
  project: { organizationId: string; id: string },
  count: number,
) {
  const ids = Array.from({ length: count }, () => newId('Document'));
  await db.query(sql`INSERT INTO documents
    (organization_id, id, project_id, name, name_key, revision_number, content_type, size, created_by_id, created_at, modified_at)
    SELECT ${project.organizationId}, x, ${project.id}, 'n', 'n' || position * 7 % 5, 1, 'text/plain', position * 11 % 6, ${owner.id},
      timestamptz '2026-01-01' + position * 13 % 8 * interval '1 hour', timestamptz '2026-02-01' + position * 17 % 9 * interval '1 hour'
    FROM unnest(${sql.texts(ids)}) WITH ORDINALITY AS i(x, position)`);
  return ids;
}

/** An owner of two organizations; a member and a guest of the first, in which one project is restricted. */
async function setUp(on?: Database) {
  const world = await newWorld(on);
  const { db, owner, organization, project } = world;
  const elsewhere = await newWorld(on);
  const membership = {
    organizationId: elsewhere.organization.id,
    id: newId('Membership'),
    createdById: owner.id,
  };
  await db.prisma.membership.create({ data: { ...membership, userId: owner.id, role: 'ADMIN' } });
  const [open, restricted] = await createProjects(await owner.context(), {
    organizationId: organization.id,
    projects: [{ name: 'Open' }, { name: 'Restricted', access: 'RESTRICTED' }],
  });
  if (!open || !restricted) throw new Error('no projects');
  const member = await newMember(db, organization.id, 'MEMBER');
  const guest = await newMember(db, organization.id, 'GUEST');
  for (const [person, joined] of [
    [member, restricted],
    [guest, restricted],
    [guest, open],
  ] as const)
    await joinProject(db, joined, person, 'EDITOR');
  const shown = [];
  for (const each of [project, open, restricted, elsewhere.project])
    shown.push(...(await addDocuments(world, each, 6)).slice(0, 2));
  await recycleDocuments(await owner.context(), { documentIds: shown });
  const assigned = await db.query<{ id: string }>(
    sql`SELECT id FROM documents WHERE project_id = ${restricted.id} ORDER BY id DESC LIMIT 2`,
  );
  for (const { id: documentId } of assigned)
    for (const { email } of [member, guest])
      await db.prisma.documentAssignment.create({
        data: { organizationId: organization.id, documentId, email },
      });
  return { ...world, member, guest };
}

type Key = [string | number | bigint, string];

const keysOf = (order: DocumentOrder) => {
  const { value } = documentsOfProject.sorts[order];
  return (row: Parameters<typeof value>[0]): Key => {
    const key = value(row);
    return [key instanceof Date ? key.toISOString() : (key as string | bigint), row.id];
  };
};

const ascending = ([a, x]: Key, [b, y]: Key) => (a < b || (a === b && x < y) ? -1 : 1);

/** All keys of the list, read in pages of three, forwards or backwards. */
async function read(
  ctx: Context,
  filter: DocumentFilter,
  field: DocumentOrder,
  direction: 'ASC' | 'DESC',
  backward: boolean,
) {
  const parent = { organizationId: '', id: ctx.viewer.userId };
  const keys: Key[] = [];
  for (let cursor: string | undefined, more = true; more; ) {
    const range = backward ? { last: 3, before: cursor } : { first: 3, after: cursor };
    const args = { ...range, filter, orderBy: { field, direction } };
    const [page] = await listPages(ctx, documentsOfViewer(ctx, filter), [parent], args);
    if (!page) throw new Error('no page');
    const { rows, cursorOf } = page;
    if (backward) keys.unshift(...rows.map(keysOf(field)));
    else keys.push(...rows.map(keysOf(field)));
    more = backward ? page.hasPreviousPage : page.hasNextPage;
    cursor = rows.length > 0 ? cursorOf((backward ? rows[0] : rows.at(-1)) as (typeof rows)[0]) : undefined;
  }
  return keys;
}

describe('the documents that the viewer sees', () => {
  it('are listed from all projects and organizations in every order and direction', async () => {
    const { owner, member, guest, stranger } = await setUp();
    const expectations: [typeof owner, number, number][] = [
      [owner, 16, 8],
      [member, 10, 4],
      [guest, 6, 2],
      [stranger, 0, 0],
    ];
    for (const [person, active, recycled] of expectations) {
      const ctx = await person.context();
      for (const [filter, count] of [
        [{}, active],
        [{ state: 'RECYCLED' }, recycled],
      ] as [DocumentFilter, number][])
        for (const field of ORDERS)
          for (const direction of DIRECTIONS) {
            const forward = await read(ctx, filter, field, direction, false);
            const sorted = forward.toSorted(ascending);
            expect(forward).toEqual(direction === 'ASC' ? sorted : sorted.reverse());
            expect(await read(ctx, filter, field, direction, true)).toEqual(forward);
            const listing = documentsOfViewer(ctx, filter);
            expect(await countRows(ctx, listing, [{ organizationId: '', id: person.id }], filter)).toEqual([
              { count: forward.length, exact: true },
            ]);
            expect([person.email, field, forward.length]).toEqual([person.email, field, count]);
          }
    }
  });
});

/** The query plan of a page. */
async function planOf<Row, Filter, Order extends string>(
  ctx: Context,
  listing: Listing<Row, Filter, Order>,
  id: string,
  field: Order,
  filter: Filter,
) {
  const { reader, lines } = explaining(ctx.db);
  const [membership] = ctx.viewer.memberships;
  const parent = { organizationId: membership?.organizationId ?? '', id };
  const args = { first: 25, filter, orderBy: { field, direction: 'DESC' as const } };
  await listPages(ctx, listing, [parent], args, { reader });
  return lines;
}

/** In a separate database, since query plans depend on all rows. */
describe.runIf(process.env.TEST_DATABASE_URL)('on PostgreSQL', () => {
  let own: Database;

  beforeAll(async () => {
    own = await newDatabase();
  });

  afterAll(() => own.close());

  it('a page reads only the first documents of each part', async () => {
    const world = await setUp(own);
    await addDocuments(world, world.project, 4_000);
    await world.db.query(sql`ANALYZE`);
    for (const person of [world.owner, world.member, world.guest]) {
      const ctx = await person.context();
      const index = person === world.guest ? 'documents_active' : 'documents_everywhere';
      for (const field of ORDERS) {
        const lines = await planOf(ctx, documentsOfViewer(ctx, {}), person.id, field, {});
        expect(lines.filter((line) => /Seq Scan on documents/.test(line))).toEqual([]);
        // Of each part it reads the first rows, in index order.
        const scan = lines.findIndex((line) => line.includes(`using ${index}_`));
        const limit = lines.slice(0, scan).findLastIndex((line) => /-> +Limit/.test(line));
        expect([field, scan > limit && limit > 0]).toEqual([field, true]);
        expect(lines.slice(limit, scan).filter((line) => /-> +(Incremental )?Sort /.test(line))).toEqual([]);
      }
    }
  });

  it('documents that were never recycled, events of an object, processes by name and recent forms need no sort', async () => {
    const world = await setUp(own);
    const ctx = await world.owner.context();
    const [subject] = await addDocuments(world, world.project, 4_000);
    await world.db.query(sql`INSERT INTO events (organization_id, sequence, id, project_id, subject_id, kind, data, created_at, hash)
      SELECT ${world.organization.id}, 10000 + n, 'evt_' || ${world.organization.id} || n, ${world.project.id}, ${subject}, 'document.updated', '{}', now(), sha256('x')
      FROM generate_series(1, 4000) n`);
    await world.db.query(sql`INSERT INTO processes (organization_id, id, project_id, name, name_key, created_by_id)
      SELECT ${world.organization.id}, 'prc_' || ${world.organization.id} || n, ${world.project.id}, 'p', 'p' || n, ${world.owner.id}
      FROM generate_series(1, 4000) n`);
    await world.db.query(sql`INSERT INTO signature_forms (organization_id, id, document_id, project_id, created_by_id)
      SELECT organization_id, 'sgf_' || id, id, project_id, created_by_id FROM documents WHERE project_id = ${world.project.id}`);
    await world.db.query(sql`INSERT INTO signature_fields (organization_id, id, form_id, type, rank, page_index, x, y)
      SELECT organization_id, 'sfi_' || id, id, 'SIGNATURE', 0, 0, 0, 0 FROM signature_forms WHERE project_id = ${world.project.id}`);
    await world.db.query(sql`ANALYZE`);
    const plans = [
      await planOf(ctx, documentsOfProject, world.project.id, 'RECYCLED_AT', {}),
      await planOf(ctx, eventsOfSubject, subject as string, 'CREATED_AT', {}),
      await planOf(ctx, processesOfProject, world.project.id, 'NAME', {}),
      await planOf(ctx, recentForms, world.project.id, 'CHANGED_AT', {}),
    ];
    for (const lines of plans)
      expect(
        lines.filter((line) => /Sort|Seq Scan on (documents|events|processes|signature_)/.test(line)),
      ).toEqual([]);
  });
});
