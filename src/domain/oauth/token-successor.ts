import { nowPlus } from '../../db/clock.ts';
import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { Scope } from '../../generated/prisma/client.ts';
import { seal, unseal } from '../../lib/seal.ts';
import { hashSecret } from '../../lib/secret.ts';
import type { Tokens } from './token.ts';

/** What is kept of a pair: `expiresIn` is counted anew when it is given again. */
type Pair = Omit<Tokens, 'expiresIn'>;

/** The pair that a refresh token gave, readable with that token alone: the database cannot give it away. */
export const sealSuccessor = (
  { accessToken, refreshToken, scopes }: Pair,
  used: string,
): Uint8Array<ArrayBuffer> =>
  seal(JSON.stringify({ accessToken, refreshToken, scopes } satisfies Pair), used, hashSecret(used));

/**
 * The pair that a used refresh token gave, for a client that lost the answer or asked several times at once: within
 * `grace` ms of the first use, and until the pair's own refresh token is used, which proves that it arrived. Undefined
 * where the use is a replay.
 */
export async function successorOf(reader: Reader, used: string, grace: number): Promise<Tokens | undefined> {
  const [row] = await reader.query<{ successor: Uint8Array }>(sql`
    SELECT r.successor FROM refresh_tokens r WHERE r.secret_hash = ${hashSecret(used)}
    AND r.successor IS NOT NULL AND r.revoked_at IS NULL AND r.used_at > ${nowPlus(-grace)}`);
  if (!row) return undefined;
  const pair: Pair = JSON.parse(unseal(row.successor, used, hashSecret(used)));
  const [live] = await reader.query<{ expiresIn: number }>(sql`
    SELECT floor(extract(epoch FROM a.expires_at - now()))::int AS expires_in
    FROM access_tokens a JOIN refresh_tokens r ON r.code_hash = a.code_hash
    WHERE a.secret_hash = ${hashSecret(pair.accessToken)} AND a.revoked_at IS NULL AND a.expires_at > now()
    AND r.secret_hash = ${hashSecret(pair.refreshToken)} AND r.revoked_at IS NULL AND r.used_at IS NULL`);
  return live && { ...pair, scopes: pair.scopes as Scope[], expiresIn: live.expiresIn };
}
