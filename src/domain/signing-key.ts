import { randomBytes } from 'node:crypto';
import type { Database } from '../db/database.ts';
import { inTransaction } from '../db/transaction.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { newId } from '../lib/id.ts';

/**
 * The secrets of signed addresses, 32 bytes each, newest first; the first one is made when there is none. They are in
 * the database, so that every process agrees on them. What else this installation keeps to itself is derived from them.
 */
export function addressSecrets(db: Database): Promise<[Uint8Array, ...Uint8Array[]]> {
  return inTransaction(db, async (tx) => {
    await tx.query(Prisma.sql`SELECT pg_advisory_xact_lock(hashtext('signing_keys'))::text`);
    const where = { purpose: 'ADDRESS', retiredAt: null } as const;
    const rows = await tx.prisma.signingKey.findMany({ where, orderBy: { createdAt: 'desc' } });
    const [first, ...others] = rows.map(({ privateJwk }) => Buffer.from(secretOf(privateJwk), 'base64url'));
    if (first) return [first, ...others];
    const secret = randomBytes(32);
    const privateJwk = { kty: 'oct', alg: 'HS256', k: secret.toString('base64url') };
    await tx.prisma.signingKey.create({
      data: { id: newId('SigningKey'), purpose: 'ADDRESS', algorithm: 'HS256', privateJwk },
    });
    return [secret];
  });
}

const secretOf = (jwk: unknown): string => (jwk as { k: string }).k;
