import {
  type GraphQLObjectType,
  type GraphQLSchema,
  isAbstractType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { READ_BITS, type Scope, type ScopeBits } from '../../domain/kernel/scope.ts';
import { allowedWith } from '../../domain/kernel/viewer.ts';
import type { RequiredScopes } from './required-scopes.ts';
import { missingScopes } from './scope.ts';
import {
  admits,
  bitsOfMutation,
  type CredentialKind,
  type Position,
  stepByField,
  stepToType,
} from './scope-step.ts';

/** A kind of credential with scopes. */
export interface Credential {
  scopes: Iterable<Scope>;
  kind: CredentialKind;
}

/** Whether an operation runs with a credential. */
export const mayRun = (required: RequiredScopes, { scopes, kind }: Credential): boolean =>
  missingScopes(required, allowedWith(scopes, kind === 'ACCESS_TOKEN')) === 0 &&
  required.kinds.includes(kind);

interface Search extends Omit<Credential, 'scopes'> {
  schema: GraphQLSchema;
  allowed: ScopeBits;
  /** As `Type.field`. */
  fields: Set<string>;
}

/** The fields, as `Type.field`, of all operations that run with these scopes, in alphabetical order. */
export function reachedFields(schema: GraphQLSchema, { scopes, kind }: Credential): string[] {
  const search: Search = {
    schema,
    kind,
    allowed: allowedWith(scopes, kind === 'ACCESS_TOKEN'),
    fields: new Set(),
  };
  const reading = [schema.getQueryType(), schema.getSubscriptionType()];
  const roots = [...(search.allowed & READ_BITS ? reading : []), schema.getMutationType()];
  for (const root of roots) if (root) searchBelow(search, root);
  return [...search.fields].sort();
}

/** Looks at each position once: what is required below one depends on nothing else. */
function searchBelow(search: Search, root: GraphQLObjectType): void {
  const isMutation = root === search.schema.getMutationType();
  const positions = new Map<string, Position>();
  const add = (position: Position) => {
    const key = `${position.type.name} ${position.covered} ${position.written}`;
    if (!positions.has(key)) positions.set(key, position);
  };
  add({ type: root, covered: false, written: 0 });
  // A map is iterated with what is added meanwhile.
  for (const position of positions.values())
    for (const [name, field] of fieldsOf(position)) {
      const step = stepByField(search.schema, position, name, isMutation);
      if (!step || isRefused(search, step.bits) || !admits(field, search.kind)) continue;
      if (isMutation && position.type === root && !runs(search, field)) continue;
      search.fields.add(`${position.type.name}.${name}`);
      for (const each of positionsAt(search, step.below)) add(each);
    }
}

const fieldsOf = ({ type }: Position): [string, object][] =>
  isObjectType(type) || isInterfaceType(type) ? Object.entries(type.getFields()) : [];

/** Of a mutation, the scopes that write are those of its root fields. */
const isRefused = ({ allowed }: Search, bits: ScopeBits): boolean => (bits & READ_BITS & ~allowed) !== 0;

const runs = ({ allowed }: Search, mutation: object): boolean => (bitsOfMutation(mutation) & ~allowed) === 0;

/** The position itself, and those of the types of an interface or union that may be read. */
function positionsAt(search: Search, position: Position): Position[] {
  if (!isAbstractType(position.type)) return [position];
  const steps = search.schema.getPossibleTypes(position.type).map((type) => stepToType(position, type));
  return [position, ...steps.filter(({ bits }) => !isRefused(search, bits)).map(({ below }) => below)];
}
