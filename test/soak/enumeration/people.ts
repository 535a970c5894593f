import { hashPassword } from '../../../src/auth/password.ts';
import type { Database } from '../../../src/db/database.ts';
import { createOidcRequest } from '../../../src/domain/accounts/oidc-request.ts';
import { createClient } from '../../../src/domain/oauth/client-change.ts';
import { newId } from '../../../src/lib/id.ts';
import { hashSecret, newSecret } from '../../../src/lib/secret.ts';
import { fromNow, HOUR } from '../../../src/lib/time.ts';
import { newPerson, newWorld } from '../../support/world.ts';

export const PASSWORD = 'correct horse battery staple';

/** Somebody with an account, and a session in a browser. */
export interface Holder {
  email: string;
  session: string;
}

/** Addresses that have an account; each is used once by each form, as mails to an address are limited. */
async function newHolders(db: Database, count: number): Promise<Holder[]> {
  const passwordHash = await hashPassword(PASSWORD);
  const holders = Array.from({ length: count }, (_, index) => ({
    userId: newId('User'),
    email: `holder${index}@example.test`,
    session: newSecret('dgs_'),
  }));
  await db.prisma.user.createMany({
    data: holders.map(({ userId: id, email }) => ({
      ...{ id, email, passwordHash, name: 'Holder', emailVerifiedAt: new Date() },
    })),
  });
  const visitor = { userAgent: 'soak', ipAddress: '192.0.2.1', expiresAt: fromNow(HOUR) };
  await db.prisma.signIn.createMany({
    data: holders.map(({ userId, session }) => ({
      ...{ id: newId('SignIn'), userId, secretHash: hashSecret(session), ...visitor },
    })),
  });
  return holders;
}

/** Prepares a database whose accounts and credentials an observer tries to find. */
export async function newPeople(db: Database, count: number) {
  const { owner, organization } = await newWorld(db);
  const holders = await newHolders(db, count);
  const { client } = await createClient(await owner.context(), {
    ...{ organizationId: organization.id, name: 'Planner', kind: 'CONFIDENTIAL' },
    ...{ redirectUris: ['https://app.example/callback'], scopes: ['read'] },
  });
  const revoked = await newPerson(db);
  await db.prisma.apiKey.updateMany({ where: { userId: revoked.id }, data: { revokedAt: new Date() } });
  const identity = { returnTo: '/account', issuer: 'https://login.example', subject: 'x', email: null };
  return {
    holders,
    owner,
    organizationId: organization.id,
    clientId: client.id,
    revokedKey: revoked.key,
    connecting: await createOidcRequest(db, identity),
  };
}

export type People = Awaited<ReturnType<typeof newPeople>>;
