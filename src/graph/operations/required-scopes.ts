import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import {
  allowedBy,
  bitsOf,
  READ_BITS,
  readsOfWrites,
  type Scope,
  type ScopeBits,
  scopesOf,
} from '../../domain/kernel/scope.ts';
import { isPayload } from './weights.ts';

/** What an operation requires: `reads` of what it selects beyond the objects that its mutations wrote, and `writes` of the mutations. */
export interface RequiredScopes {
  isMutation: boolean;
  reads: ScopeBits;
  writes: ScopeBits;
}

/** The scopes declared of a field, beside it in the schema: all of them are required. */
export type FieldScope = Scope | readonly Scope[];

/**
 * The scopes declared of a type, beside it in the schema: whoever selects one of its fields needs all of them. `open` are fields that need none; then
 * an object may be passed on the way to another one.
 */
export type TypeScope = FieldScope | { scope: FieldScope; open: readonly string[] };

interface TypeRule {
  bits: ScopeBits;
  open?: readonly string[];
}

const bitsOfScope = (scope: FieldScope): ScopeBits =>
  bitsOf(...(typeof scope === 'string' ? [scope] : scope));

interface Declaring {
  extensions: { pothosOptions?: { scope?: unknown; isPart?: boolean } };
}

const isPart = (field: object): boolean => (field as Declaring).extensions.pothosOptions?.isPart === true;

/** The scope declared of a field itself. */
export const scopeOfField = (field: object): FieldScope | undefined =>
  (field as Declaring).extensions.pothosOptions?.scope as FieldScope | undefined;

/** The scope declared of a type itself. */
export const scopeOfType = (type: object): TypeScope | undefined =>
  (type as Declaring).extensions.pothosOptions?.scope as TypeScope | undefined;

const isPagePart = ({ name }: GraphQLNamedType): boolean =>
  name.endsWith('Connection') || name.endsWith('Edge');

/** The type of the items of a page, or the type itself. */
function itemType(type: GraphQLNamedType): GraphQLNamedType {
  if (!isPagePart(type) || !isObjectType(type)) return type;
  const { nodes, node } = type.getFields();
  const items = nodes ?? node;
  return items ? getNamedType(items.type) : type;
}

/** The rule of a type, of its own or of the items of the page; undefined for parts of other objects, and for interfaces. */
function ruleOf(type: GraphQLNamedType): TypeRule | undefined {
  const scope = scopeOfType(itemType(type));
  if (scope === undefined) return undefined;
  return typeof scope === 'object' && 'open' in scope
    ? { bits: bitsOfScope(scope.scope), open: scope.open }
    : { bits: bitsOfScope(scope) };
}

/** Fields that say nothing of an object but that it is there. */
const FREE = new Set(['id', 'pageInfo', 'cursor']);

/** What reading a field of a type requires, which has no declaration of its own and returns no type that has one. */
function bitsOfOwnField(schema: GraphQLSchema, type: GraphQLNamedType, name: string): ScopeBits {
  if (FREE.has(name)) return 0;
  if (isInterfaceType(type))
    return schema.getPossibleTypes(type).reduce((all, each) => all | bitsOfOwnField(schema, each, name), 0);
  const rule = ruleOf(type);
  return !rule || rule.open?.includes(name) ? 0 : rule.bits;
}

/** What it takes to get to objects of a type. */
const bitsOfEntry = (rule: TypeRule): ScopeBits => (rule.open ? 0 : rule.bits);

/** What it takes in a mutation to list what it did not write, even if the names in the list are open to all who read. */
const bitsOfList = (parent: GraphQLNamedType, list: GraphQLNamedType): ScopeBits =>
  isPagePart(list) && !isPagePart(parent) ? ruleOf(list)?.bits || ruleOf(parent)?.bits || 0 : 0;

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

/**
 * `covered`: the scope of the fields of `type` itself is required already, by the field that returned it. `written`: what the scope of
 * a mutation reads here, without one that reads: the objects that it wrote, their parts, and single objects of the same area.
 */
interface Place {
  type: GraphQLNamedType;
  covered: boolean;
  written: ScopeBits;
}

/** Lists of an object that was written lead beyond it, unless they are a part of it; those of the payload are what was written. */
function writtenBelow({ type, written }: Place, target: GraphQLNamedType, field?: object): ScopeBits {
  const isList = isPagePart(target) && !isPagePart(type) && !isPayload(type);
  if (isList && !(field && isPart(field))) return 0;
  const declared = field && scopeOfField(field);
  const bits = declared === undefined ? (ruleOf(target)?.bits ?? 0) : bitsOfScope(declared);
  return (bits & ~written) === 0 ? written : 0;
}

const bitsOfSelections = (walk: Walk, place: Place, { selections }: SelectionSetNode): ScopeBits =>
  selections.reduce((all, each) => all | bitsOfSelection(walk, place, each), 0);

function bitsOfSelection(walk: Walk, place: Place, selection: SelectionNode): ScopeBits {
  if (selection.kind === Kind.FIELD) return bitsOfField(walk, place, selection);
  if (selection.kind === Kind.INLINE_FRAGMENT)
    return bitsOfCondition(walk, place, selection.typeCondition?.name.value, selection.selectionSet);
  const name = selection.name.value;
  const key = `${name} ${place.type.name} ${place.covered} ${place.written}`;
  const fragment = walk.fragments.get(name);
  if (!fragment || walk.done.has(key)) return 0;
  walk.done.add(key);
  return bitsOfCondition(walk, place, fragment.typeCondition.name.value, fragment.selectionSet);
}

/** A type condition narrows an interface to a type, whose scope is then required; it never widens. */
function bitsOfCondition(
  walk: Walk,
  place: Place,
  name: string | undefined,
  set: SelectionSetNode,
): ScopeBits {
  const condition = name === undefined ? undefined : walk.schema.getType(name);
  if (!condition || condition === place.type || !isAbstractType(place.type))
    return bitsOfSelections(walk, place, set);
  const rule = ruleOf(condition);
  const below = { type: condition, covered: false, written: writtenBelow(place, condition) };
  return (rule ? bitsOfEntry(rule) & ~place.written : 0) | bitsOfSelections(walk, below, set);
}

function bitsOfField(walk: Walk, place: Place, node: FieldNode): ScopeBits {
  const { type, covered } = place;
  const name = node.name.value;
  const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
  if (!field) return 0;
  const target = getNamedType(field.type);
  const isRoot = type === walk.schema.getMutationType();
  const written = isRoot ? writtenBy(field) : writtenBelow(place, target, field);
  const beyond = walk.isMutation && written === 0 ? bitsOfList(type, target) : 0;
  const below = (isCovered: boolean) =>
    node.selectionSet && isCompositeType(target)
      ? bitsOfSelections(walk, { type: target, covered: isCovered, written }, node.selectionSet)
      : 0;
  const require = (required: ScopeBits, isCovered: boolean) => {
    const bits = (required || beyond) & ~written;
    walk.path.push(node.alias?.value ?? name);
    walk.onField?.([...walk.path], `${type.name}.${name}`, bits);
    const all = bits | below(isCovered);
    walk.path.pop();
    return all;
  };
  const declared = scopeOfField(field);
  if (declared !== undefined) return require(bitsOfScope(declared), true);
  if (covered && isPagePart(type)) return require(0, true);
  const rule = isCompositeType(target) ? ruleOf(target) : undefined;
  if (rule && (rule.bits !== 0 || rule.open)) return require(bitsOfEntry(rule), false);
  const own = covered ? 0 : bitsOfOwnField(walk.schema, type, name);
  return require(own, !isAbstractType(target));
}

const bitsOfMutation = (field: object): ScopeBits => bitsOfScope(scopeOfField(field) ?? 'write');

/** What the scope of a mutation reads of the objects that it wrote. */
const writtenBy = (field: object): ScopeBits => readsOfWrites(allowedBy(scopesOf(bitsOfMutation(field))));

/** What the root fields of a mutation require, each by its own declaration. */
const bitsOfRootFields = (root: GraphQLObjectType, walk: Walk, { selections }: SelectionSetNode): ScopeBits =>
  selections.reduce((all, each) => {
    if (each.kind === Kind.FIELD) {
      const field = root.getFields()[each.name.value];
      return field ? all | bitsOfMutation(field) : all;
    }
    const fragment = each.kind === Kind.FRAGMENT_SPREAD ? walk.fragments.get(each.name.value) : each;
    return fragment ? all | bitsOfRootFields(root, walk, fragment.selectionSet) : all;
  }, 0);

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
  if (!operation || !root) return { isMutation, reads: 0, writes: 0 };
  const fragments = new Map(
    document.definitions
      .filter((each) => each.kind === Kind.FRAGMENT_DEFINITION)
      .map((each) => [each.name.value, each]),
  );
  const walk = { schema, isMutation, fragments, done: new Set<string>(), path: [], onField };
  const { selectionSet } = operation;
  const all = bitsOfSelections(walk, { type: root, covered: false, written: 0 }, selectionSet);
  const writes = isMutation ? bitsOfRootFields(root, walk, selectionSet) : 0;
  return { isMutation, reads: all & READ_BITS, writes };
}
