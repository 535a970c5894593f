import type { Database } from '../db/database.ts';
import type { Prisma, Scope } from '../generated/prisma/client.ts';
import { newId } from '../lib/id.ts';
import { hashSecret, newSecret } from '../lib/secret.ts';

export interface NewApiKey {
  userId: string;
  name: string;
  scopes: Scope[];
  expiresAt?: Date | null;
}

/** Makes a key; `secret` is shown this once. */
export async function issueApiKey(
  prisma: Database['prisma'] | Prisma.TransactionClient,
  { userId, name, scopes, expiresAt }: NewApiKey,
): Promise<{ id: string; secret: string }> {
  const secret = newSecret('dgk_');
  const id = newId('ApiKey');
  await prisma.apiKey.create({
    data: {
      id,
      userId,
      name,
      scopes,
      expiresAt,
      prefix: secret.slice(0, 12),
      secretHash: hashSecret(secret),
    },
  });
  return { id, secret };
}
