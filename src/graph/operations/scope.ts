import type { DocumentNode, GraphQLSchema } from 'graphql';
import { DomainError } from '../../domain/kernel/errors.ts';
import { bitsOf, READ_BITS, type Scope, type ScopeBits, scopesOf } from '../../domain/kernel/scope.ts';
import { allowedTo, type Viewer } from '../../domain/kernel/viewer.ts';
import { memoize } from '../../lib/memoize.ts';
import { type RequiredScopes, requiredScopes } from './required-scopes.ts';

const cache = new WeakMap<DocumentNode, Map<string, RequiredScopes>>();

/** Memoized `requiredScopes`. */
export const memoizedScopes = (
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName?: string | null,
): RequiredScopes =>
  memoize(
    memoize(cache, document, () => new Map()),
    operationName ?? '',
    () => requiredScopes(schema, document, operationName),
  );

/** Stands for any scope that reads, where names alone are read. */
const ANY_READ = bitsOf('organizations:read');

/** The smallest set of scopes for an operation. */
export function leastScopes({ isMutation, reads, writes }: RequiredScopes): ScopeBits {
  return !isMutation && reads === 0 ? ANY_READ : reads | writes;
}

/** The required scopes that `allowed` does not include; 0 if it allows the operation. */
export function missingScopes({ isMutation, reads, writes }: RequiredScopes, allowed: ScopeBits): ScopeBits {
  if (isMutation) return (writes | reads) & ~allowed;
  return reads === 0 && !(allowed & READ_BITS) ? ANY_READ : reads & ~allowed;
}

/** The names of the smallest set of scopes for several operations together. */
export const leastScopesOf = (required: readonly RequiredScopes[]): Scope[] =>
  scopesOf(required.reduce((all, each) => all | leastScopes(each), 0));

/** Throws INSUFFICIENT_SCOPE (RFC 6750 §3.1) that names all required and all missing scopes. */
export function requireScopes(viewer: Viewer, ...required: readonly RequiredScopes[]): void {
  const allowed = allowedTo(viewer);
  const missing = scopesOf(required.reduce((all, each) => all | missingScopes(each, allowed), 0));
  if (missing.length === 0) return;
  const word = missing.length === 1 ? 'scope' : 'scopes';
  throw new DomainError(
    'INSUFFICIENT_SCOPE',
    `This requires a credential with the ${word} ${missing.join(' ')}.`,
    {
      scopes: { required: leastScopesOf(required), missing },
    },
  );
}
