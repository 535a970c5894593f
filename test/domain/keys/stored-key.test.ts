import { describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { sealer } from '../../../src/domain/keys/seal-key.ts';
import { signedUrlSecrets } from '../../../src/domain/keys/signing-key.ts';
import { sealKeys } from '../../../src/domain/keys/stored-key.ts';
import { tokenKey } from '../../../src/domain/keys/token-key.ts';
import { vault } from '../../../src/lib/seal.ts';
import { DAY } from '../../../src/lib/time.ts';
import { newDatabase } from '../../support/database.ts';

const [OLD, NEW] = ['o'.repeat(32), 'n'.repeat(32)];

/** A separate database, opened with these values of ENCRYPTION_KEY. */
async function setUp() {
  const db = await newDatabase();
  onTestFinished(() => db.close());
  const withKeys = (...keys: string[]): Database => {
    const [first, ...others] = keys;
    return { ...db, keyVault: first === undefined ? undefined : vault([first, ...others]) };
  };
  const stored = () => db.prisma.signingKey.findMany({ orderBy: { id: 'asc' } });
  return { withKeys, stored };
}

/** All keys; missing ones are created. */
async function keysOf(db: Database) {
  const [address] = await signedUrlSecrets(db);
  const token = await tokenKey(db, { keyLifetime: DAY, accessToken: DAY });
  const seal = await sealer(db)();
  return { address: Buffer.from(address).toString('hex'), token, seal: seal.key.export({ format: 'jwk' }) };
}

describe('the keys of an installation', () => {
  it('are stored encrypted with the key of the operator', async () => {
    const { withKeys, stored } = await setUp();
    const keys = await keysOf(withKeys(OLD));
    const privateKeys = (await stored()).map(({ privateJwk }) => privateJwk);
    expect(privateKeys).toEqual(Array(3).fill(expect.stringMatching(/^sealed:/)));
    expect(await keysOf(withKeys(OLD))).toEqual(keys);
  });

  it('that were stored in plain text are encrypted at the start, with the same values', async () => {
    const { withKeys, stored } = await setUp();
    const keys = await keysOf(withKeys());
    await sealKeys(withKeys(OLD));
    expect((await stored()).map(({ privateJwk }) => typeof privateJwk)).toEqual([
      'string',
      'string',
      'string',
    ]);
    expect(await keysOf(withKeys(OLD))).toEqual(keys);
  });

  it('are encrypted again with a new key of the operator, and the old one is then refused', async () => {
    const { withKeys } = await setUp();
    const keys = await keysOf(withKeys(OLD));
    await sealKeys(withKeys(NEW, OLD));
    expect(await keysOf(withKeys(NEW))).toEqual(keys);
    await expect(sealKeys(withKeys(OLD))).rejects.toThrow('were sealed with another ENCRYPTION_KEY');
  });

  it('prevent the start with a missing or wrong key of the operator, and are unchanged', async () => {
    const { withKeys, stored } = await setUp();
    await keysOf(withKeys(OLD));
    const before = await stored();
    await expect(sealKeys(withKeys())).rejects.toThrow('set the ENCRYPTION_KEY they were sealed with');
    await expect(sealKeys(withKeys(NEW))).rejects.toThrow('were sealed with another ENCRYPTION_KEY');
    expect(await stored()).toEqual(before);
  });

  it('cannot be exchanged for one another', async () => {
    const { withKeys, stored } = await setUp();
    await keysOf(withKeys(OLD));
    const [one, other] = await stored();
    await withKeys().prisma.signingKey.update({
      where: { id: one?.id },
      data: { privateJwk: other?.privateJwk as string },
    });
    await expect(sealKeys(withKeys(OLD))).rejects.toThrow('were sealed with another ENCRYPTION_KEY');
  });
});
