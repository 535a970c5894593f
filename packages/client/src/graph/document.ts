import { type DocumentNodeLike, print } from './print.ts';

/** An operation with its types, as codegen's client preset writes it: a TypedDocumentString or a TypedDocumentNode. */
export interface TypedDocument<Result, Variables> {
  __apiType?: ((variables: Variables) => Result) | undefined;
}

export type OperationKind = 'query' | 'mutation' | 'subscription';

/** The text of an operation. */
export function textOf(document: unknown): string {
  const isNode = (document as { kind?: unknown }).kind === 'Document';
  return isNode ? print(document as DocumentNodeLike) : String(document);
}

const TOKENS =
  /"""[\s\S]*?"""|"(?:\\.|[^"\\])*"|#[^\n\r]*|[@$]\s*\w+|\bfragment\s+\w+\s+on\s+\w+|\b(query|mutation|subscription)\b(?:\s+\w+)?|[{}()]/g;

/** What the operations of a text do: `mutation` if one of them changes something. */
export function kindOf(text: string): OperationKind {
  const kinds = new Set<string>();
  let depth = 0;
  for (const [token, kind] of text.matchAll(TOKENS)) {
    if (token === '{' || token === '(') depth++;
    else if (token === '}' || token === ')') depth--;
    else if (kind && depth === 0) kinds.add(kind);
  }
  if (kinds.has('mutation')) return 'mutation';
  return kinds.has('subscription') ? 'subscription' : 'query';
}
