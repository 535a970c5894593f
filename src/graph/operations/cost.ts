import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isCompositeType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { DomainError } from '../../domain/kernel/errors.ts';

export interface CostLimits {
  queryCost: number;
  queryDepth: number;
  pageSize: number;
  pageSizeMax: number;
}

/** What a document asks for at most: points, and levels of fields; and the pages that cost most of it, dearest first. */
export interface Cost {
  points: number;
  depth: number;
  pages: readonly PricedPage[];
  /** The points of the page's items, where this is a selection of a page. */
  ofItems: number;
}

/** One page of the document, with all that is asked of its items. */
export interface PricedPage {
  /** Fields from the root, by the names they have in the answer. */
  path: readonly string[];
  points: number;
  first: number;
}

/** Of the pages, so many are kept: a fragment that is spread often must not make the list long. */
const NAMED = 3;

const NOTHING: Cost = { points: 0, depth: 0, pages: [], ofItems: 0 };
const LEAF: Cost = { points: 0, depth: 1, pages: [], ofItems: 0 };

const COUNT = 10;
const SEARCH = 10;
const MUTATION = 10;

/**
 * Prices an operation before it runs: a point for each object it may return, each page at its full size, ten for each
 * count and each mutation, and for each search and its facets. Variables that hold a page size are taken from `variables`.
 */
export function costOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
  variables: Record<string, unknown>,
  limits: CostLimits,
): Cost {
  const operation = getOperationAST(document, operationName);
  const root = operation && schema.getRootType(operation.operation);
  if (!operation || !root) return NOTHING;
  const fragments = new Map(
    document.definitions
      .filter((each) => each.kind === Kind.FRAGMENT_DEFINITION)
      .map((each) => [each.name.value, each]),
  );
  const pricing: Pricing = { schema, fragments, variables, limits, known: new Map() };
  const cost = selectionCost(pricing, operation.selectionSet, root, 1);
  return { ...cost, points: cost.points + (operation.operation === 'mutation' ? MUTATION : 0) };
}

/** Throws COST_LIMIT_EXCEEDED for what is dearer or deeper than allowed. */
export function requireAffordable(cost: Cost, { queryCost, queryDepth }: CostLimits): void {
  const { points, depth } = cost;
  if (depth > queryDepth)
    throw new DomainError(
      'COST_LIMIT_EXCEEDED',
      `The query is ${depth} levels deep; ${queryDepth} are allowed.`,
    );
  if (points > queryCost)
    throw new DomainError(
      'COST_LIMIT_EXCEEDED',
      `The query may cost ${points} points; ${queryCost} are allowed. ${advice(dearest(cost, queryCost))}`,
    );
}

/** A page of a query that is too dear; `fits` is the `first` with which the whole would do, if any would. */
export interface DearPage {
  path: string;
  points: number;
  first: number;
  fits: number | null;
}

/** The pages that make a document dear. What a page costs grows with its size, so the size that fits is worked out. */
export const dearest = ({ points, pages }: Cost, limit: number): DearPage[] =>
  pages.map(({ path, points: own, first }) => {
    const fits = Math.floor((limit - (points - own)) / (own / first));
    return { path: path.join('.'), points: own, first, fits: fits >= 1 ? Math.min(fits, first) : null };
  });

function advice(pages: readonly DearPage[]): string {
  const one = pages.find(({ fits }) => fits !== null);
  return one ? `With first: ${one.fits} at ${one.path} it would do.` : 'Ask for smaller pages.';
}

interface Pricing {
  schema: GraphQLSchema;
  fragments: Map<string, FragmentDefinitionNode>;
  variables: Record<string, unknown>;
  limits: CostLimits;
  /** Fragments by the page size they are priced for: each is walked once, however often it is spread. */
  known: Map<string, Cost>;
}

/** `size`: how many items the page holds that this selection belongs to. */
function selectionCost(pricing: Pricing, set: SelectionSetNode, type: GraphQLNamedType, size: number): Cost {
  const cost = { points: 0, depth: 0, ofItems: 0 };
  const pages: PricedPage[] = [];
  for (const selection of set.selections) {
    const part =
      selection.kind === Kind.FIELD
        ? fieldCost(pricing, selection, type, size)
        : selection.kind === Kind.FRAGMENT_SPREAD
          ? fragmentCost(pricing, selection.name.value, size)
          : selectionCost(
              pricing,
              selection.selectionSet,
              conditionOf(pricing, selection.typeCondition?.name.value) ?? type,
              size,
            );
    cost.points += part.points;
    cost.ofItems += part.ofItems;
    cost.depth = Math.max(cost.depth, part.depth);
    pages.push(...part.pages);
  }
  return { ...cost, pages: pages.sort((a, b) => b.points - a.points).slice(0, NAMED) };
}

/** What is asked of each of so many items, below a field. */
const below = (node: FieldNode, { pages }: Cost, items = 1): PricedPage[] =>
  pages.map((page) => ({
    ...page,
    path: [(node.alias ?? node.name).value, ...page.path],
    points: page.points * items,
  }));

const conditionOf = ({ schema }: Pricing, name: string | undefined) =>
  name === undefined ? undefined : schema.getType(name);

function fragmentCost(pricing: Pricing, name: string, size: number): Cost {
  const key = `${name}:${size}`;
  const known = pricing.known.get(key);
  const fragment = pricing.fragments.get(name);
  if (known || !fragment) return known ?? NOTHING;
  const type = pricing.schema.getType(fragment.typeCondition.name.value);
  const cost = type ? selectionCost(pricing, fragment.selectionSet, type, size) : NOTHING;
  pricing.known.set(key, cost);
  return cost;
}

function fieldCost(pricing: Pricing, node: FieldNode, parent: GraphQLNamedType, size: number): Cost {
  const name = node.name.value;
  if (name === 'totalCount' || name === 'totalCountIsExact') return { ...LEAF, points: COUNT };
  const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
  const type = field && getNamedType(field.type);
  if (
    !node.selectionSet ||
    !type ||
    !isCompositeType(type) ||
    name.startsWith('__') ||
    type.name.startsWith('__')
  )
    return LEAF;
  if (type.name.endsWith('Connection')) return pageCost(pricing, node, node.selectionSet, type);
  const ofPage = parent.name.endsWith('Connection') && (name === 'nodes' || name === 'edges');
  const items = ofPage ? size : isList(field.type) ? listSize(pricing, node) : 1;
  const own =
    type.name === 'SearchFacets'
      ? COUNT
      : type.name === 'PageInfo' || type.name.endsWith('Edge') || parent.name.endsWith('Payload')
        ? 0
        : 1;
  const inner = selectionCost(pricing, node.selectionSet, type, size);
  const points = items * (own + inner.points);
  return {
    points,
    depth: 1 + inner.depth,
    pages: below(node, inner, items),
    ofItems: ofPage ? points : 0,
  };
}

function pageCost(pricing: Pricing, node: FieldNode, set: SelectionSetNode, type: GraphQLNamedType): Cost {
  const first = pageSize(pricing, node);
  const page = selectionCost(pricing, set, type, first);
  const own = { path: [], points: page.ofItems, first };
  const pages = page.ofItems > 0 ? [own, ...page.pages] : page.pages;
  return {
    points: (type.name === 'SearchConnection' ? SEARCH : 1) + page.points,
    depth: 1 + page.depth,
    pages: below(node, { ...page, pages }),
    ofItems: 0,
  };
}

const isList = (type: unknown): boolean => isListType(isNonNullType(type) ? type.ofType : type);

function argument({ variables }: Pricing, node: FieldNode, name: string): unknown {
  const value = node.arguments?.find((each) => each.name.value === name)?.value;
  if (value?.kind === Kind.VARIABLE) return variables[value.name.value];
  return value?.kind === Kind.INT
    ? Number(value.value)
    : value?.kind === Kind.LIST
      ? value.values
      : undefined;
}

/** Sizes out of bounds are refused by the list itself; here they count as the nearest bound. */
function pageSize(pricing: Pricing, node: FieldNode): number {
  const asked = argument(pricing, node, 'first') ?? argument(pricing, node, 'last');
  return typeof asked === 'number'
    ? Math.min(Math.max(asked, 0), pricing.limits.pageSizeMax)
    : pricing.limits.pageSize;
}

/** `nodes(ids:)` is as long as its argument; other plain lists are short. */
function listSize(pricing: Pricing, node: FieldNode): number {
  const ids = argument(pricing, node, 'ids');
  return Array.isArray(ids) ? ids.length : 10;
}
