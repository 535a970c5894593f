import {
  APPLICATION_SCOPES,
  type ApplicationScope,
  includes,
  type Scope,
} from '../../domain/kernel/scope.ts';
import { scopeName } from '../../lib/deprecation/deprecation.ts';
import { DEPRECATIONS } from '../../lib/deprecation/deprecations.ts';

/**
 * Scopes that an application of the former vendor may request, and those for which they stand. The metadata does not list them
 * (RFC 8414 §2, `scopes_supported`), and they are not stored.
 */
const CONTAINED = new Map<string, readonly Scope[]>([
  ['admin', ['organizations:read', 'organizations:write', 'events:read']],
  ['workflow', ['tasks:read', 'tasks:write', 'approvals:read', 'approvals:write']],
]);

/**
 * RFC 6749 §3.3: names in any order, separated by one space. Undefined if malformed or unknown. What `admin` and `workflow` stand for is
 * left out where `allowed`, the scopes of the application, does not include it.
 */
export function parseScope(
  text: string,
  allowed: readonly ApplicationScope[],
): ApplicationScope[] | undefined {
  const names = new Set(text.split(' '));
  const own = APPLICATION_SCOPES.filter((scope) => names.delete(scope));
  const parts = [...names].map((name) => CONTAINED.get(name));
  if (parts.includes(undefined)) return undefined;
  const contained = new Set<ApplicationScope>(
    parts
      .flatMap((scopes = []) => scopes)
      .filter((scope) => includes(allowed, scope) && !includes(own, scope)),
  );
  return APPLICATION_SCOPES.filter((scope) => own.includes(scope) || contained.has(scope));
}

/** The names, as in `Deprecations`, of the deprecated scopes in the text of a `scope` parameter. */
export const deprecatedScopes = (text: string): string[] =>
  [...new Set(text.split(' '))].map(scopeName).filter((name) => DEPRECATIONS[name]);
