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

/** What a field answers with, null or not, down to its leaves. */
export type Shape = { nullable: boolean } & (
  | { kind: 'leaf'; type: GraphQLLeafType }
  | { kind: 'object'; type: GraphQLObjectType }
  | { kind: 'abstract'; type: GraphQLAbstractType }
  | { kind: 'list'; item: Shape }
);

/** One field of a selection, worked out once for all the objects it will be read from. */
export interface FieldPlan {
  /** Its name in the answer. */
  key: string;
  name: string;
  parent: GraphQLObjectType;
  definition: GraphQLField<unknown, unknown>;
  nodes: readonly FieldNode[];
  /** Undefined where the member of the same name is the answer. */
  resolve: GraphQLFieldResolver<unknown, unknown> | undefined;
  shape: Shape;
  /** What is selected of it, for a type that it can answer with. */
  fieldsOf: (type: GraphQLObjectType) => readonly FieldPlan[];
  /** It is found by the id of what it hangs on alone, so that nobody need wait for that. */
  ahead: boolean;
  /** The row may have brought it along. */
  relation: Relation | undefined;
  /** What its resolver takes from the row, where that has brought it along. */
  includes: Relation | undefined;
}

/** An operation, ready to run with any variables that leave its @skip and @include as they were. */
export interface Plan {
  schema: GraphQLSchema;
  operation: OperationDefinitionNode;
  fragments: Record<string, FragmentDefinitionNode>;
  fields: readonly FieldPlan[];
}

/** Plans kept of one operation: for each answer that its conditions gave. */
const MOST = 32;

const plans = new WeakMap<OperationDefinitionNode, Map<string, Plan>>();
const conditions = new WeakMap<DocumentNode, readonly string[]>();

/** The plan of an operation of a valid document; the variables are coerced. */
export function planOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Values,
): Plan {
  const names = memoize(conditions, document, () => conditionsOf(document));
  const known = memoize(plans, operation, () => new Map<string, Plan>());
  const key = JSON.stringify(names.map((name) => variables[name]));
  const plan = known.get(key) ?? makePlan(schema, document, operation, variables);
  if (known.size < MOST) known.set(key, plan);
  return plan;
}

/** The variables that decide what is selected. */
function conditionsOf(document: DocumentNode): string[] {
  const names = new Set<string>();
  visit(document, {
    Directive: ({ arguments: given = [] }) => {
      for (const { value } of given) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return [...names];
}

function makePlan(
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
    if (!isWanted(planning, selection)) continue;
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

const isWanted = ({ variables }: Planning, node: SelectionNode): boolean =>
  getDirectiveValues(GraphQLSkipDirective, node, variables)?.if !== true &&
  getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if !== false;

function applies({ schema }: Planning, condition: string | undefined, type: GraphQLObjectType): boolean {
  const wanted = condition === undefined ? type : schema.getType(condition);
  return wanted === type || (isAbstractType(wanted) && schema.isSubType(wanted, type));
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
  const known = new Map<GraphQLObjectType, FieldPlan[]>();
  return {
    key,
    name,
    parent,
    definition,
    nodes,
    resolve: definition.resolve,
    shape: shapeOf(definition.type),
    fieldsOf(type) {
      const fields = known.get(type) ?? fieldsOf(planning, type, sets);
      known.set(type, fields);
      return fields;
    },
    ahead: definition.extensions.ahead === true,
    relation: definition.extensions.relation as Relation | undefined,
    includes: definition.extensions.includes as Relation | undefined,
  };
}

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
