import { createPrivateKey, createPublicKey, type JsonWebKey } from 'node:crypto';
import type { Database, Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { requireValid, type SealCertificate } from '../../pdf/seal/certificate.ts';
import { openStoredKey, type StoredKey, toStoredKey } from './stored-key.ts';

/** Returns the certificate and key that currently seal documents. Throws SealUnusable if the certificate is not valid. */
export type Sealer = () => Promise<SealCertificate>;

/**
 * Uses the `configured` certificate of the operator, or else a key in the database, shared by all processes, with a
 * self-signed certificate. A missing or expired one is created on demand, by one process only.
 */
export function sealer(db: Database, configured?: SealCertificate): Sealer {
  return async () => {
    const seal = configured ?? (await currentKey(db)) ?? (await addKey(db));
    requireValid(seal);
    return seal;
  };
}

/** The certificates in DER of the keys in the database, which seal or have sealed documents, the newest first. */
export async function storedSealCertificates(db: Database): Promise<Uint8Array[]> {
  const rows = await db.query<{ der: string }>(sql`SELECT public_jwk -> 'x5c' ->> 0 AS der FROM signing_keys
    WHERE purpose = 'SEAL' ORDER BY created_at DESC, id DESC LIMIT 100`);
  return rows.map(({ der }) => Buffer.from(der, 'base64'));
}

async function currentKey(db: Database, reader: Reader = db): Promise<SealCertificate | undefined> {
  const [row] = await reader.query<{ id: string; privateJwk: StoredKey; x5c: string[] }>(sql`
    SELECT id, private_jwk, public_jwk -> 'x5c' AS x5c FROM signing_keys
    WHERE purpose = 'SEAL' AND retired_at IS NULL ORDER BY created_at DESC, id DESC LIMIT 1`);
  if (!row) return undefined;
  const seal = {
    chain: row.x5c.map((der) => Uint8Array.from(Buffer.from(der, 'base64'))),
    key: createPrivateKey({ key: openStoredKey<JsonWebKey>(db, row.id, row.privateJwk), format: 'jwk' }),
  };
  try {
    requireValid(seal);
    return seal;
  } catch {
    return undefined;
  }
}

async function addKey(db: Database): Promise<SealCertificate> {
  const { selfSigned } = await import('../../pdf/seal/self-signed.ts');
  const seal = await selfSigned('Docgraph seal');
  return inTransaction(db, async (tx) => {
    await tx.query(sql`SELECT pg_advisory_xact_lock(hashtext('docgraph.signing_keys'))::text`);
    const existing = await currentKey(db, tx);
    if (existing) return existing;
    await tx.prisma.signingKey.updateMany({
      where: { purpose: 'SEAL', retiredAt: null },
      data: { retiredAt: new Date() },
    });
    const x5c = seal.chain.map((der) => Buffer.from(der).toString('base64'));
    const id = newId('SigningKey');
    await tx.prisma.signingKey.create({
      data: {
        id,
        purpose: 'SEAL',
        algorithm: 'ES256',
        privateJwk: toStoredKey(db, id, seal.key.export({ format: 'jwk' })),
        publicJwk: { ...createPublicKey(seal.key).export({ format: 'jwk' }), x5c } as Prisma.InputJsonObject,
      },
    });
    return seal;
  });
}
