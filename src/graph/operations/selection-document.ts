import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  parse,
  type ValidationContext,
} from 'graphql';

/** The default selection of a webhook. */
export const WHOLE_EVENT =
  '{ id sequence kind createdAt createdBy { id name } projectId subjectId subject { __typename id } changes { member before after } }';

const FORM = 'A selection has the form { kind subject { id } }, without a name and without variables.';

/**
 * Wraps a selection of Event, `{ kind subject { id } }` with fragments after it, into a subscription operation, so that it
 * is validated, priced and run like one. Its nodes keep their locations in the text. Throws GraphQLError.
 */
export function operationOf(selection: string): DocumentNode {
  const { definitions } = parse(selection);
  const operations = definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  const [selected] = operations;
  if (!selected || operations.length > 1 || !isPlain(selected))
    throw new GraphQLError(FORM, { nodes: operations.at(-1) });
  const shell = parse('subscription { eventAppended(organizationId: "") { id } }')
    .definitions[0] as OperationDefinitionNode;
  const [field] = shell.selectionSet.selections;
  const wrapped = { ...(field as FieldNode), selectionSet: selected.selectionSet };
  const operation = { ...shell, selectionSet: { ...shell.selectionSet, selections: [wrapped] } };
  return {
    kind: Kind.DOCUMENT,
    definitions: definitions.map((each) => (each === selected ? operation : each)),
  };
}

const isPlain = ({ operation, name, variableDefinitions }: OperationDefinitionNode): boolean =>
  operation === 'query' && !name && !variableDefinitions?.length;

interface Declaring {
  extensions: { pothosOptions?: { runsSelection?: string | true } };
}

/** Whether a field runs a selection itself: the argument that holds its text, or true for a stored one. */
export const selectionRunBy = (field: object): string | true | undefined =>
  (field as Declaring).extensions.pothosOptions?.runsSelection;

/** A validation rule: a selection does not run selections, which could be itself without end. */
export const withoutInnerSelection = (context: ValidationContext) => ({
  Field(node: FieldNode) {
    const field = context.getFieldDef();
    if (field && selectionRunBy(field))
      context.reportError(
        new GraphQLError(`A selection of Event may not have the field "${field.name}".`, { nodes: node }),
      );
  },
});
