import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  getOperationAST,
  isAbstractType,
  isCompositeType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { READ_BITS, type ScopeBits } from '../../domain/kernel/scope.ts';
import {
  admits,
  bitsOfMutation,
  type CredentialKind,
  type Position,
  stepByField,
  stepToType,
} from './scope-step.ts';

/** What an operation requires: `reads` of what it selects beyond the objects that its mutations wrote, and `writes` of the mutations. */
export interface RequiredScopes {
  isMutation: boolean;
  reads: ScopeBits;
  writes: ScopeBits;
  /** The kinds of credentials with which its mutations run. */
  kinds: readonly CredentialKind[];
}

const KINDS: readonly CredentialKind[] = ['SESSION', 'API_KEY', 'ACCESS_TOKEN'];

interface Walk {
  schema: GraphQLSchema;
  isMutation: boolean;
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Fragments done, by name, type and `covered`. */
  done: Set<string>;
  /** Called with what each field itself requires, if set. */
  onField?: (path: readonly string[], coordinate: string, bits: ScopeBits) => void;
  /** The response keys down to the field. */
  path: string[];
}

const bitsOfSelections = (walk: Walk, position: Position, { selections }: SelectionSetNode): ScopeBits =>
  selections.reduce((all, each) => all | bitsOfSelection(walk, position, each), 0);

function bitsOfSelection(walk: Walk, position: Position, selection: SelectionNode): ScopeBits {
  if (selection.kind === Kind.FIELD) return bitsOfField(walk, position, selection);
  if (selection.kind === Kind.INLINE_FRAGMENT)
    return bitsOfCondition(walk, position, selection.typeCondition?.name.value, selection.selectionSet);
  const name = selection.name.value;
  const key = `${name} ${position.type.name} ${position.covered} ${position.written}`;
  const fragment = walk.fragments.get(name);
  if (!fragment || walk.done.has(key)) return 0;
  walk.done.add(key);
  return bitsOfCondition(walk, position, fragment.typeCondition.name.value, fragment.selectionSet);
}

/** A type condition never widens. */
function bitsOfCondition(
  walk: Walk,
  position: Position,
  name: string | undefined,
  set: SelectionSetNode,
): ScopeBits {
  const condition = name === undefined ? undefined : walk.schema.getType(name);
  if (!condition || condition === position.type || !isAbstractType(position.type))
    return bitsOfSelections(walk, position, set);
  const { bits, below } = stepToType(position, condition);
  return bits | bitsOfSelections(walk, below, set);
}

function bitsOfField(
  walk: Walk,
  position: Position,
  { name: { value: name }, alias, selectionSet }: FieldNode,
): ScopeBits {
  const step = stepByField(walk.schema, position, name, walk.isMutation);
  if (!step) return 0;
  const { bits, below } = step;
  walk.path.push(alias?.value ?? name);
  walk.onField?.([...walk.path], `${position.type.name}.${name}`, bits);
  const all =
    selectionSet && isCompositeType(below.type) ? bits | bitsOfSelections(walk, below, selectionSet) : bits;
  walk.path.pop();
  return all;
}

/** The root fields that an operation selects. */
const rootFields = (root: GraphQLObjectType, walk: Walk, { selections }: SelectionSetNode): object[] =>
  selections.flatMap((each) => {
    if (each.kind === Kind.FIELD) return root.getFields()[each.name.value] ?? [];
    const fragment = each.kind === Kind.FRAGMENT_SPREAD ? walk.fragments.get(each.name.value) : each;
    return fragment ? rootFields(root, walk, fragment.selectionSet) : [];
  });

/**
 * What an operation requires, by the declarations of the types and fields that it selects. A mutation requires the scopes of its fields;
 * of their payloads, the objects that were written need no scope that reads, and whatever is reached beyond does.
 */
export function requiredScopes(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName?: string | null,
  onField?: Walk['onField'],
): RequiredScopes {
  const operation = getOperationAST(document, operationName);
  const root = operation && schema.getRootType(operation.operation);
  const isMutation = operation?.operation === 'mutation';
  if (!operation || !root) return { isMutation, reads: 0, writes: 0, kinds: KINDS };
  const fragments = new Map(
    document.definitions
      .filter((each) => each.kind === Kind.FRAGMENT_DEFINITION)
      .map((each) => [each.name.value, each]),
  );
  const walk = { schema, isMutation, fragments, done: new Set<string>(), path: [], onField };
  const { selectionSet } = operation;
  const all = bitsOfSelections(walk, { type: root, covered: false, written: 0 }, selectionSet);
  const mutations = isMutation ? rootFields(root, walk, selectionSet) : [];
  return {
    isMutation,
    reads: all & READ_BITS,
    writes: mutations.reduce<ScopeBits>((bits, field) => bits | bitsOfMutation(field), 0),
    kinds: KINDS.filter((kind) => mutations.every((field) => admits(field, kind))),
  };
}
