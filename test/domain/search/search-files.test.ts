import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql/sql.ts';
import { createFolders } from '../../../src/domain/folders/folder-create.ts';
import type { Context } from '../../../src/domain/kernel/context.ts';
import { listPages } from '../../../src/domain/kernel/listing.ts';
import { countRows } from '../../../src/domain/kernel/listing-count.ts';
import { createProjects } from '../../../src/domain/projects/project.ts';
import { hitsOf, type SearchOrder } from '../../../src/domain/search/search.ts';
import type { SearchScope } from '../../../src/domain/search/search-match.ts';
import { readSearch, type SearchFilter } from '../../../src/domain/search/search-query.ts';
import { FEW } from '../../../src/domain/search/search-terms-sql.ts';
import { newId } from '../../../src/lib/id.ts';
import { joinProject, newMember, newWorld } from '../../support/world.ts';

/** Which document has the word in its name, text or folder; granite is in almost all of them. */
const granite = {
  name: (n: number) => n % 11 !== 0,
  text: (n: number) => n % 12 !== 0,
  folder: (n: number) => n % 5 === 0,
};
const marble = {
  name: (n: number) => n % 7 === 0,
  text: (n: number) => n % 4 === 1,
  folder: () => false,
};

/** The file of the first document is not its current revision. */
const inFile = (word: typeof granite, n: number) => n > 1 && word.text(n);
const says = (word: typeof granite, n: number) => word.name(n) || inFile(word, n) || word.folder(n);

/**
 * `count` documents, each with a file; every fourth is long and has its words in several pieces. The first has a newer file
 * without text. A guest sees every hundredth, which are in a separate project.
 */
async function setUp(count: number) {
  const world = await newWorld();
  const { db, organization, project, owner } = world;
  const ctx = await owner.context();
  const [small] = await createProjects(ctx, {
    organizationId: organization.id,
    projects: [{ name: 'Small' }],
  });
  if (!small) throw new Error('no project');
  const folders = await Promise.all(
    [project, small].map(async ({ id }) => {
      const [folder] = await createFolders(ctx, { projectId: id, folders: [{ name: 'Granite' }] });
      return folder?.id as string;
    }),
  );
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const of = (type: 'Document' | 'Blob' | 'Revision') => numbers.map(() => newId(type));
  const [documents, blobs, revisions] = [of('Document'), of('Blob'), of('Revision')];
  const projectIndex = (n: number) => (n % 100 === 0 ? 1 : 0);
  const words = (where: 'name' | 'text', n: number) =>
    `${granite[where](n) ? 'granite ' : ''}${marble[where](n) ? 'marble ' : ''}n${n}`;
  const names = numbers.map((n) => words('name', n));
  const rows = sql`unnest(${sql.texts(documents)}, ${sql.texts(blobs)}, ${sql.texts(revisions)}, ${sql.texts(names)},
    ${sql.texts(numbers.map((n) => words('text', n)))}, ${sql.texts(numbers.map((n) => [project, small][projectIndex(n)]?.id))},
    ${sql.texts(numbers.map((n) => (granite.folder(n) ? folders[projectIndex(n)] : null)))}) WITH ORDINALITY
    AS i(document, blob, revision, name, text, project, folder, n)`;
  const statements = [
    sql`INSERT INTO documents (organization_id, id, project_id, folder_id, name, name_key, revision_number, content_type, size, created_by_id)
      SELECT ${organization.id}, document, project, folder, name, name, CASE WHEN n = 1 THEN 2 ELSE 1 END, 'text/plain', 1, ${owner.id} FROM ${rows}`,
    sql`INSERT INTO blobs (organization_id, id, sha256, size, content_type, text_status)
      SELECT ${organization.id}, blob, sha256(n::text::bytea), 1, 'text/plain', 'READY' FROM ${rows}`,
    sql`INSERT INTO revisions (organization_id, id, document_id, number, blob_id, name, content_type, size, created_by_id)
      SELECT ${organization.id}, revision, document, 1, blob, name, 'text/plain', 1, ${owner.id} FROM ${rows}`,
    sql`INSERT INTO search_texts (organization_id, blob_id, number, text)
      SELECT ${organization.id}, blob, piece, text FROM ${rows} CROSS JOIN LATERAL generate_series(0, CASE WHEN n % 4 = 0 THEN 2 ELSE 0 END) piece`,
    sql`ANALYZE search_entries, search_texts`,
  ];
  for (const statement of statements) await db.query(statement);
  const guest = await newMember(db, organization.id, 'GUEST');
  await joinProject(db, small, guest, 'VIEWER');
  return { ...world, small, guest, numbers, documents };
}

type World = Awaited<ReturnType<typeof setUp>>;

/** The numbers of the documents that are found, read by page in this order, and their count. */
async function find(
  { organization, small, documents }: World,
  ctx: Context,
  scope: SearchScope,
  filter: SearchFilter,
  order: SearchOrder,
) {
  const wide = { ...ctx, limits: { ...ctx.limits, pageSizeMax: 2_000 } };
  const search = readSearch(organization.id, { ...filter, kind: 'DOCUMENT' });
  const hits = hitsOf(wide, scope, search, order);
  const parent = {
    organizationId: organization.id,
    id: scope === 'project' ? small.id : organization.id,
  };
  const numberOf = new Map(documents.map((id, index) => [id, index + 1]));
  const numbers: (number | undefined)[] = [];
  for (let after: string | undefined, more = true; more; ) {
    const args = {
      ...{ first: 2_000, after, filter: search },
      orderBy: { field: order, direction: 'ASC' as const },
    };
    const [page] = await listPages(wide, hits, [parent], args);
    const last = page?.rows.at(-1);
    numbers.push(...(page?.rows.map(({ id }) => numberOf.get(id)) ?? []));
    more = page?.hasNextPage ?? false;
    after = last && page?.cursorOf(last);
  }
  const [total] = await countRows(wide, hits, [parent], search);
  return { numbers: numbers.sort((a = 0, b = 0) => a - b), total };
}

const SEARCHES: [SearchFilter, (n: number) => boolean][] = [
  [{ query: 'granite' }, (n) => says(granite, n)],
  [{ query: 'granite marble' }, (n) => says(granite, n) && says(marble, n)],
  [{ query: 'granite -marble' }, (n) => says(granite, n) && !says(marble, n)],
  [{ query: 'text:granite' }, (n) => inFile(granite, n)],
  [{ query: 'text:"granite n15"' }, (n) => n === 15],
  [{ query: 'name:granite text:marble' }, (n) => granite.name(n) && inFile(marble, n)],
  [{ query: 'folder:granite marb' }, (n) => granite.folder(n) && says(marble, n)],
  [{ query: 'granite n15' }, (n) => String(n).startsWith('15') && says(granite, n)],
];

describe('words in names, files and folders', () => {
  it.each([
    ['few', 320],
    ['many', FEW * 1.12],
  ])('are found with %s documents in every order, by people who see all or few of them', async (_, count) => {
    const world = await setUp(count);
    const [owner, guest] = [await world.owner.context(), await world.guest.context()];
    for (const [filter, fits] of SEARCHES) {
      const all = world.numbers.filter(fits);
      const inSmall = all.filter((n) => n % 100 === 0);
      for (const order of ['RELEVANCE', 'NAME'] as const)
        for (const [ctx, scope, expected] of [
          [owner, 'organization', all],
          [owner, 'project', inSmall],
          [guest, 'organization', inSmall],
        ] as const) {
          const { numbers, total } = await find(world, ctx, scope, filter, order);
          const label = [filter.query, order, scope];
          expect([...label, numbers]).toEqual([...label, expected]);
          expect([...label, total]).toEqual([...label, { count: expected.length, exact: true }]);
        }
    }
  });
});
