/** The parts of graphql-js' DocumentNode that are read here; so the package needs no `graphql`. */
export interface DocumentNodeLike {
  readonly kind: 'Document';
  readonly definitions: readonly object[];
}

// biome-ignore lint/suspicious/noExplicitAny: a node of graphql-js, of which `kind` says what it has
type Node = any;

const all = (nodes: readonly Node[] | undefined, separator: string): string =>
  (nodes ?? []).map(printNode).join(separator);

const enclosed = (nodes: readonly Node[] | undefined, open: string, close: string): string =>
  nodes?.length ? open + all(nodes, ', ') + close : '';

const directives = ({ directives: nodes }: Node): string => (nodes?.length ? ` ${all(nodes, ' ')}` : '');

const optional = (prefix: string, node: Node): string => (node ? prefix + printNode(node) : '');

const PRINTERS: Record<string, (node: Node) => string> = {
  Document: (node) => all(node.definitions, '\n'),
  OperationDefinition: (node) =>
    node.operation +
    optional(' ', node.name) +
    enclosed(node.variableDefinitions, '(', ')') +
    directives(node) +
    printNode(node.selectionSet),
  FragmentDefinition: (node) =>
    `fragment ${printNode(node.name)} on ${printNode(node.typeCondition)}${directives(node)}${printNode(node.selectionSet)}`,
  VariableDefinition: (node) =>
    `${printNode(node.variable)}: ${printNode(node.type)}${optional(' = ', node.defaultValue)}${directives(node)}`,
  SelectionSet: (node) => ` { ${all(node.selections, ' ')} }`,
  Field: (node) =>
    (node.alias ? `${printNode(node.alias)}: ` : '') +
    printNode(node.name) +
    enclosed(node.arguments, '(', ')') +
    directives(node) +
    optional('', node.selectionSet),
  FragmentSpread: (node) => `...${printNode(node.name)}${directives(node)}`,
  InlineFragment: (node) =>
    `...${optional(' on ', node.typeCondition)}${directives(node)}${printNode(node.selectionSet)}`,
  Argument: (node) => `${printNode(node.name)}: ${printNode(node.value)}`,
  ObjectField: (node) => `${printNode(node.name)}: ${printNode(node.value)}`,
  Directive: (node) => `@${printNode(node.name)}${enclosed(node.arguments, '(', ')')}`,
  Name: (node) => node.value,
  NamedType: (node) => printNode(node.name),
  ListType: (node) => `[${printNode(node.type)}]`,
  NonNullType: (node) => `${printNode(node.type)}!`,
  Variable: (node) => `$${printNode(node.name)}`,
  IntValue: (node) => node.value,
  FloatValue: (node) => node.value,
  EnumValue: (node) => node.value,
  BooleanValue: (node) => String(node.value),
  NullValue: () => 'null',
  // A JSON string is a GraphQL string (GraphQL specification §2.9.4).
  StringValue: (node) => JSON.stringify(node.value),
  ListValue: (node) => `[${all(node.values, ', ')}]`,
  ObjectValue: (node) => `{${all(node.fields, ', ')}}`,
};

function printNode(node: Node): string {
  const printer = PRINTERS[node.kind];
  if (!printer) throw new TypeError(`A ${node.kind} cannot be part of an operation.`);
  return printer(node);
}

/** The text of a parsed document of operations and fragments. */
export const print = (document: DocumentNodeLike): string => printNode(document);
