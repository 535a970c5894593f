import { type Database, DatabaseUnusable } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Prisma } from '../../generated/prisma/client.ts';

/** A private key as stored: a JWK, or a text sealed with the operator's ENCRYPTION_KEY. */
export type StoredKey = Prisma.JsonObject | string;

/** Seals the key if an ENCRYPTION_KEY is set. */
export const toStoredKey = ({ keyVault }: Database, id: string, jwk: object): StoredKey =>
  keyVault ? keyVault.seal(JSON.stringify(jwk), id) : (jwk as Prisma.JsonObject);

/** Throws DatabaseUnusable if the key was sealed with an ENCRYPTION_KEY that is not set. */
export function openStoredKey<Jwk>({ keyVault }: Database, id: string, stored: StoredKey): Jwk {
  if (typeof stored !== 'string') return stored as Jwk;
  if (!keyVault)
    throw new DatabaseUnusable(
      'The keys in the database are sealed: set the ENCRYPTION_KEY they were sealed with.',
    );
  try {
    return JSON.parse(keyVault.open(stored, id));
  } catch (cause) {
    throw new DatabaseUnusable('The keys in the database were sealed with another ENCRYPTION_KEY.', {
      cause,
    });
  }
}

/**
 * Opens every key, so that a wrong ENCRYPTION_KEY is noticed at startup, and seals it again with the first of those set.
 * Throws DatabaseUnusable, and then changes nothing.
 */
export function sealKeys(db: Database): Promise<void> {
  return inTransaction(db, async (tx) => {
    const keys = await tx.query<{ id: string; privateJwk: StoredKey }>(
      sql`SELECT id, private_jwk FROM signing_keys ORDER BY id FOR UPDATE`,
    );
    for (const { id, privateJwk } of keys) {
      const jwk = openStoredKey<object>(db, id, privateJwk);
      if (db.keyVault)
        await tx.prisma.signingKey.update({ where: { id }, data: { privateJwk: toStoredKey(db, id, jwk) } });
    }
  });
}
