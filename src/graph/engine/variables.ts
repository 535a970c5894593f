import { GraphQLError, type GraphQLSchema, getVariableValues, type OperationDefinitionNode } from 'graphql';
import { findUnstorable, STORABLE } from '../../lib/text/storable.ts';

/** Errors of variables reported at most, as each prints its value. */
const OPTIONS = { maxErrors: 20 };

type Coerced = ReturnType<typeof getVariableValues>;
type Values = Readonly<Record<string, unknown>>;

/** Coerces variables (GraphQL specification §6.1.2), and refuses text that cannot be stored: the scalars of graphql-js accept it. */
export function coerceVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  values: Values,
): Coerced {
  for (const { variable } of variableDefinitions) {
    const error = textError(variable.name.value, values);
    if (error) return { errors: [error] };
  }
  return getVariableValues(schema, variableDefinitions, values, OPTIONS);
}

function textError(name: string, values: Values): GraphQLError | undefined {
  const unstorable = findUnstorable(values[name]);
  if (!unstorable) return undefined;
  const below = unstorable.path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
  const at = below && ` at "${name}${below}"`;
  return new GraphQLError(
    `Variable "$${name}" got invalid value ${JSON.stringify(unstorable.text)}${at}; Expected ${STORABLE}.`,
  );
}
