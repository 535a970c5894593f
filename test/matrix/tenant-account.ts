import { randomBytes } from 'node:crypto';
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
