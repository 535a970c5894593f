import { deflateSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { judgeAddition } from '../../../src/verify/addition/judge.js';
import { nodeSuite } from '../../../src/verify/node-suite.ts';
import { checkSeal, levelOf } from '../../../src/verify/seal.js';
import { sealedText } from '../../support/time-stamps/sealed-files.ts';
import { appended, entry, type Irregular, numberOf, sizeOf, valueAt } from './appended.ts';

let plain: Uint8Array<ArrayBuffer>;
/** Numbers of objects of the sealed file, and the first that it does not have. */
let catalog: number;
let form: number;
let page: number;
let seal: number;
let content: number;
let next: number;

beforeAll(async () => {
  plain = await sealedText();
  [catalog, form, page, seal] = [/\/Type \/Catalog/, /\/SigFlags/, /\/Type \/Page\s/, /\/FT \/Sig/].map(
    (pattern) => numberOf(plain, pattern),
  ) as [number, number, number, number];
  content = Number(/\/Contents \[? ?(\d+) 0 R/.exec(valueAt(plain, page))?.[1]);
  next = sizeOf(Buffer.from(plain).toString('latin1'));
});

const blob = (text = '0\x03\x02\x01\x05', keys = '') =>
  `<< /Length ${text.length} ${keys} >>\nstream\n${text}\nendstream`;

/** The value with more at its end, before `>>`. */
const more = (value: string, keys: string) => value.replace(/>>$/, `${keys} >>`);

/** The page of the seal with another annotation. */
const withAnnotation = (reference: string) =>
  valueAt(plain, page).replace(/(\/Annots \[[^\]]*)\]/, `$1${reference} ]`);

const compressed = (text: string) => deflateSync(text).toString('latin1');

const STORE = () => ({
  [catalog]: more(valueAt(plain, catalog), `/DSS ${next} 0 R`),
  [next]: `<< /Type /DSS /Certs [ ${next + 1} 0 R ] /VRI ${next + 2} 0 R >>`,
  [next + 1]: blob(),
  [next + 2]: `<< /${'A1'.repeat(20)} << /Cert [ ${next + 1} 0 R ] /TU (D:20300101000000Z) >> >>`,
});

/** A document time-stamp that shows nothing, whose token is empty. */
function timeStamp(
  file: Uint8Array,
  {
    name = 'Later',
    rectangle = '0 0 0 0',
    field = '',
    signature = '',
    objects = {} as Record<number, string>,
  } = {},
) {
  const number = sizeOf(Buffer.from(file).toString('latin1'));
  const hole = `<${'00'.repeat(40)}>`;
  const parts = (range: string) => ({
    [form]: valueAt(file, form).replace(/\]/, `${number} 0 R ]`),
    [number]: more(
      `<< /Type /Annot /Subtype /Widget /FT /Sig /T (${name}) /Rect [ ${rectangle} ] /F 132 /P ${page} 0 R /V ${number + 1} 0 R >>`,
      field,
    ),
    [number + 1]: more(
      `<< /Type /DocTimeStamp /Filter /X /SubFilter /ETSI.RFC3161 /ByteRange [${range.padEnd(60)}] /Contents ${hole} >>`,
      signature,
    ),
    ...objects,
  });
  const draft = Buffer.from(appended(file, parts(''))).toString('latin1');
  const start = draft.lastIndexOf(hole);
  const end = start + hole.length;
  return parts(`0 ${start} ${end} ${draft.length - end}`);
}

const verdictOf = async (file: Uint8Array) => {
  try {
    return levelOf(await checkSeal(nodeSuite, file));
  } catch (error) {
    return (error as { intact?: number }).intact ?? (error as Error).message;
  }
};

describe('an addition to a sealed file is accepted', () => {
  it.each<[string, () => Record<number, string>, Irregular?]>([
    ['validation data', STORE],
    [
      'compressed validation data',
      () => ({ ...STORE(), [next + 1]: blob(compressed('0\x01'), '/Filter /FlateDecode') }),
    ],
    [
      'extensions, a version and the name of the program',
      () => ({
        ...STORE(),
        [catalog]: more(valueAt(plain, catalog), `/DSS ${next} 0 R /Version /2.0`).replace(
          /\/ESIC[\s\S]*?>>/,
          '/ESIC << /BaseVersion /1.7 /ExtensionLevel 5 >>',
        ),
        [next + 3]: '<< /Producer (Archive \\(1\\)) /ModDate (D:20300101000000Z) >>',
      }),
      { trailer: {} },
    ],
    [
      'objects written in another way',
      () => ({
        ...STORE(),
        [catalog]: more(valueAt(plain, catalog), `/DSS ${next} 0 R`)
          .replace(/\n/g, '\r\n')
          .replace('/Type', '/#54ype'),
      }),
    ],
    [
      'comments between objects',
      STORE,
      { rewrite: (update) => update.replace('startxref', '%hello\nstartxref') },
    ],
    [
      'an entry of the table for object 0',
      STORE,
      {
        table: (offsets) =>
          `0 1\n0000000000 65535 f \n${[...offsets].map(([number, at]) => `${number} 1\n${entry(at)}`).join('')}`,
      },
    ],
  ])('%s', async (name, objects, irregular) => {
    const info = name.includes('program') ? { trailer: { Info: `${next + 3} 0 R` } } : {};
    expect(await verdictOf(appended(plain, objects(), { ...irregular, ...info }))).toBe('B-LT');
  });

  it('of validation data to that of another program', async () => {
    const file = appended(plain, STORE());
    const again = appended(file, {
      [next]: `<< /Certs [ ${next + 1} 0 R ${next + 3} 0 R ] >>`,
      [next + 3]: blob(),
    });
    expect(await verdictOf(again)).toBe('B-LT');
  });
});

describe('a document time-stamp of another program is accepted', () => {
  const shown = (keys: string, content = '') => ({
    [next + 2]: `<< /Length ${content.length} /Subtype /Form ${keys} >>\nstream\n${content}\nendstream`,
  });

  it.each<[string, () => Parameters<typeof timeStamp>[1]]>([
    ['in a field that is on no page', () => ({})],
    ['in a field on a page', () => ({ objects: { [page]: withAnnotation(`${next} 0 R`) } })],
    [
      'with an empty appearance',
      () => ({
        field: `/AP << /N ${next + 2} 0 R >>`,
        objects: shown('/BBox [ 0.0 0 0 0 ] /Resources << >>', '% nothing\nq Q'),
      }),
    ],
    [
      'with fonts for other fields',
      () => ({
        objects: {
          [form]: more(
            valueAt(plain, form).replace(/\]/, `${next} 0 R ]`),
            `/DA (/Helv 0 Tf) /DR << /Font << /Helv ${next + 2} 0 R >> >>`,
          ),
          [next + 2]: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
        },
      }),
    ],
  ])('%s', async (_, change) => {
    const file = appended(plain, timeStamp(plain, change()));
    // A token of zeros is no time-stamp; whoever relies on it checks it.
    expect(await verdictOf(file)).toBe('B-T');
  });
});

describe('an addition is refused, and the sealed part stays valid', () => {
  const changedCatalog = (keys: string) => ({ [catalog]: more(valueAt(plain, catalog), keys) });
  const stream = (text: string, keys = '') =>
    `<< /Length ${text.length} ${keys} >>\nstream\n${text}\nendstream`;

  it.each<[string, () => Record<number, string>, Irregular?]>([
    ['an action at the opening', () => changedCatalog('/OpenAction << /S /JavaScript /JS (x) >>')],
    ['other names', () => changedCatalog(`/Names ${next} 0 R`)],
    ['metadata', () => ({ ...changedCatalog(`/Metadata ${next} 0 R`), [next]: blob() })],
    [
      'other pages',
      () => ({
        [catalog]: valueAt(plain, catalog).replace(/\/Pages \d+/, `/Pages ${next}`),
        [next]: '<< /Type /Pages /Kids [] /Count 0 >>',
      }),
    ],
    ['no form', () => ({ [catalog]: valueAt(plain, catalog).replace(/\/AcroForm \d+ 0 R/, '') })],
    [
      'another form',
      () => ({
        [catalog]: valueAt(plain, catalog).replace(/\/AcroForm \d+/, `/AcroForm ${next}`),
        [next]: '<< /Fields [] /SigFlags 3 >>',
      }),
    ],
    ['a form that is drawn anew', () => ({ [form]: more(valueAt(plain, form), '/NeedAppearances true') })],
    ['an XFA form', () => ({ [form]: more(valueAt(plain, form), '/XFA (x)') })],
    ['a form without the seal', () => ({ [form]: valueAt(plain, form).replace(/\[.*\]/, '[ ]') })],
    ['another seal', () => ({ [seal]: more(valueAt(plain, seal), '/TU (x)') })],
    ['another size of a page', () => ({ [page]: valueAt(plain, page).replace(/595/, '596') })],
    ['another content of a page', () => ({ [content]: stream('0 0 9 9 re f') })],
    ['a page that is no stream any more', () => ({ [content]: '<< >>' })],
    [
      'an annotation',
      () => ({
        [page]: withAnnotation(`${next} 0 R`),
        [next]: '<< /Type /Annot /Subtype /Text /Rect [ 0 0 9 9 ] >>',
      }),
    ],
    ['an object that nothing needs', () => ({ [next]: '<< >>' })],
    [
      'a font',
      () => ({ [numberOf(plain, /\/Type \/Font\s/)]: '<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>' }),
    ],
    [
      'validation data in place of a page',
      () => ({ ...STORE(), [next]: `<< /Certs [ ${content} 0 R ] >>`, [content]: blob() }),
    ],
    [
      'validation data that refers to a page',
      () => ({ ...STORE(), [next]: `<< /Certs [ ${content} 0 R ] >>` }),
    ],
    [
      'a store in place of a page',
      () => ({ [catalog]: more(valueAt(plain, catalog), `/DSS ${page} 0 R`), [page]: '<< /Type /DSS >>' }),
    ],
    [
      'a store with other keys',
      () => ({ ...STORE(), [next]: `<< /Certs [ ${next + 1} 0 R ] /VRI ${next + 2} 0 R /A 1 >>` }),
    ],
    ['an entry that is no digest', () => ({ ...STORE(), [next + 2]: '<< /Page << >> >>' })],
    [
      'a certificate with other keys',
      () => ({ ...STORE(), [next + 1]: blob('0', '/Subtype /Form /BBox [ 0 0 9 9 ]') }),
    ],
    [
      'a stream that expands to more than a mebibyte',
      () => ({ ...STORE(), [next + 1]: blob(compressed('0'.repeat(2 ** 20 + 1)), '/Filter /FlateDecode') }),
    ],
    [
      'a stream that is not compressed as it says',
      () => ({ ...STORE(), [next + 1]: blob('0', '/Filter /FlateDecode') }),
    ],
    ['another compression', () => ({ ...STORE(), [next + 1]: blob('0', '/Filter /DCTDecode') })],
    [
      'extensions in place of a page',
      () => ({
        [catalog]: valueAt(plain, catalog).replace(
          /\/Extensions <<[\s\S]*?>>\s*>>/,
          `/Extensions ${page} 0 R`,
        ),
        [page]: '<< >>',
      }),
    ],
    ['no version of PDF', () => changedCatalog('/Version /9.9')],
    ['more keys of the trailer', STORE, { trailer: { Encrypt: '<< >>' } }],
    ['a cross-reference stream beside the table', STORE, { trailer: { XRefStm: '9' } }],
    ['another catalog', () => ({ [next]: '<< /Type /Catalog >>' }), { trailer: { Root: '9 0 R' } }],
    ['a table before the sealed one', STORE, { trailer: { Prev: '9' } }],
    ['another size', STORE, { trailer: { Size: '9000' } }],
    ['a title', () => ({ ...STORE(), [next + 3]: '<< /Title (Other) >>' }), { trailer: { Info: '25 0 R' } }],
    [
      'a table that omits an object',
      STORE,
      {
        table: (offsets) =>
          [...offsets]
            .slice(1)
            .map(([number, at]) => `${number} 1\n${entry(at)}`)
            .join(''),
      },
    ],
    [
      'a table that points into an object',
      STORE,
      { table: (offsets) => [...offsets].map(([number, at]) => `${number} 1\n${entry(at + 9)}`).join('') },
    ],
    [
      'a table that removes an object',
      STORE,
      {
        table: (offsets) =>
          `9 1\n0000000000 65535 f \n${[...offsets].map(([number, at]) => `${number} 1\n${entry(at)}`).join('')}`,
      },
    ],
    [
      'an object twice',
      STORE,
      { rewrite: (update) => update.replace('xref', `${next} 0 obj\n<< >>\nendobj\nxref`) },
    ],
    ['text between objects', STORE, { rewrite: (update) => update.replace('xref', 'hello\nxref') }],
    ['no end', STORE, { rewrite: (update) => update.replace('%%EOF', '') }],
    ['objects within many others', () => ({ ...STORE(), [next + 2]: '['.repeat(10_000) })],
  ])('%s', async (_, objects, irregular) => {
    const file = appended(plain, objects(), irregular);
    expect(await verdictOf(file)).toBe(plain.length);
    expect(await verdictOf(file.subarray(0, plain.length))).toBe('B-B');
  });

  it.each<[string, () => Parameters<typeof timeStamp>[1]]>([
    ['in a field that can be seen', () => ({ rectangle: '0 0 9 9' })],
    ['in a field with an action', () => ({ field: '/AA << >>' })],
    ['in a field with a color', () => ({ field: '/MK << /BG [ 1 0 0 ] >>' })],
    ['in a field that locks others', () => ({ signature: '/Reference []' })],
    [
      'with an appearance that paints',
      () => ({
        field: `/AP << /N ${next + 2} 0 R >>`,
        objects: { [next + 2]: stream('0 0 9 9 re f', '/Subtype /Form /BBox [ 0 0 0 0 ]') },
      }),
    ],
    [
      'with an appearance of a size',
      () => ({
        field: `/AP << /N ${next + 2} 0 R >>`,
        objects: { [next + 2]: stream('', '/Subtype /Form /BBox [ 0 0 9 9 ]') },
      }),
    ],
    [
      'with an appearance that has others',
      () => ({
        field: `/AP << /N ${next + 2} 0 R >>`,
        objects: {
          [next + 2]: stream('', '/Subtype /Form /BBox [ 0 0 0 0 ] /Resources << /XObject << >> >>'),
        },
      }),
    ],
    ['on another page', () => ({ objects: { [numberOf(plain, /\/Type \/Pages\s/)]: '<< >>' } })],
    ['with another annotation', () => ({ objects: { [page]: withAnnotation(`${seal} 0 R`) } })],
    [
      'with another field',
      () => ({
        objects: {
          [form]: valueAt(plain, form).replace(/\]/, `${next} 0 R ${next + 2} 0 R ]`),
          [next + 2]: '<< /FT /Tx >>',
        },
      }),
    ],
    [
      'with embedded fonts',
      () => ({
        objects: {
          [form]: more(
            valueAt(plain, form).replace(/\]/, `${next} 0 R ]`),
            '/DR << /Font << /A << /FontDescriptor 1 0 R >> >> >>',
          ),
        },
      }),
    ],
  ])('a time-stamp %s', async (_, change) => {
    expect(await verdictOf(appended(plain, timeStamp(plain, change())))).toBe(plain.length);
  });

  it.each<[string, (value: string) => string]>([
    ['that is no time-stamp', (value) => value.replace('/DocTimeStamp', '/Sig')],
    ['of another form', (value) => value.replace('/ETSI.RFC3161', '/ETSI.CAdES')],
    ['over less of the file', (value) => value.replace(/\[0 (\d+)/, (_, start) => `[0 ${Number(start) - 1}`)],
    [
      'that leaves out more than itself',
      (value) =>
        value.replace(/\[0 (\d+) (\d+) (\d+)/, (_, a, b, c) => `[0 ${a} ${Number(b) + 1} ${Number(c) - 1}`),
    ],
    ['in a string', (value) => value.replace(/<0000(0*)>/, '(00$1)')],
  ])('a signature %s', async (_, change) => {
    const objects = timeStamp(plain);
    const signature = Object.keys(objects)
      .map(Number)
      .find((number) => objects[number]?.includes('/ByteRange')) as number;
    objects[signature] = change(objects[signature] as string).padEnd(objects[signature]?.length ?? 0);
    expect(await verdictOf(appended(plain, objects))).toBe(plain.length);
  });

  it('a time-stamp in a field with the name of the seal', async () => {
    const name = /\/T \((.*?)\)/.exec(valueAt(plain, seal))?.[1] as string;
    expect(await verdictOf(appended(plain, timeStamp(plain, { name })))).toBe(plain.length);
  });

  it('what follows an update that is accepted', async () => {
    const file = appended(plain, STORE());
    expect(await verdictOf(Buffer.concat([file, Buffer.from('hello')]))).toBe(file.length);
  });

  it('an update that the hundred before it leave no room for', async () => {
    let file = plain;
    for (let count = 0; count < 100; count++) file = appended(file, {}, { table: () => '' });
    expect(await verdictOf(file)).toBe('B-B');
    expect(await verdictOf(appended(file, {}, { table: () => '' }))).toBe(file.length);
  });

  it.each<[string, () => { file: Uint8Array; references: Map<number, number>; sealedSize: number }]>([
    [
      'an object that the sealed file refers to without having it',
      () => ({
        file: appended(plain, STORE()),
        references: new Map([[next + 1, 100]]),
        sealedSize: next,
      }),
    ],
    [
      'a part of validation data that is in the sealed file',
      () => ({
        file: appended(appended(plain, STORE()), { [next]: '<< /Certs [ ] >>' }),
        references: new Map(),
        sealedSize: next + 3,
      }),
    ],
  ])('%s', async (_, facts) => {
    const { file, ...others } = facts();
    const from = others.sealedSize === next ? plain.length : appended(plain, STORE()).length;
    await expect(judgeAddition(file, { from, ...others })).rejects.toThrow('is not new');
  });
});
