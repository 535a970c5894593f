import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PDF, type PdfDict, PdfNumber, PdfRef, PdfStream, type SignatureField } from '@libpdf/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { archiveSeal } from '../../src/domain/sealing/archive-stamp.ts';
import { MINUTE } from '../../src/lib/time.ts';
import { type TimeStamper, timeStamper } from '../../src/timestamp/authority.ts';
import { nodeSuite } from '../../src/verify/node-suite.ts';
import { checkSeal, levelOf } from '../../src/verify/seal.js';
import { checkToken } from '../../src/verify/time-stamp.js';
import { openRevocation, type TestRevocation } from '../support/revocation/authority.ts';
import { openAuthority, type TestAuthority } from '../support/time-stamps/authority.ts';
import { openssl } from '../support/time-stamps/certificates.ts';
import { sealedText, stamped } from '../support/time-stamps/sealed-files.ts';

/** Sealed files by their level, with how many signatures and document time-stamps each has. */
const FILES = [
  ['B-B', 1, 0],
  ['B-T', 1, 0],
  ['B-T by a document time-stamp', 1, 1],
  ['B-LTA', 1, 1],
] as const;
type FileName = (typeof FILES)[number][0];

let revocation: TestRevocation;
let authority: TestAuthority;
let stamper: TimeStamper;
let files: Record<FileName, Uint8Array<ArrayBuffer>>;

beforeAll(async () => {
  revocation = await openRevocation();
  // It asks for issuers although they are in the signature.
  revocation.answers.set('/issuing.cer', () => revocation.certificateOf('issuing').der);
  authority = await openAuthority(revocation.folder);
  stamper = timeStamper({ urls: [authority.url], roots: authority.roots });
  files = await sealAll();
});
afterAll(async () => {
  await authority.close();
  await revocation.close();
});

async function sealAll(): Promise<typeof files> {
  const certificate = revocation.sealCertificate();
  const basic = await sealedText(undefined, certificate);
  const { answer } = authority;
  // The answers about the certificates are newer than the time-stamp.
  authority.answerWith({ time: new Date(Date.now() - 2 * MINUTE) });
  const timeStamped = await sealedText(stamper, certificate);
  authority.answer = answer;
  const options = { stamp: stamper, roots: authority.roots, now: new Date() };
  const archived = await archiveSeal(timeStamped, options);
  if (archived === undefined || archived === 'NEVER') throw new Error('it was not archived');
  return {
    'B-B': basic,
    'B-T': timeStamped,
    'B-T by a document time-stamp': await stamped(basic, stamper),
    'B-LTA': archived.bytes,
  };
}

const authorities = {
  timestampAuthority: { timestamp: async (digest: Uint8Array) => (await stamper(digest)).token },
  revocationProvider: {
    getOCSP: async () => revocation.ocspOf('signer'),
    getCRL: async () => revocation.crlOf('root'),
  },
};

const signaturesOf = (pdf: PDF): SignatureField[] => pdf.getForm()?.getSignatureFields() ?? [];

function dictionaryOf(field: SignatureField): PdfDict {
  const dictionary = field.getSignatureDict();
  if (!dictionary) throw new Error('the field is not signed');
  return dictionary;
}

/** What a signature covers, and its message, as the other program reads them. */
function readSignature(file: Uint8Array, field: SignatureField) {
  const dictionary = dictionaryOf(field);
  const range = dictionary
    .getArray('ByteRange')
    ?.toArray()
    .map((each) => (each instanceof PdfNumber ? each.value : Number.NaN));
  const [start = 0, length = 0, next = 0, rest = 0] = range ?? [];
  const covered = [file.subarray(start, start + length), file.subarray(next, next + rest)];
  return {
    covered: Buffer.concat(covered),
    end: next + rest,
    message: dictionary.getString('Contents')?.bytes ?? new Uint8Array(),
    isTimeStamp: dictionary.getName('Type')?.value === 'DocTimeStamp',
  };
}

/** Verifies a signature with OpenSSL; throws with what is wrong. */
function verify({ covered, message, isTimeStamp }: ReturnType<typeof readSignature>): string {
  writeFileSync(join(revocation.folder, 'covered.bin'), covered);
  writeFileSync(join(revocation.folder, 'message.der'), message);
  const command = isTimeStamp
    ? 'ts -verify -data covered.bin -in message.der -token_in -CAfile root.pem'
    : 'cms -verify -binary -inform DER -in message.der -content covered.bin -CAfile root.pem -purpose any -out verified.bin';
  return openssl(revocation.folder, command).toString();
}

describe.each(FILES)('libpdf reads a sealed file: %s', (name, seals, timeStamps) => {
  it('without repairs, with its signatures in their order', async () => {
    const file = files[name];
    const pdf = await PDF.load(file);
    expect([pdf.recoveredViaBruteForce, pdf.warnings, pdf.canSaveIncrementally()]).toEqual([false, [], null]);
    const signatures = signaturesOf(pdf).map((field) => readSignature(file, field));
    expect(signatures.filter(({ isTimeStamp }) => !isTimeStamp)).toHaveLength(seals);
    expect(signatures.filter(({ isTimeStamp }) => isTimeStamp)).toHaveLength(timeStamps);
    expect(signatures.at(-1)?.end).toBe(file.length);
    for (const signature of signatures) expect(() => verify(signature)).not.toThrow();
    const texts = (await PDF.load(files['B-B'])).extractText();
    expect(pdf.extractText().map(({ text }) => text)).toEqual(texts.map(({ text }) => text));
  });

  it.each([
    ['validation data', 'addValidationData', name === 'B-LTA' ? 'B-LTA' : 'B-LT', 0],
    ['a time-stamp', 'addTimestamp', name === 'B-LTA' ? 'B-LTA' : 'B-T', 1],
    ['both', 'addArchivalData', 'B-LTA', 1],
  ] as const)('and adds %s, with which the seal is valid', async (_, add, level, more) => {
    const file = files[name];
    const result = await (await PDF.load(file))[add](authorities);
    expect(result.warnings).toEqual([]);
    expect(Buffer.from(result.bytes).indexOf(file)).toBe(0);
    const seal = await checkSeal(nodeSuite, result.bytes);
    expect([levelOf(seal), seal.documentStamps.length]).toEqual([level, timeStamps + more]);
    for (const { token, digest } of seal.documentStamps)
      expect(await checkToken(nodeSuite, token, digest, authority.roots)).toMatchObject({ isTrusted: true });
  });
});

describe('libpdf reads the validation data of a sealed file', () => {
  const read = (pdf: PDF) => {
    const store = pdf.getCatalog().getDict('DSS', pdf.getObject.bind(pdf));
    const blobsOf = (key: string) =>
      (store?.getArray(key)?.toArray() ?? []).map((each) => {
        const stream = each instanceof PdfRef ? pdf.getObject(each) : undefined;
        if (!(stream instanceof PdfStream)) throw new Error(`${key} has something else than streams`);
        return Buffer.from(stream.getDecodedData());
      });
    return { certificates: blobsOf('Certs'), ocsp: blobsOf('OCSPs'), crls: blobsOf('CRLs') };
  };

  it('as it was written', async () => {
    const seal = await checkSeal(nodeSuite, files['B-LTA']);
    expect(levelOf(seal)).toBe('B-LTA');
    const ders = (all: readonly { der: Uint8Array }[] = []) => all.map(({ der }) => Buffer.from(der));
    expect(read(await PDF.load(files['B-LTA']))).toEqual({
      certificates: ders(seal.validation?.certificates),
      ocsp: ders(seal.validation?.ocsp),
      crls: ders(seal.validation?.crls),
    });
  });

  it('and keeps it when it adds more', async () => {
    const before = read(await PDF.load(files['B-LTA']));
    const { bytes } = await (await PDF.load(files['B-LTA'])).addValidationData(authorities);
    const after = read(await PDF.load(bytes));
    for (const key of ['certificates', 'ocsp', 'crls'] as const)
      expect(after[key]).toEqual(expect.arrayContaining(before[key]));
  });
});
