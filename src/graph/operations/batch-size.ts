import {
  type FieldNode,
  type GraphQLField,
  type GraphQLInputType,
  GraphQLInt,
  getNullableType,
  isInputObjectType,
  isListType,
  isRequiredArgument,
  isRequiredInputField,
  Kind,
  type ValueNode,
} from 'graphql';
import { ASSUMED_SIZE } from './weights.ts';

type Variables = Readonly<Record<string, unknown>>;

/** An argument, or a member of one, that says how many items a field returns. */
interface BatchArgument {
  path: readonly [argument: string, member?: string];
  isRequired: boolean;
}

/** The member that says how many are wanted, where the input lists nothing. */
const COUNT = 'count';

const isList = (type: GraphQLInputType): boolean => isListType(getNullableType(type));

/** The lists in the arguments of a field: as many items are in its list, or in the lists of its payload. */
export const batchArguments = ({ args }: GraphQLField<unknown, unknown>): BatchArgument[] =>
  args.flatMap((argument): BatchArgument[] => {
    const type = getNullableType(argument.type);
    if (isListType(type)) return [{ path: [argument.name], isRequired: isRequiredArgument(argument) }];
    if (!isInputObjectType(type)) return [];
    return Object.values(type.getFields()).flatMap((member) =>
      isList(member.type) || (member.name === COUNT && getNullableType(member.type) === GraphQLInt)
        ? [{ path: [argument.name, member.name], isRequired: isRequiredInputField(member) }]
        : [],
    );
  });

/**
 * Items of a plain list, or of each list of a payload: as many as its longest input. An input that may be left out can
 * return more than it lists, so that it counts at least with the size that is assumed.
 */
export function batchSize(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
  variables: Variables,
): number {
  const batches = batchArguments(field);
  const sizes = batches.flatMap(({ path }) => sizeOf(valueAt(node, path, variables)) ?? []);
  if (sizes.length === 0) return ASSUMED_SIZE;
  const longest = Math.max(...sizes);
  return batches.some(({ isRequired }) => isRequired) ? longest : Math.max(longest, ASSUMED_SIZE);
}

/** A single value counts as a list of one (GraphQL specification §3.11). */
function sizeOf(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number') return Math.max(value, 0);
  return Array.isArray(value) ? value.length : 1;
}

function valueAt(node: FieldNode, path: BatchArgument['path'], variables: Variables): unknown {
  const [argument, member] = path;
  const value = argumentValue(node, argument, variables);
  if (member === undefined) return value;
  return (value as Record<string, unknown> | null | undefined)?.[member];
}

/** An argument as sent: lists and objects down to their members, whose own values are left out. */
export function argumentValue(node: FieldNode, name: string, variables: Variables): unknown {
  const value = node.arguments?.find((each) => each.name.value === name)?.value;
  if (value?.kind !== Kind.OBJECT) return value && shallowValue(value, variables);
  return Object.fromEntries(
    value.fields.map((field) => [field.name.value, shallowValue(field.value, variables)]),
  );
}

/** A text argument as sent; undefined where it is left out or is no text. */
export function textArgument(node: FieldNode, name: string, variables: Variables): string | undefined {
  const value = argumentValue(node, name, variables);
  if (typeof value === 'string') return value;
  const literal = value as ValueNode | null | undefined;
  return literal?.kind === Kind.STRING ? literal.value : undefined;
}

function shallowValue(value: ValueNode, variables: Variables): unknown {
  if (value.kind === Kind.VARIABLE) return variables[value.name.value];
  if (value.kind === Kind.LIST) return value.values;
  if (value.kind === Kind.INT) return Number(value.value);
  return value.kind === Kind.NULL ? null : value;
}
