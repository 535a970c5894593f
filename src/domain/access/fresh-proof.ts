import { nowPlus } from '../../db/clock.ts';
import type { Reader, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { typeOfId } from '../../lib/id.ts';
import { hashSecret, newSecret } from '../../lib/secret.ts';
import { MINUTE } from '../../lib/time.ts';
import { forbidden } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';

/** For this long after they proved who they are, people may do what is sensitive without proving it again. */
const FRESH = 10 * MINUTE;

/** Until when the user of a live sign-in, who has proved who they are, need not do so again; undefined if they have to now. */
export async function freshUntil(reader: Reader, signInId: string): Promise<Date | undefined> {
  const [proof] = await reader.query<{ authenticatedAt: Date }>(sql`SELECT s.authenticated_at FROM sign_ins s
    WHERE s.id = ${signInId} AND s.expires_at > now() AND s.authenticated_at > ${nowPlus(-FRESH)}`);
  return proof && new Date(proof.authenticatedAt.getTime() + FRESH);
}

/** Whether the user of a live sign-in has proved who they are within the last ten minutes. */
export const hasFreshProof = async (reader: Reader, signInId: string): Promise<boolean> =>
  (await freshUntil(reader, signInId)) !== undefined;

/**
 * Throws FORBIDDEN in a browser session whose user has not proved who they are within ten minutes. Keys and tokens, which nobody
 * proves anything with, are not concerned.
 */
export async function requireFreshProof(reader: Reader, { credentialId }: Viewer): Promise<void> {
  if (typeOfId(credentialId) !== 'SignIn' || (await hasFreshProof(reader, credentialId))) return;
  throw forbidden('Show that it is you at /account/confirm, and try again within ten minutes.', undefined, {
    rule: 'FRESH_PROOF',
  });
}

/**
 * Records that the user of a sign-in has proved again who they are, and returns its new secret, as the old one ends (OWASP
 * ASVS 7.2.4). Undefined if the sign-in has ended.
 */
export async function renewProof(
  tx: Transaction,
  { secret, method }: { secret: string; method: string },
): Promise<string | undefined> {
  const next = newSecret('dgs_');
  const renewed =
    await tx.query(sql`UPDATE sign_ins SET secret_hash = ${hashSecret(next)}, authenticated_at = now(),
    methods = array_append(array_remove(methods, ${method}), ${method})
    WHERE secret_hash = ${hashSecret(secret)} AND expires_at > now() RETURNING id`);
  return renewed.length === 1 ? next : undefined;
}
