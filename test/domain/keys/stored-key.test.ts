import { describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { sealer } from '../../../src/domain/keys/seal-key.ts';
import { addressSecrets } from '../../../src/domain/keys/signing-key.ts';
import { sealKeys } from '../../../src/domain/keys/stored-key.ts';
import { tokenKey } from '../../../src/domain/keys/token-key.ts';
import { vault } from '../../../src/lib/seal.ts';
import { DAY } from '../../../src/lib/time.ts';
import { newDatabase } from '../../support/database.ts';

const [OLD, NEW] = ['o'.repeat(32), 'n'.repeat(32)];

/** A database of its own, as who sets these keys opens it. */
async function setUp() {
  const db = await newDatabase();
  onTestFinished(() => db.close());
  const under = (...keys: string[]): Database => {
    const [first, ...others] = keys;
    return { ...db, keyVault: first === undefined ? undefined : vault([first, ...others]) };
  };
  const stored = () => db.prisma.signingKey.findMany({ orderBy: { id: 'asc' } });
  return { under, stored };
}

/** All the keys there are: those that are missing are made. */
async function keysOf(db: Database) {
  const [address] = await addressSecrets(db);
  const token = await tokenKey(db, { keyLifetime: DAY, accessToken: DAY });
  const seal = await sealer(db)();
  return { address: Buffer.from(address).toString('hex'), token, seal: seal.key.export({ format: 'jwk' }) };
}

describe('the keys of an installation', () => {
  it('are stored so that only the key of the operator opens them', async () => {
    const { under, stored } = await setUp();
    const keys = await keysOf(under(OLD));
    const kept = (await stored()).map(({ privateJwk }) => privateJwk);
    expect(kept).toEqual(Array(3).fill(expect.stringMatching(/^sealed:/)));
    expect(await keysOf(under(OLD))).toEqual(keys);
  });

  it('that were there before are sealed at the start, and stay the same', async () => {
    const { under, stored } = await setUp();
    const keys = await keysOf(under());
    await sealKeys(under(OLD));
    expect((await stored()).map(({ privateJwk }) => typeof privateJwk)).toEqual([
      'string',
      'string',
      'string',
    ]);
    expect(await keysOf(under(OLD))).toEqual(keys);
  });

  it('go over to a new key of the operator, after which the old one is of no use', async () => {
    const { under } = await setUp();
    const keys = await keysOf(under(OLD));
    await sealKeys(under(NEW, OLD));
    expect(await keysOf(under(NEW))).toEqual(keys);
    await expect(sealKeys(under(OLD))).rejects.toThrow('were sealed with another ENCRYPTION_KEY');
  });

  it('keep a server from starting that was given none, or a wrong one, and are not changed by that', async () => {
    const { under, stored } = await setUp();
    await keysOf(under(OLD));
    const before = await stored();
    await expect(sealKeys(under())).rejects.toThrow('set the ENCRYPTION_KEY they were sealed with');
    await expect(sealKeys(under(NEW))).rejects.toThrow('were sealed with another ENCRYPTION_KEY');
    expect(await stored()).toEqual(before);
  });

  it('are not taken for one another', async () => {
    const { under, stored } = await setUp();
    await keysOf(under(OLD));
    const [one, other] = await stored();
    await under().prisma.signingKey.update({
      where: { id: one?.id },
      data: { privateJwk: other?.privateJwk as string },
    });
    await expect(sealKeys(under(OLD))).rejects.toThrow('were sealed with another ENCRYPTION_KEY');
  });
});
