import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addStampRoom, fillRoom } from '../../../src/pdf/seal/stamp-update.js';
import { type TimeStamper, timeStamper } from '../../../src/timestamp/authority.ts';
import { pages, pdf } from '../../files/content/pdf-source.ts';
import { openAuthority, type TestAuthority } from '../../support/time-stamps/authority.ts';
import { openssl } from '../../support/time-stamps/certificates.ts';
import { hasPoppler, poppler, sealedFile } from './job.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`../../../prisma/seed/files/${name}`, import.meta.url));

const FILES: [string, Uint8Array, string][] = [
  ['a text', Buffer.from('Dear all,\n\nyes.'), 'text/plain'],
  ['a picture', fixture('library-design/elevation.png'), 'image/png'],
  ['a PDF', fixture('library-brief/brief.pdf'), 'application/pdf'],
];

let authority: TestAuthority;
let stampDigest: TimeStamper;

beforeAll(async () => {
  authority = await openAuthority();
  stampDigest = timeStamper({ urls: [authority.url], roots: authority.roots });
});
afterAll(() => authority.close());

const seal = async (content: Uint8Array, type: string) =>
  Uint8Array.from((await sealedFile(content, [], type)).bytes);

async function addStamp(file: Uint8Array) {
  const { bytes, hole } = addStampRoom(file, 8_192);
  const covered = [bytes.subarray(0, hole.start), bytes.subarray(hole.end)];
  const digest = createHash('sha256').update(Buffer.concat(covered)).digest();
  const { token } = await stampDigest(digest);
  fillRoom(bytes, hole, token);
  return { bytes, hole, digest, token };
}

const has = (program: string) => existsSync(`/usr/bin/${program}`);

/** Throws with what it found. */
function qpdf(bytes: Uint8Array): string {
  const file = join(authority.folder, 'stamped.pdf');
  writeFileSync(file, bytes);
  return execFileSync('qpdf', ['--check', file], { encoding: 'utf8', stdio: 'pipe' });
}

const isPrefix = (start: Uint8Array, bytes: Uint8Array) => Buffer.from(bytes).indexOf(start) === 0;

describe('a document time-stamp', () => {
  it.each(FILES)('follows the file that was sealed, which it covers: %s', async (_, content, type) => {
    const sealed = await seal(content, type);
    const { bytes, hole } = await addStamp(sealed);
    const range = /\/ByteRange \[ 0 (\d+) (\d+) (\d+) \]/.exec(
      Buffer.from(bytes.subarray(sealed.length)).toString('latin1'),
    );
    expect(range?.slice(1).map(Number)).toEqual([hole.start, hole.end, bytes.length - hole.end]);
    expect(isPrefix(sealed, bytes)).toBe(true);
  });

  it.each(FILES)('is written alike from the file before: %s', async (_, content, type) => {
    const sealed = await seal(content, type);
    const { bytes, hole, token } = await addStamp(sealed);
    const again = addStampRoom(bytes.subarray(0, sealed.length), (hole.end - hole.start - 2) / 2);
    fillRoom(again.bytes, again.hole, token);
    expect(Buffer.compare(again.bytes, bytes)).toBe(0);
  });

  it.runIf(has('qpdf')).each(FILES)(
    'leaves a file without faults (needs qpdf): %s',
    async (_, content, type) => {
      const { bytes } = await addStamp(await seal(content, type));
      expect(qpdf(bytes)).toContain('No syntax or stream encoding errors found');
    },
  );

  it.runIf(hasPoppler).each(FILES)('leaves the seal valid (needs Poppler): %s', async (_, content, type) => {
    const { bytes } = await addStamp(await seal(content, type));
    const [, first = '', second = ''] = (await poppler('pdfsig', bytes)).split('Signature #');
    expect(first).toContain('Signature is Valid');
    expect(second).toContain('Signature Field Name: Timestamp 1');
    expect(second).toContain('Total document signed');
  });

  it('has a token that openssl accepts, but not with a byte of the file changed', async () => {
    const { bytes, hole, token } = await addStamp(await seal(pdf(pages(2)), 'application/pdf'));
    writeFileSync(join(authority.folder, 'token.der'), token);
    const verify = (changed: number) => {
      const covered = Buffer.concat([bytes.subarray(0, hole.start), bytes.subarray(hole.end)]);
      covered[100] = (covered[100] as number) ^ changed;
      const digest = createHash('sha256').update(covered).digest('hex');
      const args = `ts -verify -digest ${digest} -in token.der -token_in -CAfile root.pem`;
      return openssl(authority.folder, args).toString();
    };
    expect(verify(0)).toContain('Verification: OK');
    expect(() => verify(1)).toThrow();
  });

  it('can follow another one, under another name', async () => {
    const sealed = await seal(pdf(pages(2)), 'application/pdf');
    const first = await addStamp(sealed);
    const { bytes } = await addStamp(first.bytes);
    expect(isPrefix(first.bytes, bytes)).toBe(true);
    const names = Buffer.from(bytes)
      .toString('latin1')
      .match(/Timestamp \d/g);
    expect(names).toEqual(['Timestamp 1', 'Timestamp 2']);
    if (has('qpdf')) expect(qpdf(bytes)).toContain('No syntax or stream encoding errors found');
    if (!hasPoppler) return;
    const signatures = (await poppler('pdfsig', bytes)).split('Signature #').slice(1);
    expect(signatures.map((each) => each.includes('Total document signed'))).toEqual([false, false, true]);
    expect(signatures[0]).toContain('Signature is Valid');
  });

  it('is listed with the seal in a file that is signed again', async () => {
    const { bytes } = await addStamp(await seal(pdf(pages(1)), 'application/pdf'));
    const { earlier } = await sealedFile(bytes);
    expect(earlier.map(({ kind, state, signer }) => [kind, state, signer])).toEqual([
      ['CERTIFICATION', 'VALID_BEFORE_CHANGES', 'Test seal'],
      ['TIME_STAMP', 'VALID', 'Clock'],
    ]);
  });

  it('needs as much room as its token has', () => {
    const bytes = Uint8Array.from(Buffer.from('<000000>'));
    fillRoom(bytes, { start: 0, end: 8 }, Uint8Array.of(1, 0xab));
    expect(Buffer.from(bytes).toString()).toBe('<01ab00>');
    expect(() => fillRoom(bytes, { start: 0, end: 8 }, new Uint8Array(4))).toThrow(RangeError);
  });
});

/** A file of these objects, with one table; the last part of its trailer may be replaced. */
function fileOf(objects: Record<number, string>, { size = 6, more = '' } = {}): Uint8Array {
  let text = '%PDF-1.7\n';
  let table = '';
  for (const [number, body] of Object.entries(objects)) {
    table += `${number} 1\n${String(text.length).padStart(10, '0')} 00000 n \n`;
    text += `${number} 0 obj\n${body}\nendobj\n`;
  }
  const start = text.length;
  return Buffer.from(
    `${text}xref\n${table}trailer\n<<\n/Size ${size}\n/Root 1 0 R\n${more.replace('START', String(start))}>>\nstartxref\n${start}\n%%EOF`,
    'latin1',
  );
}

const SEALED = {
  1: '<< /Type /Catalog /AcroForm 2 0 R >>',
  2: '<< /Fields [ 3 0 R ] /SigFlags 3 >>',
  3: '<< /Type /Annot /T (Seal) /P 4 0 R >>',
  4: '<< /Type /Page /Annots [ 3 0 R ] >>',
};

const updateOf = (file: Uint8Array): string =>
  Buffer.from(addStampRoom(file, 2).bytes.subarray(file.length)).toString('latin1');

describe('the objects that a document time-stamp changes', () => {
  it('are the form, the page, and two new ones', () => {
    expect(updateOf(fileOf(SEALED)).split('xref\n')[0]).toBe(
      '\n2 0 obj\n<< /Fields [ 3 0 R 7 0 R ] /SigFlags 3 >>\nendobj\n' +
        '4 0 obj\n<< /Type /Page /Annots [ 3 0 R 7 0 R ] >>\nendobj\n' +
        '6 0 obj\n<< /Type /DocTimeStamp /Filter /Adobe.PPKLite /SubFilter /ETSI.RFC3161 ' +
        '/ByteRange [ 0 624 630 292 ]                      /Contents <0000> >>\nendobj\n' +
        '7 0 obj\n<< /Type /Annot /Subtype /Widget /FT /Sig /T (Timestamp 1) /Rect [ 0 0 0 0 ] /F 132 /P 4 0 R /V 6 0 R >>\nendobj\n',
    );
  });

  it.each([
    [
      'the form is in the catalog',
      { 1: '<< /AcroForm << /Fields [3 0 R] >> >>' },
      '1 0 obj\n<< /AcroForm << /Fields [3 0 R 7 0 R ] >> >>',
    ],
    [
      'the fields are an object',
      { 2: '<< /Fields 5 0 R >>', 5: '[ 3 0 R ]' },
      '\n5 0 obj\n[ 3 0 R 7 0 R ]\n',
    ],
    [
      'the annotations are an object',
      { 4: '<</Annots 5 0 R>>', 5: '[ 3 0 R ]' },
      '\n5 0 obj\n[ 3 0 R 7 0 R ]\n',
    ],
    [
      'other values have brackets and escapes',
      { 4: '<< /A (a \\) >> (b) \xe9) /B <3e> /C [ << /D [ (]) ] >> ] /Annots [ 3 0 R ] /E -1.5 >>' },
      '4 0 obj\n<< /A (a \\) >> (b) \xe9) /B <3e> /C [ << /D [ (]) ] >> ] /Annots [ 3 0 R 7 0 R ] /E -1.5 >>',
    ],
    ['a key is escaped', { 4: '<< /#41nnots [ 3 0 R ] >>' }, '/#41nnots [ 3 0 R 7 0 R ]'],
  ])('are found where %s', (_, objects, text) => {
    expect(updateOf(fileOf({ ...SEALED, ...objects }))).toContain(text);
  });

  it('keep the members of the trailer', () => {
    const more = '/Info 4 0 R\n/ID [ <ab\n> (c\\)) ]\n';
    expect(updateOf(fileOf(SEALED, { more }))).toMatch(
      /trailer\n<< \/Size 8 \/Root 1 0 R \/Info 4 0 R \/ID \[ <ab\n> \(c\\\)\) \] \/Prev \d+ >>\nstartxref\n\d+\n%%EOF\n$/,
    );
  });
});

describe('a file that cannot be updated', () => {
  const changed = (objects: Record<number, string>) => fileOf({ ...SEALED, ...objects });
  const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
  const text = (replace: (text: string) => string) =>
    Buffer.from(replace(Buffer.from(fileOf(SEALED)).toString('latin1')), 'latin1');

  it.each<[string, Uint8Array, RegExp]>([
    ['nothing', new Uint8Array(), /does not end with startxref/],
    ['bytes after its end', Buffer.concat([fileOf(SEALED), Buffer.from('x')]), /does not end with startxref/],
    ['no form', changed({ 1: '<< >>' }), /no AcroForm/],
    ['no fields', changed({ 2: '<< >>' }), /no Fields/],
    ['no field', changed({ 2: '<< /Fields [ ] >>' }), /has no signature/],
    ['no page', changed({ 3: '<< >>' }), /no P/],
    ['no annotations', changed({ 4: '<< >>' }), /no Annots/],
    ['annotations that are no array', changed({ 4: '<< /Annots 7 >>' }), /an array was expected/],
    [
      'the fields as annotations',
      changed({ 2: '<< /Fields 5 0 R >>', 4: '<< /Annots 5 0 R >>', 5: '[ 3 0 R ]' }),
      /one object with the fields/,
    ],
    ['a key twice', changed({ 4: '<< /Annots [ 3 0 R ] /#41nnots [ ] >>' }), /twice/],
    ['a missing object', changed({ 1: '<< /AcroForm 9 0 R >>' }), /no object 9/],
    ['another generation', changed({ 1: '<< /AcroForm 2 1 R >>' }), /a key was expected/],
    ['objects deep within one another', changed({ 4: `<< /A ${deep} >>` }), /too many nested/],
    ['a string without an end', changed({ 4: '<< /A ( >>' }), /without an end/],
    ['letters in a hexadecimal string', changed({ 4: '<< /A <4x> >>' }), /hexadecimal digit/],
    ['a stream as its page', changed({ 4: '<< /Length 0 >>\nstream\n\nendstream' }), /endobj was expected/],
    ['a comment', changed({ 4: '<< % >>' }), /a key was expected/],
    ['a size that is too small', fileOf(SEALED, { size: 3 }), /is not below Size/],
    ['a size that is too large', fileOf(SEALED, { size: 9_999_999 }), /too many objects/],
    ['no number as size', text((all) => all.replace('/Size 6', '/Size -6')), /an integer was expected/],
    ['encryption', fileOf(SEALED, { more: '/Encrypt 4 0 R\n' }), /the trailer has Encrypt/],
    ['a table that follows itself', fileOf(SEALED, { more: '/Prev START\n' }), /not before the later one/],
    ['a table before it that is none', fileOf(SEALED, { more: '/Prev 3\n' }), /xref was expected/],
    [
      'an offset outside of it',
      text((all) => all.replace(/startxref\n\d+/, 'startxref\n9999999999')),
      /not before the later one/,
    ],
    [
      'a part of a table without entries',
      text((all) => all.replace('\n1 1\n', '\n9 0\n1 1\n')),
      /without entries/,
    ],
    [
      'a table that is longer than it',
      text((all) => all.replace('\n1 1\n', '\n1 999999\n')),
      /beyond its end/,
    ],
    [
      'an object elsewhere',
      text((all) => all.replace('0000000009 00000 n', '0000000010 00000 n')),
      /1 0 obj was expected/,
    ],
    [
      'an object outside of it',
      text((all) => all.replace('0000000009 00000 n', '9999999999 00000 n')),
      /1 0 obj was expected/,
    ],
    [
      'an object that is deleted',
      text((all) => all.replace('0000000009 00000 n', '0000000009 00000 f')),
      /not one of an object in use/,
    ],
  ])('has %s', (_, file, problem) => {
    expect(() => addStampRoom(file, 100)).toThrow(RangeError);
    expect(() => addStampRoom(file, 100)).toThrow(problem);
  });

  it('fails at once, however large it is', () => {
    const tables = 'xref\n0 0\ntrailer\n<< >>\n'.repeat(200_000);
    const values = changed({ 4: `<< /A [ ${'<< /B (c) >> '.repeat(300_000)} ] >>` });
    const begun = performance.now();
    for (const file of [fileOf(SEALED, { more: `/ID (${tables})\n/Prev 3\n` }), values])
      expect(() => addStampRoom(file, 100)).toThrow(RangeError);
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});
