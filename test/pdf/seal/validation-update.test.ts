import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addStampRoom } from '../../../src/pdf/seal/stamp-update.js';
import { addValidationData } from '../../../src/pdf/seal/validation-update.js';
import { pages, pdf } from '../../files/content/pdf-source.ts';
import { openRevocation, type TestRevocation } from '../../support/revocation/authority.ts';
import { validationData } from '../../support/revocation/validation-data.ts';
import { sealedText } from '../../support/time-stamps/sealed-files.ts';
import { hasPoppler, poppler } from './job.ts';

let revocation: TestRevocation;
let sealed: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  revocation = await openRevocation();
  sealed = await sealedText(undefined, revocation.sealCertificate());
});
afterAll(() => revocation.close());

const textFrom = (bytes: Uint8Array, from: number) => Buffer.from(bytes.subarray(from)).toString('latin1');

describe('validation data', () => {
  it('follows the sealed file, as streams of a DSS that the catalog has, and nothing else', () => {
    const bytes = addValidationData(sealed, validationData(revocation));
    expect(Buffer.from(bytes).indexOf(sealed)).toBe(0);
    const added = textFrom(bytes, sealed.length);
    expect(added.match(/\d+ 0 obj/g)).toHaveLength(9);
    expect(added).toMatch(
      /<< \/Type \/DSS \/Certs \[ \d+ 0 R \d+ 0 R \d+ 0 R \d+ 0 R \] \/OCSPs \[ \d+ 0 R \d+ 0 R \] \/CRLs \[ \d+ 0 R \] >>/,
    );
    expect(added).toMatch(/\/Type \/Catalog[\s\S]* \/DSS \d+ 0 R >>\nendobj/);
  });

  it('is written alike for the same file', () => {
    const data = validationData(revocation);
    expect(addValidationData(sealed, data)).toEqual(addValidationData(sealed, data));
  });

  it('has no array for what there is none of', () => {
    const { certificates } = validationData(revocation);
    const bytes = addValidationData(sealed, { certificates, ocsp: [], crls: [] });
    expect(textFrom(bytes, sealed.length)).not.toMatch(/\/OCSPs|\/CRLs/);
  });

  it.skipIf(!existsSync('/usr/bin/qpdf'))('has no fault of syntax, also under a time-stamp', () => {
    const { bytes } = addStampRoom(addValidationData(sealed, validationData(revocation)), 8_192);
    const file = join(revocation.folder, 'validation.pdf');
    writeFileSync(file, bytes);
    const output = execFileSync('qpdf', ['--check', file], { encoding: 'utf8', stdio: 'pipe' });
    expect(output).toContain('No syntax or stream encoding errors found');
  });

  it.skipIf(!hasPoppler)('leaves the seal valid for other programs', async () => {
    const bytes = addValidationData(sealed, validationData(revocation));
    expect(await poppler('pdfsig', bytes)).toContain('Signature is Valid');
  });
});

describe('validation data is refused', () => {
  const none = { certificates: [], ocsp: [], crls: [] };

  it('where there is none', () => {
    expect(() => addValidationData(sealed, none)).toThrow(RangeError);
  });

  it.each([
    ['no DER', Buffer.from('text')],
    ['no sequence', Buffer.from('020101', 'hex')],
    ['more than one element', Buffer.from('30003000', 'hex')],
    ['nothing', Buffer.alloc(0)],
  ])('where a part of it is not an element of DER: %s', (_, blob) => {
    expect(() => addValidationData(sealed, { ...none, crls: [blob] })).toThrow(RangeError);
  });

  it('in a file that has some already', () => {
    const once = addValidationData(sealed, validationData(revocation));
    expect(() => addValidationData(once, validationData(revocation))).toThrow('the catalog has a DSS');
  });

  it('in a file that another program wrote', () => {
    const file = pdf(pages(1));
    expect(() => addValidationData(file, validationData(revocation))).toThrow('the file has no form');
  });
});
