import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { nowPlus } from '../../db/clock.ts';
import type { Database, Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { HOUR, MINUTE } from '../../lib/time.ts';
import { openStoredKey, type StoredKey, toStoredKey } from './stored-key.ts';

/**
 * The algorithm by what a key signs: JWT access tokens, and ID tokens, for which every client can check RS256 (OpenID
 * Connect Core §15.1). A key signs nothing else, so that neither token can be taken for the other.
 */
export const TOKEN_ALGORITHMS = { TOKEN: 'ES256', ID_TOKEN: 'RS256' } as const;

export type TokenPurpose = keyof typeof TOKEN_ALGORITHMS;

/** A key shared by all processes; its id is the `kid`. */
export interface TokenKey {
  id: string;
  privateJwk: JWK;
}

/** Times in milliseconds. keyLifetime: how long a key signs; at least a day. */
export interface KeyLimits {
  keyLifetime: number;
  accessToken: number;
}

/** How long clients may cache the JWKS, in ms. */
export const JWKS_MAX_AGE = 5 * MINUTE;

/** A key is published this long before it signs, in ms: longer than clients may cache the JWKS. */
const PUBLICATION_LEAD = HOUR;

/** How long after its retirement a process may still sign with a key it has read, in ms. */
const RETIREMENT_SLACK = MINUTE;

/**
 * Returns the signing key: the oldest that is not retired. Its successor is created early, by one process only, and
 * retires it after PUBLICATION_LEAD; the very first key signs at once.
 */
export async function tokenKey(
  db: Database,
  limits: KeyLimits,
  purpose: TokenPurpose = 'TOKEN',
): Promise<TokenKey> {
  const signer = await findSigner(db, db, limits, purpose);
  return signer && !signer.due ? signer.key : addKey(db, limits, purpose);
}

/** `due`: the newest key is so old that its successor must be published. */
interface Signer {
  key: TokenKey;
  due: boolean;
}

async function findSigner(
  db: Database,
  reader: Reader,
  { keyLifetime }: KeyLimits,
  purpose: TokenPurpose,
): Promise<Signer | undefined> {
  const [row] = await reader.query<{ id: string; privateJwk: StoredKey; due: boolean }>(sql`
    SELECT id, private_jwk, max(created_at) OVER () <= ${nowPlus(PUBLICATION_LEAD - keyLifetime)} AS due
    FROM signing_keys WHERE purpose = ${purpose}::key_purpose AND (retired_at IS NULL OR retired_at > now())
    ORDER BY created_at, id LIMIT 1`);
  return row && { key: { id: row.id, privateJwk: openStoredKey(db, row.id, row.privateJwk) }, due: row.due };
}

async function addKey(db: Database, limits: KeyLimits, purpose: TokenPurpose): Promise<TokenKey> {
  const algorithm = TOKEN_ALGORITHMS[purpose];
  const pair = await generateKeyPair(algorithm, { extractable: true });
  const [privateJwk, publicJwk] = await Promise.all([exportJWK(pair.privateKey), exportJWK(pair.publicKey)]);
  return inTransaction(db, async (tx) => {
    await tx.query(sql`SELECT pg_advisory_xact_lock(hashtext('docgraph.signing_keys'))::text`);
    const signer = await findSigner(db, tx, limits, purpose);
    if (signer && !signer.due) return signer.key;
    const id = newId('SigningKey');
    await tx.query(sql`UPDATE signing_keys SET retired_at = ${nowPlus(PUBLICATION_LEAD)}
      WHERE purpose = ${purpose}::key_purpose AND retired_at IS NULL`);
    await tx.prisma.signingKey.create({
      data: {
        id,
        purpose,
        algorithm,
        privateJwk: toStoredKey(db, id, privateJwk),
        publicJwk: publicJwk as Prisma.InputJsonObject,
      },
    });
    return signer?.key ?? { id, privateJwk };
  });
}

const PURPOSES = Object.keys(TOKEN_ALGORITHMS) as TokenPurpose[];

/** The public keys: the next ones, the signing ones, and those whose tokens may still be valid (RFC 7517 §5). */
export async function publicKeys(db: Database, limits: KeyLimits): Promise<JWK[]> {
  for (const purpose of PURPOSES) await tokenKey(db, limits, purpose);
  const rows = await db.query<{ id: string; algorithm: string; publicJwk: JWK }>(sql`
    SELECT id, algorithm, public_jwk FROM signing_keys WHERE purpose = ANY(${PURPOSES}::key_purpose[])
    AND (retired_at IS NULL OR retired_at > ${nowPlus(-limits.accessToken - RETIREMENT_SLACK)})
    ORDER BY purpose, created_at DESC, id DESC`);
  return rows.map(({ id, algorithm, publicJwk }) => ({
    ...publicJwk,
    kid: id,
    alg: algorithm,
    use: 'sig',
  }));
}
