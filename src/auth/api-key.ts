import type { Models } from '../db/database.ts';
import { newApiKey } from '../domain/oauth/api-key.ts';
import type { Scope } from '../generated/prisma/client.ts';

/** Makes a key for anyone, beside every rule: for the first one, which no key can make. `secret` is shown this once. */
export async function issueApiKey(
  prisma: Models,
  key: { userId: string; name: string; scopes: Scope[]; expiresAt?: Date | null },
): Promise<{ id: string; secret: string }> {
  const { data, secret } = newApiKey(key);
  await prisma.apiKey.create({ data });
  return { id: data.id, secret };
}
