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
import { DomainError } from '../domain/errors.ts';

export interface CostLimits {
  queryCost: number;
  queryDepth: number;
  pageSize: number;
  pageSizeMax: number;
}

/** What a document asks for at most: points, and levels of fields. */
export interface Cost {
  points: number;
  depth: number;
}

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
  if (!operation || !root) return { points: 0, depth: 0 };
  const fragments = new Map(
    document.definitions
      .filter((each) => each.kind === Kind.FRAGMENT_DEFINITION)
      .map((each) => [each.name.value, each]),
  );
  const pricing: Pricing = { schema, fragments, variables, limits, known: new Map() };
  const { points, depth } = selectionCost(pricing, operation.selectionSet, root, 1);
  return { points: points + (operation.operation === 'mutation' ? MUTATION : 0), depth };
}

/** Throws COST_LIMIT_EXCEEDED for what is dearer or deeper than allowed. */
export function requireAffordable({ points, depth }: Cost, { queryCost, queryDepth }: CostLimits): void {
  if (depth > queryDepth)
    throw new DomainError(
      'COST_LIMIT_EXCEEDED',
      `The query is ${depth} levels deep; ${queryDepth} are allowed.`,
    );
  if (points > queryCost)
    throw new DomainError(
      'COST_LIMIT_EXCEEDED',
      `The query may cost ${points} points; ${queryCost} are allowed. Ask for smaller pages.`,
    );
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
  const cost = { points: 0, depth: 0 };
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
    cost.depth = Math.max(cost.depth, part.depth);
  }
  return cost;
}

const conditionOf = ({ schema }: Pricing, name: string | undefined) =>
  name === undefined ? undefined : schema.getType(name);

function fragmentCost(pricing: Pricing, name: string, size: number): Cost {
  const key = `${name}:${size}`;
  const known = pricing.known.get(key);
  const fragment = pricing.fragments.get(name);
  if (known || !fragment) return known ?? { points: 0, depth: 0 };
  const type = pricing.schema.getType(fragment.typeCondition.name.value);
  const cost = type ? selectionCost(pricing, fragment.selectionSet, type, size) : { points: 0, depth: 0 };
  pricing.known.set(key, cost);
  return cost;
}

function fieldCost(pricing: Pricing, node: FieldNode, parent: GraphQLNamedType, size: number): Cost {
  const name = node.name.value;
  if (name === 'totalCount') return { points: COUNT, depth: 1 };
  const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
  const type = field && getNamedType(field.type);
  if (
    !node.selectionSet ||
    !type ||
    !isCompositeType(type) ||
    name.startsWith('__') ||
    type.name.startsWith('__')
  )
    return { points: 0, depth: 1 };
  if (type.name.endsWith('Connection')) {
    const page = selectionCost(pricing, node.selectionSet, type, pageSize(pricing, node));
    return { points: (type.name === 'SearchConnection' ? SEARCH : 1) + page.points, depth: 1 + page.depth };
  }
  const items =
    parent.name.endsWith('Connection') && (name === 'nodes' || name === 'edges')
      ? size
      : isList(field.type)
        ? listSize(pricing, node)
        : 1;
  const own =
    type.name === 'SearchFacets'
      ? COUNT
      : type.name === 'PageInfo' || type.name.endsWith('Edge') || parent.name.endsWith('Payload')
        ? 0
        : 1;
  const inner = selectionCost(pricing, node.selectionSet, type, size);
  return { points: items * (own + inner.points), depth: 1 + inner.depth };
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
