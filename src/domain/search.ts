import { Prisma } from '../generated/prisma/client.ts';
import { visibleDocuments, visibleFolders, visibleFormTemplates, visibleTasks } from './access.ts';
import type { Context } from './context.ts';
import { type Listing, sortBy } from './page.ts';
import { matchesFilter, type Search, type SearchKind } from './search-query.ts';
import { entriesOf, matchesTerms, scoreOf } from './search-terms.ts';
import type { Viewer } from './viewer.ts';

const { sql } = Prisma;

/** A thing that was found: its id, what it is, and how well it fits, from 0. */
export interface Hit {
  id: string;
  kind: SearchKind;
  score: number;
  nameKey: string;
  createdAt: Date;
  modifiedAt: Date;
}

export type SearchOrder = 'RELEVANCE' | 'NAME' | 'CREATED_AT' | 'MODIFIED_AT';

/** OFFSET 0 keeps it a lookup for each entry: the planner would make a hash of the table, of all tenants' rows. */
const seen =
  (table: Prisma.Sql, row: Prisma.Sql, visible: (viewer: Viewer) => Prisma.Sql) => (viewer: Viewer) =>
    sql`EXISTS (SELECT FROM ${table} WHERE ${row}.organization_id = e.organization_id AND ${row}.id = e.subject_id
    AND ${visible(viewer)} OFFSET 0)`;

/** Who sees what a search entry `e` stands for. What has no line here is found by nobody. */
const VISIBLE: Partial<Record<SearchKind, (viewer: Viewer) => Prisma.Sql>> = {
  DOCUMENT: seen(sql`documents d`, sql`d`, visibleDocuments),
  FOLDER: seen(sql`folders f`, sql`f`, visibleFolders),
  TASK: seen(sql`tasks t`, sql`t`, visibleTasks),
  FORM: seen(sql`form_templates t`, sql`t`, visibleFormTemplates),
};

function isVisible({ viewer }: Context, { kind }: Search): Prisma.Sql {
  const kinds = Object.entries(VISIBLE).filter(([each]) => !kind || each === kind);
  const conditions = kinds.map(([each, visible]) => sql`(e.kind = ${each} AND ${visible(viewer)})`);
  return sql`(${Prisma.join([sql`false`, ...conditions], ' OR ')})`;
}

/** Where to search: in an organization, or in one project of it. */
export type SearchPlace = 'organization' | 'project';

const PLACES: Record<SearchPlace, Prisma.Sql> = {
  organization: sql`e.organization_id = k.id`,
  project: sql`e.project_id = k.id`,
};

/** The entries that a search finds: a condition on entries `e` of `entriesOf`, below a parent `k`. */
export const isFound = (ctx: Context, place: SearchPlace, search: Search): Prisma.Sql =>
  sql`e.organization_id = k.organization_id AND ${PLACES[place]} AND ${matchesTerms(search)}
    AND ${matchesFilter(ctx, search)} AND ${isVisible(ctx, search)}`;

/** What a search finds. Its orders depend on what is searched, so each search is a listing of its own. */
export const hitsOf = (
  ctx: Context,
  place: SearchPlace,
  search: Search,
): Listing<Hit, Search, SearchOrder> => ({
  name: `search:${place}`,
  select: () =>
    sql`e.subject_id AS id, e.kind, e.name_key, e.created_at, e.modified_at, ${scoreOf(search)} AS score`,
  from: entriesOf(ctx, search),
  where: (ctx, filter) => isFound(ctx, place, filter),
  sorts: {
    RELEVANCE: sortBy(sql`e.subject_id`, scoreOf(search), 'float8', ({ score }) => score),
    NAME: sortBy(sql`e.subject_id`, sql`e.name_key`, 'text', ({ nameKey }) => nameKey),
    CREATED_AT: sortBy(sql`e.subject_id`, sql`e.created_at`, 'timestamptz', ({ createdAt }) => createdAt),
    MODIFIED_AT: sortBy(sql`e.subject_id`, sql`e.modified_at`, 'timestamptz', ({ modifiedAt }) => modifiedAt),
  },
});
