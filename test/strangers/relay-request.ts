import {
  type FieldNode,
  type GraphQLNamedType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isListType,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionSetNode,
} from 'graphql';
import type { ConcreteRequest, NormalizationSelection } from 'relay-runtime';
import { schema } from '../../src/graph/schema/schema.ts';

/**
 * The artifact that relay-compiler would write for an operation with fields, literal arguments and inline fragments, and
 * its text. As the compiler does, it selects the id of everything that has one, and the type of what may have several.
 */
export function relayRequest(text: string): { request: ConcreteRequest; query: string } {
  const document = parse(text);
  const [operation] = document.definitions as [OperationDefinitionNode];
  const selections = selectionsOf(operation.selectionSet, schema.getQueryType() as GraphQLNamedType);
  const name = operation.name?.value ?? '';
  const fragment = { kind: 'Fragment', name, type: 'Query', selections, argumentDefinitions: [] };
  const request = {
    kind: 'Request',
    fragment,
    operation: { kind: 'Operation', name, argumentDefinitions: [], selections },
    params: { id: name, cacheID: name, name, operationKind: 'query', text, metadata: {} },
  };
  const query = `query ${name} ${textOf(selections)}`;
  return { request: request as unknown as ConcreteRequest, query };
}

const scalar = (name: string): NormalizationSelection => ({
  kind: 'ScalarField',
  name,
  alias: null,
  args: null,
  storageKey: null,
});

function selectionsOf({ selections }: SelectionSetNode, type: GraphQLNamedType): NormalizationSelection[] {
  const written = selections.flatMap((each) => {
    if (each.kind === 'Field') return fieldOf(each, type);
    if (each.kind !== 'InlineFragment') throw new Error(`${each.kind} is not supported`);
    const name = each.typeCondition?.name.value as string;
    const below = selectionsOf(each.selectionSet, schema.getType(name) as GraphQLNamedType);
    return { kind: 'InlineFragment', type: name, abstractKey: null, selections: below } as never;
  });
  const added = [
    ...(isAbstractType(type) ? ['__typename'] : []),
    ...('getFields' in type && 'id' in type.getFields() ? ['id'] : []),
  ];
  return [...added.map(scalar), ...written.filter((each) => !added.includes((each as FieldLike).name))];
}

type FieldLike = { name: string };

function fieldOf(node: FieldNode, parent: GraphQLNamedType): NormalizationSelection {
  const name = node.name.value;
  const field = 'getFields' in parent ? (parent as unknown as Fields).getFields()[name] : undefined;
  const written = node.arguments?.length ? `${name}(${node.arguments.map(print).join(', ')})` : null;
  if (!field || !node.selectionSet) return { ...scalar(name), storageKey: written } as NormalizationSelection;
  const type = getNamedType(field.type);
  return {
    kind: 'LinkedField',
    name,
    alias: null,
    args: null,
    storageKey: written,
    concreteType: isAbstractType(type) ? null : type.name,
    plural: isListType(getNullableType(field.type)),
    selections: isCompositeType(type) ? selectionsOf(node.selectionSet, type) : [],
  } as unknown as NormalizationSelection;
}

interface Fields {
  getFields(): Record<string, { type: GraphQLOutputType }>;
}

interface Selected {
  kind: string;
  name: string;
  type: string;
  storageKey: string | null;
  selections?: NormalizationSelection[];
}

const textOf = (selections: readonly NormalizationSelection[]): string =>
  `{ ${selections
    .map((each) => each as unknown as Selected)
    .map(({ kind, name, type, storageKey, selections: below }) => {
      const head = kind === 'InlineFragment' ? `... on ${type}` : (storageKey ?? name);
      return below ? `${head} ${textOf(below)}` : head;
    })
    .join(' ')} }`;
