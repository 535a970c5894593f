import { randomBytes } from 'node:crypto';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/id.ts';
import { openStoredKey, type StoredKey, toStoredKey } from './stored-key.ts';

/**
 * The secrets of signed URLs, 32 bytes each, newest first; creates one if there is none. All processes share them through
 * the database. Other secrets of the installation are derived from them.
 */
export function signedUrlSecrets(db: Database): Promise<[Uint8Array, ...Uint8Array[]]> {
  return inTransaction(db, async (tx) => {
    await tx.query(sql`SELECT pg_advisory_xact_lock(hashtext('signing_keys'))::text`);
    const rows = await tx.query<{ id: string; privateJwk: StoredKey }>(sql`
      SELECT id, private_jwk FROM signing_keys WHERE purpose = 'ADDRESS' AND retired_at IS NULL
      ORDER BY created_at DESC`);
    const [first, ...others] = rows.map(({ id, privateJwk }) =>
      Buffer.from(openStoredKey<{ k: string }>(db, id, privateJwk).k, 'base64url'),
    );
    if (first) return [first, ...others];
    const secret = randomBytes(32);
    const id = newId('SigningKey');
    const privateJwk = toStoredKey(db, id, { kty: 'oct', alg: 'HS256', k: secret.toString('base64url') });
    await tx.prisma.signingKey.create({ data: { id, purpose: 'ADDRESS', algorithm: 'HS256', privateJwk } });
    return [secret];
  });
}
