import { type DocumentNode, getOperationAST } from 'graphql';
import { DomainError } from '../../domain/kernel/errors.ts';
import type { Viewer } from '../../domain/kernel/viewer.ts';

/** A query requires the scope `read`, a mutation `write`. */
export const scopeOf = (document: DocumentNode, operationName?: string | null): 'read' | 'write' =>
  getOperationAST(document, operationName)?.operation === 'mutation' ? 'write' : 'read';

/** Throws INSUFFICIENT_SCOPE (RFC 6750 §3.1). */
export function requireScope(viewer: Viewer, scope: 'read' | 'write'): void {
  if (!viewer.scopes.has(scope))
    throw new DomainError('INSUFFICIENT_SCOPE', `This requires a credential with the scope ${scope}.`);
}
