import type { ListArguments, Parent } from '../../../domain/kernel/listing.ts';
import { COUNT_LIMIT } from '../../../domain/kernel/listing-count.ts';
import type { PageRequest } from '../../../domain/kernel/page.ts';
import { type Hit, hitsOf, type SearchOrder as Order } from '../../../domain/search/search.ts';
import { facetsOf } from '../../../domain/search/search-facets.ts';
import { correctSearch } from '../../../domain/search/search-fuzzy.ts';
import { findHighlights, type Highlight } from '../../../domain/search/search-highlight.ts';
import type { SearchScope } from '../../../domain/search/search-match.ts';
import {
  type SearchFilter as Filter,
  isRanked,
  readSearch,
  type Search,
} from '../../../domain/search/search-query.ts';
import type { GraphContext } from '../../engine/context.ts';
import { builder } from '../kernel/builder.ts';
import { connect } from '../kernel/connection.ts';
import { findNode, Node } from '../kernel/node.ts';
import { Organization } from '../organizations/type.ts';
import { Project } from '../projects/type.ts';
import { SearchFacets } from './facets.ts';
import { QUERY, SearchFilter, SearchKind, SearchOrder } from './input.ts';

const SearchPart = builder.enumType('SearchPart', {
  description: 'The part of an object that contains words of the query.',
  values: {
    NAME: { description: 'Its name.' },
    TAG: { description: 'A tag.' },
    VALUE: { description: 'The value of a field, or a description.' },
    COMMENT: { description: 'A comment on it.' },
    FOLDER: { description: 'The name of a folder above it.' },
    TEXT: { description: 'The text of its newest file.' },
  } as const,
});

const SearchHighlight = builder.objectRef<Highlight>('SearchHighlight').implement({
  description: 'A snippet of text with words of the query.',
  fields: (t) => ({
    part: t.expose('part', { type: SearchPart, description: 'Which text it is from.' }),
    label: t.exposeString('label', {
      nullable: true,
      description: 'The name of the field, for a value of one.',
    }),
    page: t.exposeInt('page', {
      nullable: true,
      description: 'The page of the file it is on, from 1; null where there are no pages.',
    }),
    text: t.exposeString('text', { description: 'The snippet, plain text of at most 200 characters.' }),
    matches: t.exposeIntList('matches', {
      description: 'Start and end of each word in it, in UTF-16 code units, one after the other.',
    }),
  }),
});

type FoundHit = Pick<Hit, 'id' | 'kind' | 'score'> & { highlights: (id: string) => Promise<Highlight[]> };

export const SearchHit = builder.objectRef<FoundHit>('SearchHit').implement({
  scope: [],
  description: 'A search result.',
  fields: (t) => ({
    kind: t.expose('kind', { type: SearchKind, description: 'What it is.' }),
    score: t.exposeFloat('score', { description: 'The relevance for the query; 0 without one.' }),
    nodeId: t.exposeID('id', { description: 'The id of the object.' }),
    node: t.field({
      type: Node,
      nullable: true,
      description: 'The object itself; null if it was deleted during the search.',
      resolve: ({ id }, _, ctx) => findNode(ctx, id),
    }),
    highlights: t.field({
      type: [SearchHighlight],
      description: 'Snippets with words of the query, at most ten. Values of sensitive fields are left out.',
      resolve: ({ id, highlights }) => highlights(id),
    }),
  }),
});

type Facets = Awaited<ReturnType<typeof facetsOf>>;

export const SearchConnection = builder.connectionObject(
  {
    type: SearchHit,
    name: 'SearchConnection',
    description: 'A page of results. It costs 10 points in addition to its items.',
    fields: (t) => ({
      facets: t.field({
        type: SearchFacets,
        description: `Counts of all results, not only those of the page, up to ${COUNT_LIMIT}. Counted only if selected.`,
        resolve: (connection) => (connection as unknown as { facets: () => Promise<Facets> }).facets(),
      }),
    }),
  },
  { name: 'SearchEdge', description: 'An item of what was found.' },
);

interface Arguments extends PageRequest {
  orderBy?: { field: Order; direction: 'ASC' | 'DESC' } | null;
}

/** Marks the cursors of a tolerant search, whose next pages are tolerant too. */
const TOLERANT = '~';
const isTolerant = (cursor: string | null | undefined) => cursor?.startsWith(TOLERANT) ?? false;
const withoutMark = (cursor: string | null | undefined) => (isTolerant(cursor) ? cursor?.slice(1) : cursor);
const withMark = (cursor: string | null) => cursor && TOLERANT + cursor;

/** The results of a search; if there are none at all, those of similar words (typing mistakes). */
export async function searchResults(
  ctx: GraphContext,
  searchScope: SearchScope,
  parent: Parent,
  filter: Filter,
  { after, before, ...args }: Arguments,
) {
  const written = readSearch(parent.organizationId, filter);
  const page = { ...args, after: withoutMark(after), before: withoutMark(before) };
  if (!isTolerant(after) && !isTolerant(before)) {
    const connection = await pageOf(ctx, searchScope, parent, written, page);
    if (after != null || before != null || holdsSome(connection)) return connection;
  }
  const tolerant = await correctSearch(ctx, written);
  const connection = await pageOf(ctx, searchScope, parent, tolerant ?? written, page);
  return tolerant ? withMarks(connection) : connection;
}

const holdsSome = ({ edges, pageInfo }: Awaited<ReturnType<typeof pageOf>>): boolean =>
  edges.length > 0 || pageInfo.hasNextPage || pageInfo.hasPreviousPage;

async function pageOf(
  ctx: GraphContext,
  searchScope: SearchScope,
  parent: Parent,
  search: Search,
  { orderBy, ...page }: Arguments,
) {
  const args: ListArguments<Search, Order> = { ...page, filter: search, orderBy: orderOf(search, orderBy) };
  const hits = hitsOf(ctx, searchScope, search, args.orderBy.field);
  const { edges, pageInfo, total } = await connect(ctx, hits, parent, args);
  const find = (_: object, ids: readonly string[]) => findHighlights(ctx, search, ids);
  const highlights = async (id: string) => (await ctx.load.one(find, id))?.highlights ?? [];
  return {
    pageInfo,
    total,
    edges: edges.map(({ cursor, node: { id, kind, score } }) => ({
      cursor,
      node: { id, kind, score, highlights },
    })),
    facets: () => facetsOf(ctx, searchScope, parent, search),
  };
}

/** Without words to rank by, the newest come first. */
function orderOf(search: Search, orderBy: Arguments['orderBy']): ListArguments<Search, Order>['orderBy'] {
  const { field, direction } = orderBy ?? { field: 'RELEVANCE', direction: 'DESC' };
  return { field: field === 'RELEVANCE' && !isRanked(search) ? 'CREATED_AT' : field, direction };
}

const withMarks = ({ edges, pageInfo, ...rest }: Awaited<ReturnType<typeof pageOf>>) => ({
  ...rest,
  edges: edges.map(({ cursor, node }) => ({ cursor: TOLERANT + cursor, node })),
  pageInfo: {
    ...pageInfo,
    startCursor: withMark(pageInfo.startCursor),
    endCursor: withMark(pageInfo.endCursor),
  },
});

builder.objectField(Organization, 'search', (t) =>
  t.connection(
    {
      scope: [],
      type: SearchHit,
      description: 'Searches the organization for objects that you see. New objects are found at once.',
      args: {
        query: t.arg.string({ description: QUERY }),
        filter: t.arg({ type: SearchFilter, description: 'The filter.' }),
        orderBy: t.arg({
          type: SearchOrder,
          description: 'The order; by default the best matches first, or without a query the newest.',
        }),
      },
      resolve: ({ id }, { query, filter, ...args }, ctx) =>
        searchResults(ctx, 'organization', { organizationId: id, id }, { ...filter, query }, args),
    },
    SearchConnection,
  ),
);

builder.objectField(Project, 'search', (t) =>
  t.connection(
    {
      scope: [],
      type: SearchHit,
      description: 'Searches the project for objects that you see. New objects are found at once.',
      args: {
        query: t.arg.string({ description: QUERY }),
        filter: t.arg({ type: SearchFilter, description: 'The filter.' }),
        orderBy: t.arg({
          type: SearchOrder,
          description: 'The order; by default the best matches first, or without a query the newest.',
        }),
      },
      resolve: (project, { query, filter, ...args }, ctx) =>
        searchResults(ctx, 'project', project, { ...filter, query }, args),
    },
    SearchConnection,
  ),
);
