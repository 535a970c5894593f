import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
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
  type OperationDefinitionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql';
import { DomainError } from '../../domain/kernel/errors.ts';
import { argumentValue, batchSize, textArgument } from './batch-size.ts';
import { operationOf, selectionRunBy, WHOLE_EVENT } from './selection-document.ts';
import { fieldWeight, isPage, isPayload, typeWeight } from './weights.ts';

export interface CostLimits {
  queryCost: number;
  queryDepth: number;
  pageSize: number;
  pageSizeMax: number;
}

/** The most a document can cost: points, levels of fields, and its most expensive pages, in descending order. */
export interface Cost {
  points: number;
  depth: number;
  pages: readonly PricedPage[];
  /** Points of the page's items, in the selection of a page; 0 elsewhere. */
  itemPoints: number;
}

/** One page of the document, with everything selected of its items. */
interface PricedPage {
  /** Response keys from the root. */
  path: readonly string[];
  points: number;
  first: number;
}

/** Pages reported for each selection: a fragment that is spread often must not make the list long. */
const MAX_PAGES = 3;

const NO_COST: Cost = { points: 0, depth: 0, pages: [], itemPoints: 0 };
const LEAF_COST: Cost = { points: 0, depth: 1, pages: [], itemPoints: 0 };

/**
 * Prices an operation before it runs, by the weights of `weights.ts`: every object it may return, each page at its full
 * size. Variables that hold a page size are taken from `variables`.
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
  if (!operation || !root) return NO_COST;
  const fragments = new Map(
    document.definitions
      .filter((each) => each.kind === Kind.FRAGMENT_DEFINITION)
      .map((each) => [each.name.value, each]),
  );
  const defaults = defaultsOf(operation);
  const pricing: Pricing = {
    schema,
    fragments,
    variables: { ...defaults, ...variables },
    limits,
    fragmentCosts: new Map(),
  };
  return selectionCost(pricing, operation.selectionSet, root, 1);
}

/** Values of the variables that have a default. */
const defaultsOf = ({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, unknown> =>
  Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  );

/** Throws COST_LIMIT_EXCEEDED above `queryCost` points or `queryDepth` levels. */
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
      `The query may cost ${points} points; ${queryCost} are allowed. ${advice(mostExpensive(cost, queryCost))}`,
    );
}

/** A page of a query above the limit. `fits`: the `first` with which the query would be within it, or null. */
export interface ExpensivePage {
  path: string;
  points: number;
  first: number;
  fits: number | null;
}

/** The most expensive pages. The cost of a page is proportional to its size, which gives the size that fits. */
export const mostExpensive = ({ points, pages }: Cost, limit: number): ExpensivePage[] =>
  pages.map(({ path, points: pagePoints, first }) => {
    const fits = Math.floor((limit - (points - pagePoints)) / (pagePoints / first));
    return {
      path: path.join('.'),
      points: pagePoints,
      first,
      fits: fits >= 1 ? Math.min(fits, first) : null,
    };
  });

function advice(pages: readonly ExpensivePage[]): string {
  const page = pages.find(({ fits }) => fits !== null);
  return page
    ? `With first: ${page.fits} at ${page.path} it would be within the limit.`
    : 'Request smaller pages, or send fewer items at a time.';
}

interface Pricing {
  schema: GraphQLSchema;
  fragments: Map<string, FragmentDefinitionNode>;
  variables: Record<string, unknown>;
  limits: CostLimits;
  /** By name and page size: a fragment is priced once, however often it is spread. */
  fragmentCosts: Map<string, Cost>;
}

/** `size`: items of the page, or of each list of the payload, that the selection belongs to. */
function selectionCost(pricing: Pricing, set: SelectionSetNode, type: GraphQLNamedType, size: number): Cost {
  const cost = { points: 0, depth: 0, itemPoints: 0 };
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
    cost.itemPoints += part.itemPoints;
    cost.depth = Math.max(cost.depth, part.depth);
    pages.push(...part.pages);
  }
  return { ...cost, pages: pages.sort((a, b) => b.points - a.points).slice(0, MAX_PAGES) };
}

/** Pages of a selection as seen from its field, which has `items` items. */
const pagesBelow = (node: FieldNode, { pages }: Cost, items = 1): PricedPage[] =>
  pages.map((page) => ({
    ...page,
    path: [(node.alias ?? node.name).value, ...page.path],
    points: page.points * items,
  }));

const conditionOf = ({ schema }: Pricing, name: string | undefined) =>
  name === undefined ? undefined : schema.getType(name);

function fragmentCost(pricing: Pricing, name: string, size: number): Cost {
  const key = `${name}:${size}`;
  const cached = pricing.fragmentCosts.get(key);
  const fragment = pricing.fragments.get(name);
  if (cached || !fragment) return cached ?? NO_COST;
  const type = pricing.schema.getType(fragment.typeCondition.name.value);
  const cost = type ? selectionCost(pricing, fragment.selectionSet, type, size) : NO_COST;
  pricing.fragmentCosts.set(key, cost);
  return cost;
}

function fieldCost(pricing: Pricing, node: FieldNode, parent: GraphQLNamedType, size: number): Cost {
  const name = node.name.value;
  const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
  const own = fieldWeight(parent, name) + innerCost(pricing, node, field);
  const type = field && getNamedType(field.type);
  if (!node.selectionSet || !type || !isCompositeType(type) || type.name.startsWith('__'))
    return own === 0 ? LEAF_COST : { ...LEAF_COST, points: own };
  if (isPage(type)) return pageCost(pricing, node, node.selectionSet, type);
  const isPageField = isPage(parent) && (name === 'nodes' || name === 'edges');
  const isSized = isPageField || (isPayload(parent) && isList(field.type));
  const batch = isPayload(type) || isList(field.type) ? batchSize(field, node, pricing.variables) : 1;
  const items = isSized ? size : isList(field.type) ? batch : 1;
  const inner = selectionCost(pricing, node.selectionSet, type, isPayload(type) ? batch : size);
  const points = own + items * (typeWeight(type) + inner.points);
  return {
    points,
    depth: 1 + inner.depth,
    pages: pagesBelow(node, inner, items),
    itemPoints: isPageField ? points : 0,
  };
}

/** Points of the selection that a field runs by its argument; 0 for one that is not valid, which is not run. */
function innerCost({ schema, variables, limits }: Pricing, node: FieldNode, field: object | undefined) {
  const argument = field && selectionRunBy(field);
  if (typeof argument !== 'string') return 0;
  const text = textArgument(node, argument, variables) ?? WHOLE_EVENT;
  try {
    return costOf(schema, operationOf(text), null, {}, limits).points;
  } catch (error) {
    if (error instanceof GraphQLError) return 0;
    throw error;
  }
}

function pageCost(pricing: Pricing, node: FieldNode, set: SelectionSetNode, type: GraphQLNamedType): Cost {
  const first = pageSize(pricing, node);
  const page = selectionCost(pricing, set, type, first);
  const own = { path: [], points: page.itemPoints, first };
  const pages = page.itemPoints > 0 ? [own, ...page.pages] : page.pages;
  return {
    points: typeWeight(type) + page.points,
    depth: 1 + page.depth,
    pages: pagesBelow(node, { ...page, pages }),
    itemPoints: 0,
  };
}

const isList = (type: unknown): boolean => isListType(isNonNullType(type) ? type.ofType : type);

/** Sizes out of bounds are rejected by the list itself; here they count as the nearest bound. */
function pageSize({ variables, limits }: Pricing, node: FieldNode): number {
  const size = argumentValue(node, 'first', variables) ?? argumentValue(node, 'last', variables);
  return typeof size === 'number' ? Math.min(Math.max(size, 0), limits.pageSizeMax) : limits.pageSize;
}
