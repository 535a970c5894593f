import type { Database } from '../src/db/database.ts';
import { newId } from '../src/lib/id.ts';
import { hashSecret, newSecret } from '../src/lib/secret.ts';
import { DAY, fromNow } from '../src/lib/time.ts';

const SCOPES: ('read' | 'write')[] = ['read', 'write'];

/** An application, and the user who authorized it. */
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

/** A new authorization of the application, of the user's one grant for it, and its first tokens. */
export async function grantTo(db: Database, { id: clientId, userId }: Client): Promise<Tokens> {
  const [refreshToken, accessToken] = [newSecret('dgr_'), newSecret('dga_')];
  const grant = await db.prisma.grant.findFirst({ where: { clientId, userId, revokedAt: null } });
  const { id: grantId } =
    grant ??
    (await db.prisma.grant.create({ data: { id: newId('Grant'), clientId, userId, scopes: SCOPES } }));
  const family = { grantId, scopes: SCOPES, expiresAt: fromNow(DAY) };
  const { secretHash: codeHash } = await db.prisma.authorizationCode.create({
    data: { ...family, secretHash: hashSecret(newSecret('dgc_')), redirectUri: '', usedAt: new Date() },
  });
  const token = { ...family, codeHash };
  await db.prisma.refreshToken.create({ data: { ...token, secretHash: hashSecret(refreshToken) } });
  await db.prisma.accessToken.create({ data: { ...token, secretHash: hashSecret(accessToken) } });
  return { refreshToken, accessToken };
}
