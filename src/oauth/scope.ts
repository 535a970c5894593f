import type { Scope } from '../generated/prisma/client.ts';

/** All scopes. */
export const SCOPES: readonly Scope[] = ['read', 'write'];

/** RFC 6749 §3.3: names in any order, separated by one space. Undefined if malformed or unknown. */
export function parseScope(text: string): Scope[] | undefined {
  const names = new Set(text.split(' '));
  const scopes = SCOPES.filter((scope) => names.has(scope));
  return scopes.length === names.size ? scopes : undefined;
}
