import { APPLICATION_SCOPES, type ApplicationScope } from '../../domain/kernel/scope.ts';

/** RFC 6749 §3.3: names in any order, separated by one space. Undefined if malformed or unknown. */
export function parseScope(text: string): ApplicationScope[] | undefined {
  const names = new Set(text.split(' '));
  const scopes = APPLICATION_SCOPES.filter((scope) => names.has(scope));
  return scopes.length === names.size ? scopes : undefined;
}
