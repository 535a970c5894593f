import { createHash } from 'node:crypto';
import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { AuthorizationCode } from '../../generated/prisma/client.ts';
import { hashSecret } from '../../lib/secret.ts';
import { isClosedEverywhere } from '../kernel/application-policy.ts';
import { narrowScopes } from '../kernel/scope.ts';
import type { ProtocolClient } from './client.ts';
import { revokeFamily } from './grant-end.ts';
import { signInColumns } from './id-token.ts';
import {
  audienceOf,
  CLOSED,
  type IssuableGrant,
  issueTokens,
  type Refusal,
  refuse,
  signingKeyFor,
  type TokenContext,
  type Tokens,
} from './token.ts';

export interface Redemption {
  code: string;
  redirectUri: string;
  codeVerifier?: string;
  /** Requested audience of the access token; empty for all that was authorized. */
  audience: readonly string[];
}

type RedeemableCode = Pick<AuthorizationCode, 'redirectUri' | 'codeChallenge' | 'usedAt'> &
  IssuableGrant & { live: boolean; closed: boolean };

/**
 * Exchanges an authorization code for tokens, once (RFC 6749 §4.1.3). A request that does not match leaves the code
 * unused, so that nobody else can spoil it. A second use revokes all that the first one issued (§4.1.2).
 */
export async function redeemCode(
  ctx: TokenContext,
  client: ProtocolClient,
  redemption: Redemption,
): Promise<Tokens | Refusal> {
  const key = await signingKeyFor(ctx, client);
  const code = await findCode(ctx.db, client, redemption.code);
  if (!code) return refuse('The code is not known.');
  if (code.usedAt) return revokeReplayed(ctx, code);
  const error = errorOf(code, redemption);
  if (error) return refuse(error);
  const scopes = narrowScopes(code.scopes, client.scopes);
  if (scopes.length === 0) return refuse('The application is no longer allowed these scopes.');
  const audience = audienceOf(code.audience, redemption.audience);
  if (!audience) return refuse('The resource was not authorized.', 'invalid_target');
  const claim = () => sql`UPDATE authorization_codes ac SET used_at = now()
    WHERE ac.secret_hash = ${code.codeHash} AND ac.used_at IS NULL`;
  return (
    (await issueTokens(ctx, { client, key, grant: code, scopes, audience, claim })) ??
    revokeReplayed(ctx, code)
  );
}

async function findCode(
  reader: Reader,
  { id }: ProtocolClient,
  code: string,
): Promise<RedeemableCode | undefined> {
  const [storedCode] = await reader.query<RedeemableCode>(sql`
    SELECT ac.secret_hash AS code_hash, ac.redirect_uri, ac.code_challenge, ac.used_at, g.id AS grant_id, g.user_id,
      ac.created_at AS granted_at, now() AS read_at, ac.scopes::text[] AS scopes, ac.audience, ac.expires_at > now() AND ac.revoked_at IS NULL
        AND g.revoked_at IS NULL AND u.disabled_at IS NULL AS live, ac.nonce, ${signInColumns(sql`ac`)},
      ${isClosedEverywhere(sql`g.user_id`, sql`g.client_id`, sql`ac.created_at`)} AS closed
    FROM authorization_codes ac JOIN grants g ON g.id = ac.grant_id JOIN users u ON u.id = g.user_id
    WHERE ac.secret_hash = ${hashSecret(code)} AND g.client_id = ${id}`);
  return storedCode;
}

function errorOf(code: RedeemableCode, { redirectUri, codeVerifier }: Redemption): string | undefined {
  if (!code.live) return 'The code has expired or was taken back.';
  if (code.closed) return CLOSED;
  if (code.signInId && !code.isSignedIn) return 'The user has signed out since.';
  if (code.redirectUri !== redirectUri) return 'redirect_uri is not the one of the authorization request.';
  if (code.codeChallenge === null)
    return codeVerifier === undefined ? undefined : 'The authorization request had no code_challenge.';
  return codeVerifier !== undefined && challengeOf(codeVerifier) === code.codeChallenge
    ? undefined
    : 'code_verifier does not match the code_challenge.';
}

/** RFC 7636 §4.1: 43 to 128 unreserved characters; §4.6: its SHA-256 is the challenge. */
const challengeOf = (verifier: string): string | undefined =>
  /^[\w\-.~]{43,128}$/.test(verifier) ? createHash('sha256').update(verifier).digest('base64url') : undefined;

async function revokeReplayed({ db, ipAddress }: TokenContext, code: RedeemableCode): Promise<Refusal> {
  await inTransaction(db, (tx) => revokeFamily(tx, code, 'code_replayed', ipAddress));
  return refuse('The code was used before: all that it gave is revoked.');
}
