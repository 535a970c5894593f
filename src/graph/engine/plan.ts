import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLFieldResolver,
  GraphQLIncludeDirective,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
  visit,
} from 'graphql';
import type { Relation } from '../../domain/kernel/relation.ts';
import { memoize } from '../../lib/memoize.ts';

type Values = Record<string, unknown>;

/** The type of a field, prepared for completion. */
export type Shape = { nullable: boolean } & (
  | { kind: 'leaf'; type: GraphQLLeafType }
  | { kind: 'object'; type: GraphQLObjectType }
  | { kind: 'abstract'; type: GraphQLAbstractType }
  | { kind: 'list'; item: Shape }
);

/** One field of a selection, prepared once for all objects and requests. */
export interface FieldPlan {
  /** The response key. */
  key: string;
  name: string;
  parent: GraphQLObjectType;
  definition: GraphQLField<unknown, unknown>;
  nodes: readonly FieldNode[];
  /** Undefined where the value is the source's member of the same name. */
  resolve: GraphQLFieldResolver<unknown, unknown> | undefined;
  shape: Shape;
  /** Its selection on one of its possible types. */
  fieldsOf: (type: GraphQLObjectType) => readonly FieldPlan[];
  /** Whether its resolver needs only the id of the parent, so that it can start before the parent is loaded. */
  prefetch: boolean;
  /** The relation that is its value, if the parent row was loaded with it. */
  relation: Relation | undefined;
  /** The relation that its resolver reads from the parent row, if that was loaded with it. */
  includes: Relation | undefined;
  /** Whether it can be resolved for a row of the past: it reads what has states, or a member of the row. */
  inPast: boolean;
}

/** An operation prepared for all variables that give its @skip and @include the same values. */
export interface Plan {
  schema: GraphQLSchema;
  operation: OperationDefinitionNode;
  fragments: Record<string, FragmentDefinitionNode>;
  fields: readonly FieldPlan[];
}

/** Plans cached for one operation, by the variables in its directives. */
const MAX_PLANS = 32;

const plans = new WeakMap<OperationDefinitionNode, Map<string, Plan>>();
const conditions = new WeakMap<DocumentNode, readonly string[]>();

/** The cached plan of an operation of a valid document. `variables`: coerced. */
export function planOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Values,
): Plan {
  const names = memoize(conditions, document, () => conditionsOf(document));
  const cached = memoize(plans, operation, () => new Map<string, Plan>());
  const key = JSON.stringify(names.map((name) => variables[name]));
  const plan = cached.get(key) ?? createPlan(schema, document, operation, variables);
  if (cached.size < MAX_PLANS) cached.set(key, plan);
  return plan;
}

/** The variables in directives, which decide what is selected. */
function conditionsOf(document: DocumentNode): string[] {
  const names = new Set<string>();
  visit(document, {
    Directive: ({ arguments: args = [] }) => {
      for (const { value } of args) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return [...names];
}

function createPlan(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Values,
): Plan {
  const fragments: Plan['fragments'] = {};
  for (const each of document.definitions)
    if (each.kind === Kind.FRAGMENT_DEFINITION) fragments[each.name.value] = each;
  const planning: Planning = { schema, fragments, variables };
  const root = schema.getRootType(operation.operation) as GraphQLObjectType;
  return { schema, operation, fragments, fields: fieldsOf(planning, root, [operation.selectionSet]) };
}

interface Planning {
  schema: GraphQLSchema;
  fragments: Plan['fragments'];
  variables: Values;
}

function fieldsOf(planning: Planning, type: GraphQLObjectType, sets: SelectionSetNode[]): FieldPlan[] {
  const groups = new Map<string, FieldNode[]>();
  const spread = new Set<string>();
  for (const set of sets) collect(planning, type, set, groups, spread);
  return [...groups].flatMap(([key, nodes]) => fieldPlan(planning, type, key, nodes) ?? []);
}

/** GraphQL specification §6.3.2, CollectFields. */
function collect(
  planning: Planning,
  type: GraphQLObjectType,
  set: SelectionSetNode,
  groups: Map<string, FieldNode[]>,
  spread: Set<string>,
): void {
  for (const selection of set.selections) {
    if (!isIncluded(planning, selection)) continue;
    if (selection.kind === Kind.FIELD) {
      const key = (selection.alias ?? selection.name).value;
      const nodes = groups.get(key);
      if (nodes) nodes.push(selection);
      else groups.set(key, [selection]);
      continue;
    }
    const name = selection.kind === Kind.FRAGMENT_SPREAD ? selection.name.value : undefined;
    const fragment =
      selection.kind === Kind.FRAGMENT_SPREAD ? planning.fragments[selection.name.value] : selection;
    if (!fragment || (name && spread.has(name))) continue;
    if (name) spread.add(name);
    if (applies(planning, fragment.typeCondition?.name.value, type))
      collect(planning, type, fragment.selectionSet, groups, spread);
  }
}

const isIncluded = ({ variables }: Planning, node: SelectionNode): boolean =>
  getDirectiveValues(GraphQLSkipDirective, node, variables)?.if !== true &&
  getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if !== false;

function applies({ schema }: Planning, condition: string | undefined, type: GraphQLObjectType): boolean {
  const conditionType = condition === undefined ? type : schema.getType(condition);
  return conditionType === type || (isAbstractType(conditionType) && schema.isSubType(conditionType, type));
}

function fieldPlan(
  planning: Planning,
  parent: GraphQLObjectType,
  key: string,
  nodes: FieldNode[],
): FieldPlan | undefined {
  const name = (nodes[0] as FieldNode).name.value;
  const definition = definitionOf(planning.schema, parent, name);
  if (!definition) return undefined;
  const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  const byType = new Map<GraphQLObjectType, FieldPlan[]>();
  return {
    key,
    name,
    parent,
    definition,
    nodes,
    resolve: definition.resolve,
    shape: shapeOf(definition.type),
    fieldsOf(type) {
      const fields = byType.get(type) ?? fieldsOf(planning, type, sets);
      byType.set(type, fields);
      return fields;
    },
    prefetch: definition.extensions.prefetch === true,
    relation: definition.extensions.relation as Relation | undefined,
    includes: definition.extensions.includes as Relation | undefined,
    inPast: isInPast(parent, definition),
  };
}

/** `extensions.inPast` of a field or its type says so; by default members of rows are, and what connections have. */
const isInPast = (
  parent: GraphQLObjectType,
  { name, resolve, extensions }: GraphQLField<unknown, unknown>,
): boolean =>
  ((extensions.inPast ?? parent.extensions.inPast) as boolean | undefined) ??
  (!resolve ||
    name === '__typename' ||
    extensions.pothosExposedField !== undefined ||
    PAGED.test(parent.name));

const PAGED = /(?:Connection|Edge|^PageInfo)$/;

const META = new Map(
  [TypeNameMetaFieldDef, SchemaMetaFieldDef, TypeMetaFieldDef].map((each) => [each.name, each]),
);

const definitionOf = (schema: GraphQLSchema, parent: GraphQLObjectType, name: string) =>
  name === '__typename' || parent === schema.getQueryType()
    ? (META.get(name) ?? parent.getFields()[name])
    : parent.getFields()[name];

function shapeOf(type: GraphQLOutputType, nullable = true): Shape {
  if (isNonNullType(type)) return shapeOf(type.ofType, false);
  if (isListType(type)) return { kind: 'list', nullable, item: shapeOf(type.ofType) };
  if (isLeafType(type)) return { kind: 'leaf', nullable, type };
  return isObjectType(type) ? { kind: 'object', nullable, type } : { kind: 'abstract', nullable, type };
}
