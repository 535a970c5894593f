import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { archiveSeal } from '../../../src/domain/sealing/archive-stamp.ts';
import { ValidationIncomplete } from '../../../src/revocation/answer.ts';
import { type TimeStamper, timeStamper } from '../../../src/timestamp/authority.ts';
import { nodeSuite } from '../../../src/verify/node-suite.ts';
import { checkSeal, levelOf } from '../../../src/verify/seal.js';
import { checkToken } from '../../../src/verify/time-stamp.js';
import { openRevocation, type TestRevocation } from '../../support/revocation/authority.ts';
import { openAuthority, type TestAuthority } from '../../support/time-stamps/authority.ts';
import { sealedText } from '../../support/time-stamps/sealed-files.ts';

const MINUTE = 60_000;

let revocation: TestRevocation;
let authority: TestAuthority;
let stamper: TimeStamper;
/** Time-stamped two minutes ago. */
let sealed: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  revocation = await openRevocation();
  authority = await openAuthority(revocation.folder);
  stamper = timeStamper({ urls: [authority.url], roots: authority.roots });
  const { answer } = authority;
  authority.answerWith({ time: new Date(Date.now() - 2 * MINUTE) });
  sealed = await sealedText(stamper, revocation.sealCertificate());
  authority.answer = answer;
});
afterAll(async () => {
  await authority.close();
  await revocation.close();
});

const archive = (file: Uint8Array, stamp: Parameters<typeof archiveSeal>[1]['stamp'] = stamper) =>
  archiveSeal(file, { stamp, roots: authority.roots, now: new Date() });

describe('a time-stamped seal by a certificate of an authority', () => {
  it('gets validation data of both chains and a time-stamp over all of it', async () => {
    const archived = await archive(sealed);
    if (archived === undefined || archived === 'NEVER') throw new Error('it was not archived');
    expect(archived.validation).toEqual({ certificates: 4, ocsp: 2, crls: 1 });
    const seal = await checkSeal(nodeSuite, archived.bytes);
    expect([levelOf(seal), seal.length]).toEqual(['B-LTA', sealed.length]);
    const [stamp] = seal.documentStamps;
    if (!stamp) throw new Error('no time-stamp');
    const { time, isTrusted } = await checkToken(nodeSuite, stamp.token, stamp.digest, authority.roots);
    expect([time, isTrusted]).toEqual([archived.timeStamp.time, true]);
  });

  it('gets nothing where no authority gives a time-stamp', async () => {
    expect(await archive(sealed, async () => undefined)).toBeUndefined();
  });

  it('gets nothing while an answer is missing', async () => {
    revocation.answers.set('/root.crl', () => 500);
    await expect(archive(sealed)).rejects.toThrow(ValidationIncomplete);
    revocation.answers.clear();
  });

  it('gets nothing twice', async () => {
    const archived = await archive(sealed);
    if (archived === undefined || archived === 'NEVER') throw new Error('it was not archived');
    expect(await archive(archived.bytes)).toBe('NEVER');
  });
});

describe('another seal gets no validation data', () => {
  it('without a time-stamp', async () => {
    expect(await archive(await sealedText(undefined, revocation.sealCertificate()))).toBe('NEVER');
  });

  it('by a certificate that is self-signed', async () => {
    expect(await archive(await sealedText(stamper))).toBe('NEVER');
  });
});
