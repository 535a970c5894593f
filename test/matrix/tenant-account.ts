import { randomBytes } from 'node:crypto';
import { addUsage } from '../../src/domain/usage/usage-count.ts';
import { newId } from '../../src/lib/id.ts';
import { hashSecret } from '../../src/lib/secret.ts';
import { DAY, fromNow } from '../../src/lib/time.ts';
import { withPassword } from '../support/browser.ts';
import { signedIn } from '../support/oauth.ts';
import type { RestWorld } from './tenant-work.ts';

const secretOf = (cookie: string): string => cookie.replace('docgraph_session=', '');

/** Gives the owner a password, passkeys, an identity and two sign-ins, and returns the secret of one of them. */
export async function accountOf({ db, owner }: RestWorld, at: Record<string, string>): Promise<string> {
  const userId = owner.id;
  await withPassword(db, owner);
  const [used, other] = [await signedIn(db, userId), await signedIn(db, userId)].map(secretOf);
  // A proof that stays fresh however long the tests take.
  const lasting = { authenticatedAt: fromNow(DAY), expiresAt: fromNow(DAY) };
  const secretHash = hashSecret(used as string);
  await db.prisma.signIn.update({ where: { secretHash }, data: lasting });
  const signIn = await db.prisma.signIn.findUniqueOrThrow({
    where: { secretHash: hashSecret(other as string) },
  });
  const passkeys = ['Laptop', 'Key'].map((name) => ({
    ...{ id: newId('Passkey'), userId, name, counter: 0n, transports: [], relyingPartyId: 'docgraph.test' },
    credentialId: Uint8Array.from(randomBytes(16)),
    publicKey: Uint8Array.from(randomBytes(16)),
  }));
  await db.prisma.passkey.createMany({ data: passkeys });
  const identity = { id: newId('ExternalIdentity'), issuer: 'https://id.example', subject: userId };
  await db.prisma.externalIdentity.create({ data: { ...identity, userId } });
  Object.assign(at, { signIn: signIn.id, passkey: passkeys[0]?.id, identity: identity.id });
  return used as string;
}

/** Requests of an application and of the owner's keys, with one that failed and one that used what is deprecated. */
export async function usedToday({ db, owner }: RestWorld, clientId: string): Promise<void> {
  const keys = await db.prisma.apiKey.findMany({ where: { userId: owner.id } });
  const lastAt = new Date();
  const day = lastAt.toISOString().slice(0, 10);
  const callers = [clientId, ...keys.map(({ id }) => id)];
  const mark = { day, count: 1, lastAt };
  await addUsage(
    db,
    callers.map((usedBy) => ({ usedBy, day, requests: 2, errors: 1, points: 10, durations: [0, 2] })),
    callers.flatMap((usedBy) => [
      { ...mark, usedBy, kind: 'ERROR' as const, name: 'NOT_FOUND' },
      { ...mark, usedBy, kind: 'DEPRECATED' as const, name: 'scope admin' },
    ]),
  );
}
