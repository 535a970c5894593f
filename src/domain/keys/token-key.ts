import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { nowPlus } from '../../db/clock.ts';
import type { Database, Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { HOUR, MINUTE } from '../../lib/time.ts';
import { type KeptKey, keepKey, openKey } from './stored-key.ts';

/** An ES256 pair that every process shares; its id is the `kid`. */
export interface TokenKey {
  id: string;
  privateJwk: JWK;
}

/** Times in milliseconds. keyLifetime: after which the next key signs; at least a day. */
export interface KeyLimits {
  keyLifetime: number;
  accessToken: number;
}

/** How long readers of the JWKS may keep it, in ms. */
export const JWKS_MAX_AGE = 5 * MINUTE;

/** A key is published this long before it signs, in ms: nobody who keeps the JWKS as long as allowed misses it. */
const PUBLISHED_AHEAD = HOUR;

/** How late a process may sign with a key that it read before the key was retired, in ms. */
const SLACK = MINUTE;

/**
 * The key to sign with: the oldest that is not retired. The next one is made ahead of its time, and retires the others
 * once it has been published for long enough; only the first of all signs at once. Of several processes, one makes it.
 */
export async function tokenKey(db: Database, limits: KeyLimits): Promise<TokenKey> {
  const signer = await findSigner(db, db, limits);
  return signer && !signer.due ? signer.key : addKey(db, limits);
}

/** `due`: the newest of all keys is so old that the next one is to be published. */
interface Signer {
  key: TokenKey;
  due: boolean;
}

async function findSigner(
  db: Database,
  reader: Reader,
  { keyLifetime }: KeyLimits,
): Promise<Signer | undefined> {
  const [row] = await reader.query<{ id: string; privateJwk: KeptKey; due: boolean }>(sql`
    SELECT id, private_jwk, max(created_at) OVER () <= ${nowPlus(PUBLISHED_AHEAD - keyLifetime)} AS due
    FROM signing_keys WHERE purpose = 'TOKEN' AND (retired_at IS NULL OR retired_at > now())
    ORDER BY created_at, id LIMIT 1`);
  return row && { key: { id: row.id, privateJwk: openKey(db, row.id, row.privateJwk) }, due: row.due };
}

async function addKey(db: Database, limits: KeyLimits): Promise<TokenKey> {
  const pair = await generateKeyPair('ES256', { extractable: true });
  const [privateJwk, publicJwk] = await Promise.all([exportJWK(pair.privateKey), exportJWK(pair.publicKey)]);
  return inTransaction(db, async (tx) => {
    await tx.query(sql`SELECT pg_advisory_xact_lock(hashtext('docgraph.signing_keys'))::text`);
    const signer = await findSigner(db, tx, limits);
    if (signer && !signer.due) return signer.key;
    const id = newId('SigningKey');
    await tx.query(sql`UPDATE signing_keys SET retired_at = ${nowPlus(PUBLISHED_AHEAD)}
      WHERE purpose = 'TOKEN' AND retired_at IS NULL`);
    await tx.prisma.signingKey.create({
      data: {
        id,
        purpose: 'TOKEN',
        algorithm: 'ES256',
        privateJwk: keepKey(db, id, privateJwk),
        publicJwk: publicJwk as Prisma.InputJsonObject,
      },
    });
    return signer?.key ?? { id, privateJwk };
  });
}

/** The public halves: of the next key, of the one that signs, and of those whose tokens may still be good (RFC 7517 §5). */
export async function publicKeys(db: Database, limits: KeyLimits): Promise<JWK[]> {
  await tokenKey(db, limits);
  const rows = await db.query<{ id: string; publicJwk: JWK }>(sql`
    SELECT id, public_jwk FROM signing_keys WHERE purpose = 'TOKEN'
    AND (retired_at IS NULL OR retired_at > ${nowPlus(-limits.accessToken - SLACK)})
    ORDER BY created_at DESC, id DESC`);
  return rows.map(({ id, publicJwk }) => ({ ...publicJwk, kid: id, alg: 'ES256', use: 'sig' }));
}
