import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addValidationData } from '../../src/pdf/seal/validation-update.js';
import { type TimeStamper, timeStamper } from '../../src/timestamp/authority.ts';
import { fingerprint } from '../../src/verify/certificate.js';
import { nodeSuite } from '../../src/verify/node-suite.ts';
import { checkSeal, levelOf } from '../../src/verify/seal.js';
import { NotSealed, SealBroken, SealExtended } from '../../src/verify/seal-broken.js';
import { checkToken } from '../../src/verify/time-stamp.js';
import type { TokenToCheck } from '../../src/verify/updates.js';
import { webSuite } from '../../src/verify/web-suite.js';
import { pages, pdf } from '../files/content/pdf-source.ts';
import { openRevocation, type TestRevocation } from '../support/revocation/authority.ts';
import { validationData } from '../support/revocation/validation-data.ts';
import { openAuthority, type TestAuthority } from '../support/time-stamps/authority.ts';
import { altered, sealedText, stamped, withForeignUpdate } from '../support/time-stamps/sealed-files.ts';

const SUITES = [
  ['Node', nodeSuite],
  ['browsers', webSuite],
] as const;

let authority: TestAuthority;
let stamper: TimeStamper;
let revocation: TestRevocation;
let plain: Uint8Array<ArrayBuffer>;
let withStamp: Uint8Array<ArrayBuffer>;
let twiceStamped: Uint8Array<ArrayBuffer>;
/** With validation data, and that with a document time-stamp. */
let withData: Uint8Array<ArrayBuffer>;
let archived: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  authority = await openAuthority();
  stamper = timeStamper({ urls: [authority.url], roots: authority.roots });
  plain = await sealedText();
  withStamp = await sealedText(stamper);
  twiceStamped = await stamped(await stamped(plain, stamper), stamper);
  revocation = await openRevocation();
  withData = addValidationData(withStamp, validationData(revocation));
  archived = await stamped(withData, stamper);
});
afterAll(() => Promise.all([authority.close(), revocation.close()]));

describe.each(SUITES)('a sealed file, checked with the cryptography of %s', (_, suite) => {
  it('is valid, and says by which certificate and when', async () => {
    const { certificate, claimedAt, length, timeStamp, documentStamps } = await checkSeal(suite, plain);
    expect(certificate.subject).toBe('CN=Test seal');
    expect(Date.now() - Number(claimedAt)).toBeLessThan(60_000);
    expect([length, timeStamp, documentStamps]).toEqual([plain.length, undefined, []]);
  });

  it('has the time-stamp over its signature', async () => {
    const { timeStamp } = await checkSeal(suite, withStamp);
    if (!timeStamp) throw new Error('no time-stamp');
    const stamp = await checkToken(suite, timeStamp.token, timeStamp.digest, authority.roots);
    expect(stamp).toMatchObject({ isTrusted: true, authority: 'O=Harbour, CN=Clock' });
    expect(await checkToken(suite, timeStamp.token, timeStamp.digest, [])).toMatchObject({
      isTrusted: false,
    });
  });

  it('has the document time-stamps that follow it', async () => {
    const { length, documentStamps } = await checkSeal(suite, twiceStamped);
    expect([length, documentStamps.length]).toEqual([plain.length, 2]);
    for (const { token, digest } of documentStamps)
      expect(await checkToken(suite, token, digest, authority.roots)).toMatchObject({ isTrusted: true });
  });

  it('has the validation data that follows it, under a time-stamp', async () => {
    const { length, validation, documentStamps } = await checkSeal(suite, archived);
    expect([length, documentStamps.length]).toEqual([withStamp.length, 1]);
    expect(validation?.certificates.map(({ subject }) => subject)).toEqual([
      ...['O=Harbour, CN=Seal', 'O=Harbour, CN=Issuing', 'CN=Root', 'O=Harbour, CN=Clock'],
    ]);
    for (const { thisUpdate, nextUpdate } of validation?.ocsp ?? [])
      expect(Number(nextUpdate) - Number(thisUpdate)).toBe(60 * 60_000);
    const [list] = validation?.crls ?? [];
    expect(Number(list?.nextUpdate) - Number(list?.thisUpdate)).toBe(5 * 24 * 60 * 60_000);
    expect([validation?.ocsp.length, validation?.crls.length]).toEqual([2, 1]);
  });

  it('is not valid with any byte changed', async () => {
    const offsets = Array.from({ length: 40 }, (_, index) => Math.floor((index * plain.length) / 40));
    for (const at of offsets) await expect(checkSeal(suite, altered(plain, at))).rejects.toThrow(SealBroken);
  });
});

describe('the level of a file', () => {
  it.each([
    ['B-B', () => plain],
    ['B-T', () => withStamp],
    ['B-T', () => twiceStamped],
    ['B-LT', () => withData],
    ['B-LTA', () => archived],
  ])('is %s by what it contains', async (level, file) => {
    expect(levelOf(await checkSeal(nodeSuite, file()))).toBe(level);
  });
});

describe('validation data after a seal', () => {
  it('may follow a document time-stamp', async () => {
    const file = await stamped(addValidationData(twiceStamped, validationData(revocation)), stamper);
    const seal = await checkSeal(nodeSuite, file);
    expect([seal.documentStamps.length, levelOf(seal)]).toEqual([3, 'B-LTA']);
  });

  it('cannot be changed but within its answers, and what ends them', async () => {
    const text = Buffer.from(withData).toString('latin1');
    const outside = /(stream\n)([\s\S]*?)(\nendstream)/g;
    const blobs = [...text.slice(withStamp.length).matchAll(outside)].map(({ index, 0: all, 2: blob }) => ({
      start: withStamp.length + index + all.indexOf('\n') + 1,
      length: blob?.length ?? 0,
    }));
    const within = (at: number) => blobs.some(({ start, length }) => at >= start && at < start + length);
    const added = Array.from(
      { length: text.length - withStamp.length },
      (_, index) => withStamp.length + index,
    );
    // What does not change what a reader does: the version of PDF, and the last digit of a length, before a line feed.
    const extension = text.lastIndexOf('/ESIC');
    const isFree = (at: number) =>
      (at > extension && at < extension + 60) || /\/Length \d*$/.test(text.slice(at - 12, at));
    const offsets = added.filter((at) => !within(at) && !isFree(at)).filter((_, index) => index % 7 === 0);
    expect(offsets.length).toBeGreaterThan(100);
    for (const at of offsets)
      await expect(checkSeal(nodeSuite, altered(withData, at))).rejects.toMatchObject({
        intact: withStamp.length,
      });
  });

  it('is refused with an object more in its update', async () => {
    const text = Buffer.from(withData).toString('latin1');
    const at = text.lastIndexOf('xref\n', text.lastIndexOf('startxref') - 1);
    const more = Buffer.from(`${text.slice(0, at)}7 0 obj\n<< >>\nendobj\n${text.slice(at)}`, 'latin1');
    await expect(checkSeal(nodeSuite, more)).rejects.toMatchObject({ intact: withStamp.length });
  });

  it.each([
    ['certificates'],
    ['ocsp'],
    ['crls'],
  ] as const)('is left out where it cannot be read, among the %s', async (member) => {
    const other = Buffer.from('3003020100', 'hex');
    const data = validationData(revocation);
    const file = addValidationData(plain, { ...data, [member]: [...data[member], other] });
    const { validation } = await checkSeal(nodeSuite, file);
    expect(validation?.[member]).toHaveLength(data[member].length);
  });

  it('is refused where another program changed the file after it', async () => {
    await expect(checkSeal(nodeSuite, withForeignUpdate(archived))).rejects.toMatchObject({
      intact: archived.length,
    });
  });
});

describe('what follows a sealed file', () => {
  const verdictOn = async (file: Uint8Array): Promise<string> => {
    try {
      const { token, digest } = (await checkSeal(nodeSuite, file)).documentStamps[0] as TokenToCheck;
      const { time, serial, certificate } = await checkToken(nodeSuite, token, digest, []);
      return `${time.toISOString()} ${serial} ${await fingerprint(nodeSuite, certificate)}`;
    } catch (error) {
      return (error as Error).constructor.name;
    }
  };

  it('is a time-stamp that is refused with any byte changed, or says the same', async () => {
    const once = await stamped(plain, stamper);
    const text = Buffer.from(once).toString('latin1');
    const zeros = text.indexOf('0'.repeat(500), plain.length);
    const added = Array.from({ length: 200 }, (_, index) =>
      Math.floor(plain.length + (index * (once.length - plain.length)) / 200),
    ).filter((at) => at < zeros || at > text.indexOf('>', zeros));
    const verdicts = new Set<string>();
    for (const at of added) verdicts.add(await verdictOn(altered(once, at)));
    expect(verdicts).toEqual(new Set(['SealExtended', 'StampBroken', await verdictOn(once)]));
  });

  it('is refused where it changes the file, and the sealed part is valid', async () => {
    const file = withForeignUpdate(plain);
    const fault = await checkSeal(nodeSuite, file).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(SealExtended);
    expect((fault as SealExtended).intact).toBe(plain.length);
    await checkSeal(nodeSuite, file.subarray(0, (fault as SealExtended).intact));
  });

  it('is accepted up to what changes the file after a time-stamp', async () => {
    const once = await stamped(plain, stamper);
    await expect(checkSeal(nodeSuite, withForeignUpdate(once))).rejects.toMatchObject({
      intact: once.length,
    });
  });

  it('is no time-stamp where an object was added to the update of one', async () => {
    const once = Buffer.from(await stamped(plain, stamper)).toString('latin1');
    const at = once.lastIndexOf('xref\n', once.lastIndexOf('startxref') - 1);
    const more = Buffer.from(`${once.slice(0, at)}7 0 obj\n<< >>\nendobj\n${once.slice(at)}`, 'latin1');
    await expect(checkSeal(nodeSuite, more)).rejects.toMatchObject({ intact: plain.length });
  });
});

describe('a file without a seal', () => {
  it.each([
    ['no signature', pdf(pages(1))],
    ['no PDF', Buffer.from('Dear all')],
    ['no bytes', new Uint8Array()],
  ])('is told from a sealed one that was changed: %s', async (_, file) => {
    await expect(checkSeal(nodeSuite, file)).rejects.toThrow(NotSealed);
  });

  it('is one that another program signed', async () => {
    const text = Buffer.from(plain)
      .toString('latin1')
      .replace('/ETSI.CAdES.detached', '/adbe.pkcs7.detached');
    await expect(checkSeal(nodeSuite, Buffer.from(text, 'latin1'))).rejects.toThrow('by another program');
  });

  it('is not one of which the end is missing', async () => {
    const fault = await checkSeal(nodeSuite, plain.subarray(0, plain.length - 1)).catch(
      (error: unknown) => error,
    );
    expect([fault instanceof SealBroken, fault instanceof NotSealed]).toEqual([true, false]);
  });

  it('is refused with more signatures than a file has', async () => {
    const many = Buffer.concat([plain, Buffer.from('/ByteRange [0 1 2 3]\n'.repeat(101))]);
    await expect(checkSeal(nodeSuite, many)).rejects.toThrow('there are 102 signatures');
  });
});

describe('a key of a certificate', () => {
  it.each([
    ['RSA', generateKeyPairSync('rsa', { modulusLength: 2048 })],
    ['P-256', generateKeyPairSync('ec', { namedCurve: 'P-256' })],
    ['P-384', generateKeyPairSync('ec', { namedCurve: 'P-384' })],
    ['P-521', generateKeyPairSync('ec', { namedCurve: 'P-521' })],
  ])('of the kind %s has the same signatures in Node and in browsers', async (_, {
    publicKey,
    privateKey,
  }) => {
    const { sign } = await import('node:crypto');
    const spki = publicKey.export({ format: 'der', type: 'spki' });
    for (let round = 0; round < 20; round++) {
      const signed = [Buffer.from(`text ${round}`)];
      const signature = sign('sha256', signed[0] as Buffer, privateKey);
      const check = { publicKey: spki, digest: 'sha256', signed, signature } as const;
      const wrong = { ...check, signed: [Buffer.from('another')] };
      for (const suite of [nodeSuite, webSuite])
        expect([await suite.verify(check), await suite.verify(wrong)]).toEqual([true, false]);
    }
  });

  it('with RSASSA-PSS has the same signatures in Node and in browsers', async () => {
    const { constants, sign } = await import('node:crypto');
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const signed = [Buffer.from('text')];
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    const signature = sign('sha512', signed[0] as Buffer, { key: privateKey, padding, saltLength: 64 });
    const spki = publicKey.export({ format: 'der', type: 'spki' });
    const check = { publicKey: spki, digest: 'sha512', saltLength: 64, signed, signature } as const;
    for (const suite of [nodeSuite, webSuite]) {
      expect(await suite.verify(check)).toBe(true);
      expect(await suite.verify({ ...check, saltLength: 32 })).toBe(false);
    }
  });
});
