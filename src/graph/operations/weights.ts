import { type GraphQLNamedType, GraphQLObjectType } from 'graphql';

/**
 * What costs processor time, in points of about 3 microseconds: one row that is read and returned. Measured by
 * `npm run bench -- --part units`.
 */
const ROW = 1;
/** A page of a list, whatever its length. Within another list this is needed for each parent. */
const PAGE = 10;
const COUNT = 20;
/** A search, its facets and the statistics of tasks read all that is visible and matches. */
const SEARCH = 1_000;
/** What a credential reaches is found by walking the whole schema. */
const WALK = 4_000;
const READ_ALL: readonly string[] = ['SearchConnection', 'SearchFacets', 'TaskStatistics', 'StorageUse'];
/** A transaction with its event. */
export const COMMAND = 500;

/** Bytes of a response that a point pays for; most rows have fewer. */
export const BYTES_PER_POINT = 2 ** 11;

/** Items of a list without a page size, where no argument lists as many. */
export const ASSUMED_SIZE = 10;

export const isPage = (type: GraphQLNamedType): boolean => type.name.endsWith('Connection');

export const isPayload = (type: GraphQLNamedType): boolean => type.name.endsWith('Payload');

/** Types that stand for no row of their own. */
const isWrapper = (type: GraphQLNamedType): boolean =>
  type.name === 'PageInfo' || type.name.endsWith('Edge') || isPayload(type) || type.name === 'Mutation';

/** Points for each object of a type, without what is selected of it. */
export function typeWeight(type: GraphQLNamedType): number {
  if (READ_ALL.includes(type.name)) return SEARCH;
  if (type.name === 'ScopeReach') return WALK;
  if (isPage(type)) return PAGE;
  return isWrapper(type) || type.name.startsWith('__') ? 0 : ROW;
}

/** Points for a field itself, in addition to those of what it returns. */
export function fieldWeight(parent: GraphQLNamedType, name: string): number {
  if (name === 'totalCount' || name === 'totalCountIsExact') return COUNT;
  return parent.name === 'Mutation' && parent instanceof GraphQLObjectType ? COMMAND : 0;
}
