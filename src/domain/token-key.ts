import { exportJWK, generateKeyPair, type JWK } from 'jose';
import type { Database, Reader } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { newId } from '../lib/id.ts';
import { type KeptKey, keepKey, openKey } from './kept-key.ts';

/** An ES256 pair that every process shares; its id is the `kid`. */
export interface TokenKey {
  id: string;
  privateJwk: JWK;
}

/** Times in milliseconds. keyLifetime: after which the next signer makes a new key. */
export interface KeyLimits {
  keyLifetime: number;
  accessToken: number;
}

const seconds = (ms: number) => sql`make_interval(secs => ${ms / 1_000})`;

/** The key to sign with. Whoever finds none, or an old one, makes the next; of several at once, one does. */
export async function tokenKey(db: Database, { keyLifetime }: KeyLimits): Promise<TokenKey> {
  return (await currentKey(db, keyLifetime)) ?? (await addKey(db, keyLifetime));
}

async function currentKey(
  db: Database,
  keyLifetime: number,
  reader: Reader = db,
): Promise<TokenKey | undefined> {
  const [key] = await reader.query<{ id: string; privateJwk: KeptKey }>(sql`
    SELECT id, private_jwk FROM signing_keys WHERE purpose = 'TOKEN' AND retired_at IS NULL
    AND created_at > now() - ${seconds(keyLifetime)} ORDER BY created_at DESC, id DESC LIMIT 1`);
  return key && { id: key.id, privateJwk: openKey(db, key.id, key.privateJwk) };
}

async function addKey(db: Database, keyLifetime: number): Promise<TokenKey> {
  const pair = await generateKeyPair('ES256', { extractable: true });
  const [privateJwk, publicJwk] = await Promise.all([exportJWK(pair.privateKey), exportJWK(pair.publicKey)]);
  return inTransaction(db, async (tx) => {
    await tx.query(sql`SELECT pg_advisory_xact_lock(hashtext('docgraph.signing_keys'))::text`);
    const found = await currentKey(db, keyLifetime, tx);
    if (found) return found;
    const id = newId('SigningKey');
    await tx.prisma.signingKey.updateMany({
      where: { purpose: 'TOKEN', retiredAt: null },
      data: { retiredAt: new Date() },
    });
    await tx.prisma.signingKey.create({
      data: {
        id,
        purpose: 'TOKEN',
        algorithm: 'ES256',
        privateJwk: keepKey(db, id, privateJwk),
        publicJwk: publicJwk as Prisma.InputJsonObject,
      },
    });
    return { id, privateJwk };
  });
}

/** The public halves: of the key that signs, and of those whose last tokens may still be good (RFC 7517 §5). */
export async function publicKeys(db: Database, limits: KeyLimits): Promise<JWK[]> {
  await tokenKey(db, limits);
  const rows = await db.query<{ id: string; publicJwk: JWK }>(sql`
    SELECT id, public_jwk FROM signing_keys WHERE purpose = 'TOKEN'
    AND (retired_at IS NULL OR retired_at > now() - ${seconds(limits.accessToken)}) ORDER BY created_at DESC`);
  return rows.map(({ id, publicJwk }) => ({ ...publicJwk, kid: id, alg: 'ES256', use: 'sig' }));
}
