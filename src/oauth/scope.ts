import type { Scope } from '../generated/prisma/client.ts';

/** All that there are. */
export const SCOPES: readonly Scope[] = ['read', 'write'];

/** RFC 6749 §3.3: names in any order, one space between them. Undefined for what is malformed, or names an unknown one. */
export function parseScope(text: string): Scope[] | undefined {
  const names = new Set(text.split(' '));
  const known = SCOPES.filter((scope) => names.has(scope));
  return known.length === names.size ? known : undefined;
}
