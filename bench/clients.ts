import type { Database } from '../src/db/database.ts';
import { newId } from '../src/lib/id.ts';
import { hashSecret, newSecret } from '../src/lib/secret.ts';
import { DAY, fromNow } from '../src/lib/time.ts';

const SCOPES: ('read' | 'write')[] = ['read', 'write'];

/** An application, and whoever lets it act for them. */
export interface Client {
  id: string;
  secret: string;
  userId: string;
}

export interface Tokens {
  refreshToken: string;
  accessToken: string;
}

export async function makeClient(db: Database, organizationId: string, userId: string): Promise<Client> {
  const [id, secret] = [newId('Client'), newSecret('dgb_')];
  const facts = { name: 'Planner', kind: 'CONFIDENTIAL' as const, scopes: SCOPES, createdById: userId };
  await db.prisma.client.create({
    data: { id, organizationId, ...facts, redirectUris: ['https://app.example/callback'] },
  });
  await db.prisma.clientSecret.create({
    data: { id: newId('ClientSecret'), clientId: id, secretHash: hashSecret(secret) },
  });
  return { id, secret, userId };
}

/** A new authorization of the application, and its first tokens. */
export async function grantTo(db: Database, { id: clientId, userId }: Client): Promise<Tokens> {
  const [refreshToken, accessToken] = [newSecret('dgr_'), newSecret('dga_')];
  const { id: grantId } = await db.prisma.grant.create({
    data: { id: newId('Grant'), clientId, userId, scopes: SCOPES },
  });
  const token = { grantId, scopes: SCOPES, expiresAt: fromNow(DAY) };
  await db.prisma.refreshToken.create({ data: { ...token, secretHash: hashSecret(refreshToken) } });
  await db.prisma.accessToken.create({ data: { ...token, secretHash: hashSecret(accessToken) } });
  return { refreshToken, accessToken };
}
