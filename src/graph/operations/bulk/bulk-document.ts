import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { badValue, DomainError } from '../../../domain/kernel/errors.ts';
import { requireReadable } from '../text-limits.ts';
import { unsupportedDirectives } from '../unsupported-directives.ts';
import { refusalOf } from './refused-mutations.ts';

/** The mutation of a bulk operation. `field`: its name. */
export interface BulkDocument {
  document: DocumentNode;
  operation: OperationDefinitionNode;
  field: string;
}

const FORM = 'must be the text of one mutation with exactly one field, such as mutation ($input: …) { … }';

/** Throws BAD_USER_INPUT at `mutation` for anything but one mutation that a bulk operation runs. */
export function requireBulkDocument(schema: GraphQLSchema, text: string): BulkDocument {
  requireReadable(text);
  const document = parsed(text);
  const [error] = [
    ...unsupportedDirectives(document),
    ...validate(schema, document, specifiedRules, { maxErrors: 1 }),
  ];
  if (error) throw badValue('mutation', error.message, { cause: error });
  return singleMutation(schema, document);
}

function parsed(text: string): DocumentNode {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof GraphQLError) throw badValue('mutation', error.message, { cause: error });
    throw error;
  }
}

function singleMutation(schema: GraphQLSchema, document: DocumentNode): BulkDocument {
  const operations = document.definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  const [operation] = operations;
  const selections = operation?.selectionSet.selections ?? [];
  const [root] = selections;
  if (operation?.operation !== 'mutation' || operations.length > 1 || selections.length > 1 || !isPlain(root))
    throw badValue('mutation', FORM);
  const definition = schema.getMutationType()?.getFields()[root.name.value];
  if (!definition) throw badValue('mutation', FORM);
  const refusal = refusalOf(definition);
  if (refusal)
    throw new DomainError('FORBIDDEN', `No bulk operation runs ${definition.name}: ${refusal}.`, {
      at: 'mutation',
    });
  return { document, operation, field: definition.name };
}

/** A field itself, and not under a condition or in a fragment. */
const isPlain = (
  root: OperationDefinitionNode['selectionSet']['selections'][0] | undefined,
): root is FieldNode => root?.kind === Kind.FIELD && !root.directives?.length;
