import { type DocumentNode, GraphQLError, visit } from 'graphql';

const UNSUPPORTED: Record<string, string> = {
  defer: '@defer is not supported: responses are complete. Request what is slow in a query of its own.',
  stream:
    '@stream is not supported: responses are complete. Request a list in pages, with `first` and `after`.',
};

/** Errors for directives of incremental delivery, which clients know from other servers; others are left to validation. */
export function unsupportedDirectives(document: DocumentNode): GraphQLError[] {
  const errors: GraphQLError[] = [];
  visit(document, {
    Directive(node) {
      const text = UNSUPPORTED[node.name.value];
      if (text) errors.push(new GraphQLError(text, { nodes: node }));
    },
  });
  return errors;
}
