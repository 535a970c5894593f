import { randomBytes } from 'node:crypto';
import { databaseTime } from '../../db/clock.ts';
import type { Reader, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { hashSecret } from '../../lib/secret.ts';
import { MINUTE } from '../../lib/time.ts';

const LIFETIME = 5 * MINUTE;

/** What the answer to a challenge is for; an answer for another purpose is refused. */
export type ChallengePurpose = 'ADD' | 'SIGN_IN' | 'SECOND_FACTOR' | 'CONFIRM';

export interface ChallengeUse {
  purpose: ChallengePurpose;
  /** The session, pending sign-in or browser that asked for it: an id, or a secret of a cookie. */
  boundTo: string;
}

/** Creates a challenge for one answer within five minutes. */
export async function newChallenge(
  tx: Transaction,
  { purpose, boundTo }: ChallengeUse,
): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = Uint8Array.from(randomBytes(32));
  await tx.prisma.passkeyChallenge.create({
    data: {
      secretHash: hashOf(challenge),
      boundTo: hashSecret(boundTo),
      purpose,
      expiresAt: await databaseTime(tx, LIFETIME),
    },
  });
  return challenge;
}

const hashOf = (challenge: Uint8Array) => hashSecret(Buffer.from(challenge).toString('base64url'));

/** `challenge`: in base64url, as browsers send it back. */
const isLive = (
  challenge: string,
  { purpose, boundTo }: ChallengeUse,
) => sql`c.secret_hash = ${hashSecret(challenge)}
  AND c.purpose = ${purpose} AND c.bound_to = ${hashSecret(boundTo)} AND c.used_at IS NULL AND c.expires_at > now()`;

/** Whether the challenge can be answered. */
export const isLiveChallenge = async (
  reader: Reader,
  challenge: string,
  use: ChallengeUse,
): Promise<boolean> =>
  (await reader.query(sql`SELECT c.purpose FROM passkey_challenges c WHERE ${isLive(challenge, use)}`))
    .length > 0;

/** Uses up a challenge: false if it was answered already, or has expired. */
export const useChallenge = async (tx: Transaction, challenge: string, use: ChallengeUse): Promise<boolean> =>
  (
    await tx.query(
      sql`UPDATE passkey_challenges c SET used_at = now() WHERE ${isLive(challenge, use)} RETURNING c.purpose`,
    )
  ).length === 1;
