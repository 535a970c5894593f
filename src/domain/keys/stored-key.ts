import { type Database, DatabaseUnusable } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Prisma } from '../../generated/prisma/client.ts';

/** What is stored of a private key: itself, or with a key of the operator's a text that this alone opens. */
export type KeptKey = Prisma.JsonObject | string;

export const keepKey = ({ keyVault }: Database, id: string, jwk: object): KeptKey =>
  keyVault ? keyVault.seal(JSON.stringify(jwk), id) : (jwk as Prisma.JsonObject);

/** Throws DatabaseUnusable without the key that it was sealed with. */
export function openKey<Jwk>({ keyVault }: Database, id: string, kept: KeptKey): Jwk {
  if (typeof kept !== 'string') return kept as Jwk;
  if (!keyVault)
    throw new DatabaseUnusable(
      'The keys in the database are sealed: set the ENCRYPTION_KEY they were sealed with.',
    );
  try {
    return JSON.parse(keyVault.open(kept, id));
  } catch (cause) {
    throw new DatabaseUnusable('The keys in the database were sealed with another ENCRYPTION_KEY.', {
      cause,
    });
  }
}

/**
 * Opens every key, so that a wrong ENCRYPTION_KEY is noticed at the start, and seals it with the first of those set:
 * what was kept before there was one, and what an older one sealed. Throws DatabaseUnusable, and then changes nothing.
 */
export function sealKeys(db: Database): Promise<void> {
  return inTransaction(db, async (tx) => {
    const keys = await tx.query<{ id: string; privateJwk: KeptKey }>(
      sql`SELECT id, private_jwk FROM signing_keys ORDER BY id FOR UPDATE`,
    );
    for (const { id, privateJwk } of keys) {
      const jwk = openKey<object>(db, id, privateJwk);
      if (db.keyVault)
        await tx.prisma.signingKey.update({ where: { id }, data: { privateJwk: keepKey(db, id, jwk) } });
    }
  });
}
