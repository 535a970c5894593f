import type { Models } from '../db/database.ts';
import { type Scope, storedScopes } from '../domain/kernel/scope.ts';
import { newApiKey } from '../domain/oauth/api-key.ts';

/**
 * Creates a key without any access check, for the command line and the demo. `secret` is shown once. No password issues it, so it
 * counts as issued with a second factor.
 */
export async function issueApiKey(
  prisma: Models,
  key: { userId: string; name: string; scopes: Scope[]; expiresAt?: Date | null },
): Promise<{ id: string; secret: string }> {
  const { data, secret } = newApiKey({ ...key, secondFactor: true });
  await prisma.apiKey.create({ data: { ...data, scopes: storedScopes(data.scopes) } });
  return { id: data.id, secret };
}
