import {
  type ASTVisitor,
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isEnumType,
  isInputObjectType,
  separateOperations,
  TypeInfo,
  typeFromAST,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { memoize } from '../../lib/memoize.ts';

/** What an operation uses that is deprecated: coordinates of the schema. */
type Use = (variables: Readonly<Record<string, unknown>>) => readonly string[];

const cache = new WeakMap<DocumentNode, Map<string, Use>>();

/**
 * The coordinates of what an operation uses that is deprecated: fields and arguments that it names, members of inputs, and
 * values of enums, also in its variables. The document is valid, and is looked through once.
 */
export const deprecatedUse = (
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
  variables: Readonly<Record<string, unknown>>,
): readonly string[] =>
  memoize(
    memoize(cache, document, () => new Map()),
    operationName ?? '',
    () => useOf(schema, document, operationName),
  )(variables);

function useOf(schema: GraphQLSchema, document: DocumentNode, operationName?: string | null): Use {
  const operation = getOperationAST(document, operationName);
  const alone = separateOperations(document)[operation?.name?.value ?? ''] ?? document;
  const named = namesIn(schema, alone);
  const checked = (operation?.variableDefinitions ?? []).flatMap(({ variable, type }) => {
    const input = typeFromAST(schema, type as never) as GraphQLInputType | undefined;
    return input && mayHold(input) ? [{ name: variable.name.value, input }] : [];
  });
  if (checked.length === 0) return () => named;
  return (variables) => {
    const used = new Set(named);
    for (const { name, input } of checked) addNames(used, input, variables[name]);
    return [...used];
  };
}

/** What a document itself names. */
function namesIn(schema: GraphQLSchema, document: DocumentNode): readonly string[] {
  const used = new Set<string>();
  const types = new TypeInfo(schema);
  const add = (
    element: { deprecationReason?: string | null } | null | undefined,
    coordinate: () => string,
  ) => {
    if (element?.deprecationReason) used.add(coordinate());
  };
  const fieldOf = () => `${types.getParentType()?.name}.${types.getFieldDef()?.name}`;
  const visitor: ASTVisitor = {
    Field: () => add(types.getFieldDef(), fieldOf),
    Argument: () => add(types.getArgument(), () => `${fieldOf()}(${types.getArgument()?.name}:)`),
    ObjectField({ name: { value: name } }) {
      const parent = getNamedType(types.getParentInputType());
      if (isInputObjectType(parent)) add(parent.getFields()[name], () => `${parent.name}.${name}`);
    },
    EnumValue() {
      const value = types.getEnumValue();
      add(value, () => `${getNamedType(types.getInputType())?.name}.${value?.name}`);
    },
  };
  visit(document, visitWithTypeInfo(types, visitor));
  return [...used];
}

/** Whether a value of the type may hold something that is deprecated. */
function mayHold(type: GraphQLInputType, seen = new Set<unknown>()): boolean {
  const named = getNamedType(type);
  if (seen.has(named)) return false;
  seen.add(named);
  if (isEnumType(named)) return named.getValues().some(({ deprecationReason }) => deprecationReason);
  return (
    isInputObjectType(named) &&
    Object.values(named.getFields()).some((field) => field.deprecationReason || mayHold(field.type, seen))
  );
}

/** Adds what a value of a variable names. */
function addNames(used: Set<string>, type: GraphQLInputType, value: unknown): void {
  if (value === null || value === undefined) return;
  if (Array.isArray(value)) {
    for (const each of value) addNames(used, type, each);
    return;
  }
  const named = getNamedType(type);
  if (isEnumType(named)) {
    if (named.getValue(String(value))?.deprecationReason) used.add(`${named.name}.${value}`);
  } else if (isInputObjectType(named)) {
    for (const [name, item] of Object.entries(value)) {
      const field = named.getFields()[name];
      if (field?.deprecationReason) used.add(`${named.name}.${name}`);
      if (field) addNames(used, field.type, item);
    }
  }
}
