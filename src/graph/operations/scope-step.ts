import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import {
  allowedBy,
  bitsOf,
  readsOfWrites,
  type Scope,
  type ScopeBits,
  scopesOf,
} from '../../domain/kernel/scope.ts';
import { isPayload } from './weights.ts';

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
  extensions: { callers?: Callers; pothosOptions?: { scope?: unknown; isPart?: boolean } };
}

const isPart = (field: object): boolean => (field as Declaring).extensions.pothosOptions?.isPart === true;

/** Who may use a field, with any scopes: anybody, people with an API key or at a browser, or only at a browser. */
export type Callers = 'ANY' | 'PERSON' | 'SESSION';

/** What kind of credential somebody calls with. */
export type CredentialKind = 'SESSION' | 'API_KEY' | 'ACCESS_TOKEN';

/** Whether credentials of a kind may use a field with the scopes for it. */
export function admits(field: object, kind: CredentialKind): boolean {
  const { callers = 'ANY' } = (field as Declaring).extensions;
  return callers === 'ANY' || kind === 'SESSION' || (callers === 'PERSON' && kind === 'API_KEY');
}

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

/**
 * Where a selection stands. `covered`: the scope of the fields of `type` itself is required already, by the field that returned it. `written`: what
 * the scope of a mutation reads here, without one that reads: the objects that it wrote, their parts, and single objects of the same area.
 */
export interface Position {
  type: GraphQLNamedType;
  covered: boolean;
  written: ScopeBits;
}

/** What is required on the way to another position. */
export interface Step {
  bits: ScopeBits;
  below: Position;
}

/** Lists of an object that was written lead beyond it, unless they are a part of it; those of the payload are what was written. */
function writtenBelow({ type, written }: Position, target: GraphQLNamedType, field?: object): ScopeBits {
  const isList = isPagePart(target) && !isPagePart(type) && !isPayload(type);
  if (isList && !(field && isPart(field))) return 0;
  const declared = field && scopeOfField(field);
  const bits = declared === undefined ? (ruleOf(target)?.bits ?? 0) : bitsOfScope(declared);
  return (bits & ~written) === 0 ? written : 0;
}

/** A type condition narrows an interface to a type, whose scope is then required. */
export function stepToType(position: Position, type: GraphQLNamedType): Step {
  const rule = ruleOf(type);
  return {
    bits: rule ? bitsOfEntry(rule) & ~position.written : 0,
    below: { type, covered: false, written: writtenBelow(position, type) },
  };
}

/** The step by a field of the type of the position; undefined if it has none of this name. */
export function stepByField(
  schema: GraphQLSchema,
  position: Position,
  name: string,
  isMutation: boolean,
): Step | undefined {
  const { type } = position;
  const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
  if (!field) return undefined;
  const target = getNamedType(field.type);
  const isRoot = type === schema.getMutationType();
  const written = isRoot ? writtenBy(field) : writtenBelow(position, target, field);
  const beyond = isMutation && written === 0 ? bitsOfList(type, target) : 0;
  const { required, covered } = ofField(schema, position, field, target);
  return { bits: (required || beyond) & ~written, below: { type: target, covered, written } };
}

/** What a field itself requires, and whether that covers what it returns. */
function ofField(
  schema: GraphQLSchema,
  { type, covered }: Position,
  field: GraphQLField<unknown, unknown>,
  target: GraphQLNamedType,
): { required: ScopeBits; covered: boolean } {
  const declared = scopeOfField(field);
  if (declared !== undefined) return { required: bitsOfScope(declared), covered: true };
  if (covered && isPagePart(type)) return { required: 0, covered: true };
  const rule = isCompositeType(target) ? ruleOf(target) : undefined;
  if (rule && (rule.bits !== 0 || rule.open)) return { required: bitsOfEntry(rule), covered: false };
  const own = covered ? 0 : bitsOfOwnField(schema, type, field.name);
  return { required: own, covered: !isAbstractType(target) };
}

/** What a root field of mutations requires to run. */
export const bitsOfMutation = (field: object): ScopeBits => bitsOfScope(scopeOfField(field) ?? 'write');

/** What the scope of a mutation reads of the objects that it wrote. */
const writtenBy = (field: object): ScopeBits => readsOfWrites(allowedBy(scopesOf(bitsOfMutation(field))));
