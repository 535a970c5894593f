import { nowPlus } from '../../db/clock.ts';
import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { seal, unseal } from '../../lib/seal.ts';
import { hashSecret } from '../../lib/secret.ts';
import type { ApplicationScope } from '../kernel/scope.ts';
import type { Tokens } from './token.ts';

/** The stored part of a pair: `expiresIn` is computed again when the pair is returned again. */
type Pair = Omit<Tokens, 'expiresIn'> & { refreshToken: string };

/** Encrypts the pair issued for a refresh token with that token as the key, so that the database alone cannot reveal it. */
export const sealSuccessor = (
  { accessToken, refreshToken, scopes, idToken }: Pair,
  used: string,
): Uint8Array<ArrayBuffer> =>
  seal(JSON.stringify({ accessToken, refreshToken, scopes, idToken } satisfies Pair), used, hashSecret(used));

/**
 * The pair issued for a used refresh token, for a client that lost the response or sent concurrent requests: within
 * `grace` ms of the first use, and until the pair's own refresh token is used, which proves its arrival. Undefined for a
 * replay.
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
  return live && { ...pair, scopes: pair.scopes as ApplicationScope[], expiresIn: live.expiresIn };
}
