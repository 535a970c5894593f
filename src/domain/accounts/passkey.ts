import { randomBytes } from 'node:crypto';
import type { Database, Reader, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Passkey } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { displayName } from '../kernel/display-name.ts';
import { type FactorOwner, lockFactors, recordFactorChange, requireNewProof } from './factor-change.ts';
import { type ChallengeUse, useChallenge } from './passkey-challenge.ts';
import { newRecoveryCodes } from './recovery-code.ts';
import { dropUnneededRecoveryCodes, hasSecondFactor, secondFactorsOf } from './second-factors.ts';

export type PasskeyRow = Pick<
  Passkey,
  'id' | 'name' | 'credentialId' | 'transports' | 'relyingPartyId' | 'createdAt' | 'lastUsedAt'
>;

/** Passkeys of an account. */
export const MAX_PASSKEYS = 20;

/** A name that its owner gives to a passkey. */
export const passkeyName = displayName(60);

/** The passkeys of an account, the oldest first. */
export const passkeysOf = (reader: Reader, userId: string): Promise<PasskeyRow[]> =>
  reader.query<PasskeyRow>(sql`SELECT p.id, p.name, p.credential_id, p.transports, p.relying_party_id, p.created_at, p.last_used_at
    FROM passkeys p WHERE p.user_id = ${userId} ORDER BY p.id`);

/** Passkeys and accounts that have one, of other hosts than this: they do not work. */
export async function passkeysOfOtherHosts(
  reader: Reader,
  host: string,
): Promise<{ passkeys: number; accounts: number; hosts: string[] }> {
  const [found] = (await reader.query<{ passkeys: number; accounts: number; hosts: string[] }>(sql`
    SELECT count(*)::int AS passkeys, count(DISTINCT p.user_id)::int AS accounts,
      coalesce(array_agg(DISTINCT p.relying_party_id), '{}') AS hosts
    FROM passkeys p WHERE p.relying_party_id <> ${host}`)) as [
    { passkeys: number; accounts: number; hosts: string[] },
  ];
  return found;
}

/** The account by its random handle in passkeys, which is created with the first one (WebAuthn §14.6.1: no personal data). */
export async function userHandleOf(tx: Transaction, userId: string): Promise<Uint8Array<ArrayBuffer>> {
  const fresh = Uint8Array.from(randomBytes(32));
  const [user] = (await tx.query<{
    handle: Uint8Array;
  }>(sql`UPDATE users SET passkey_handle = coalesce(passkey_handle, ${fresh})
    WHERE id = ${userId} RETURNING passkey_handle AS handle`)) as [{ handle: Uint8Array }];
  return Uint8Array.from(user.handle);
}

/** A verified credential of an authenticator. */
export interface NewPasskey extends FactorOwner {
  name: string;
  credentialId: Uint8Array<ArrayBuffer>;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: number;
  transports: string[];
  relyingPartyId: string;
  /** The sign-in in which it is added. */
  signInId: string;
}

/** `ended`: the challenge was answered already. `recoveryCodes`: null if the account had a second factor before. */
export type PasskeyResult =
  | { recoveryCodes: string[] | null }
  | { ended: true }
  | { full: true }
  | { exists: true };

/** Adds a passkey by the answer to a challenge. With the first second factor there are recovery codes, returned once. */
export const addPasskey = (
  db: Database,
  challenge: string,
  { signInId, userId, ipAddress, counter, ...credential }: NewPasskey,
): Promise<PasskeyResult> =>
  inTransaction(db, async (tx) => {
    await lockFactors(tx, userId);
    const before = await secondFactorsOf(tx, userId);
    if (before.passkeys >= MAX_PASSKEYS) return { full: true };
    if (!(await useChallenge(tx, challenge, { purpose: 'ADD', boundTo: signInId }))) return { ended: true };
    const data = [{ ...credential, id: newId('Passkey'), userId, counter: BigInt(counter) }];
    const { count } = await tx.prisma.passkey.createMany({ data, skipDuplicates: true });
    if (count === 0) return { exists: true };
    await requireNewProof(tx, userId, (signIns) => sql`${signIns}.id = ${signInId}`);
    const { name } = credential;
    await recordFactorChange(tx, { userId, ipAddress, kind: 'passkey.added', data: { name } });
    return { recoveryCodes: hasSecondFactor(before) ? null : await newRecoveryCodes(tx, userId) };
  });

/** What verifying the answer to a challenge needs of a passkey. `handle`: of its user. */
export type StoredPasskey = Pick<
  Passkey,
  'id' | 'userId' | 'credentialId' | 'publicKey' | 'counter' | 'transports'
> & {
  handle: Uint8Array;
};

/** The passkey with this credential id, of an account that is not disabled. */
export async function findPasskey(
  reader: Reader,
  credentialId: Uint8Array,
): Promise<StoredPasskey | undefined> {
  const [passkey] =
    await reader.query<StoredPasskey>(sql`SELECT p.id, p.user_id, p.credential_id, p.public_key, p.counter,
      p.transports, u.passkey_handle AS handle
    FROM passkeys p JOIN users u ON u.id = p.user_id
    WHERE p.credential_id = ${Uint8Array.from(credentialId)} AND u.disabled_at IS NULL`);
  return passkey;
}

/** A verified answer of a passkey to a challenge. */
export interface PasskeyAnswer {
  passkeyId: string;
  userId: string;
  challenge: string;
  counter: number;
}

/**
 * Uses up the challenge of an answer, and moves the passkey's counter: false if either was done by another request. Synced
 * passkeys do not count, so that 0 follows 0 (WebAuthn §6.1.1).
 */
export async function usePasskey(
  tx: Transaction,
  { passkeyId, challenge, counter }: PasskeyAnswer,
  use: ChallengeUse,
): Promise<boolean> {
  if (!(await useChallenge(tx, challenge, use))) return false;
  const used = await tx.query(sql`UPDATE passkeys p SET counter = ${counter}, last_used_at = now()
    WHERE p.id = ${passkeyId} AND (p.counter < ${counter} OR (p.counter = 0 AND ${counter} = 0)) RETURNING p.id`);
  return used.length === 1;
}

/** Renames a passkey of the account: false if it has none of this id. */
export const renamePasskey = async (
  db: Database,
  userId: string,
  { id, name }: { id: string; name: string },
): Promise<boolean> =>
  (await db.prisma.passkey.updateMany({ where: { id, userId }, data: { name } })).count === 1;

/** `needed`: it is the last passkey of an account without a password. `missing`: there is none of this id. */
export type RemovalResult = 'removed' | 'needed' | 'missing';

/** Removes a passkey of the account, and recovery codes that no other factor needs. */
export async function removePasskey(
  tx: Transaction,
  { signInId, id, ...owner }: FactorOwner & { signInId: string; id: string },
): Promise<RemovalResult> {
  const { userId } = owner;
  await lockFactors(tx, userId);
  const passkeys = await passkeysOf(tx, userId);
  const passkey = passkeys.find((each) => each.id === id);
  if (!passkey) return 'missing';
  const { passwordHash } = await tx.prisma.user.findUniqueOrThrow({ where: { id: userId } });
  if (passkeys.length === 1 && passwordHash === null) return 'needed';
  await tx.prisma.passkey.delete({ where: { id } });
  await dropUnneededRecoveryCodes(tx, userId);
  await requireNewProof(tx, userId, (signIns) => sql`${signIns}.id = ${signInId}`);
  await recordFactorChange(tx, { ...owner, kind: 'passkey.removed', data: { name: passkey.name } });
  return 'removed';
}
