import { createHash } from 'node:crypto';
import { constants, deflateRawSync, deflateSync } from 'node:zlib';

type Body = string | Buffer;

const bytes = (body: Body) => (typeof body === 'string' ? Buffer.from(body, 'latin1') : body);

export const CATALOG = '<</Type/Catalog/Pages 2 0 R>>';
const HEADER = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1');

/** A PDF of these objects, numbered from 1, with a classic cross-reference table; object 1 is the catalog. */
export function pdf(bodies: Body[], trailer = '', gap = 0): Buffer {
  const parts: Buffer[] = [HEADER];
  let length = HEADER.length;
  const rows = bodies.map((body, index) => {
    const object = Buffer.concat([bytes(`${index + 1} 0 obj\n`), bytes(body), bytes('\nendobj\n')]);
    const row = `${String(gap + length).padStart(10, '0')} 00000 n \n`;
    parts.push(object);
    length += object.length;
    return row;
  });
  const size = bodies.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}`;
  parts.push(
    bytes(`${table}trailer\n<</Size ${size}/Root 1 0 R${trailer}>>\nstartxref\n${gap + length}\n%%EOF\n`),
  );
  return Buffer.concat(parts);
}

const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>';
const kids = (count: number) => Array.from({ length: count }, (_, index) => `${index + 3} 0 R`).join(' ');

/** The objects of a document with so many pages; `claimed` is what its /Count says. */
export const pages = (count: number, claimed = count): string[] => [
  CATALOG,
  `<</Type/Pages/Count ${claimed}/Kids[${kids(count)}]>>`,
  ...Array.from({ length: count }, () => page),
];

/** A PDF of so many pages whose objects all lie in one object stream. */
export const packedPdf = (count: number): Buffer => packed(pages(count));

/** The same file with one object replaced in an incremental update (ISO 32000-1 §7.5.6). */
export function revised(bodies: Body[], number: number, body: string): Buffer {
  const before = pdf(bodies);
  const startxref = before.toString('latin1').match(/startxref\n(\d+)/)?.[1];
  const object = `${number} 0 obj\n${body}\nendobj\n`;
  const table = `xref\n${number} 1\n${String(before.length).padStart(10, '0')} 00000 n \n`;
  const trailer = `trailer\n<</Size ${bodies.length + 1}/Root 1 0 R/Prev ${startxref}>>\nstartxref\n${before.length + object.length}\n%%EOF\n`;
  return Buffer.concat([before, bytes(object + table + trailer)]);
}

/** A PDF whose objects all lie in one object stream (PDF 1.5), found through a cross-reference stream. */
export function packed(bodies: string[]): Buffer {
  let at = 0;
  const index = bodies.map((body, i) => {
    const entry = `${i + 1} ${at}`;
    at += body.length + 1;
    return entry;
  });
  const first = `${index.join(' ')} `;
  return withObjectStream(bodies.length, first.length, deflateSync(first + bodies.join(' ')));
}

/** An object stream of a few hundred kilobytes that inflates to 2 GiB. */
export function bombPdf(): Buffer {
  const mebibyte = deflateRawSync(Buffer.alloc(2 ** 20), { finishFlush: constants.Z_FULL_FLUSH });
  const blocks = Array.from({ length: 2048 }, () => mebibyte);
  return withObjectStream(2, 10, Buffer.concat([Buffer.from([0x78, 0x9c]), ...blocks, Buffer.from([3, 0])]));
}

function withObjectStream(count: number, first: number, content: Buffer): Buffer {
  const packed = count + 1;
  const dictionary = `<</Type/ObjStm/N ${count}/First ${first}/Filter/FlateDecode/Length ${content.length}>>`;
  const object = Buffer.concat([
    bytes(`${packed} 0 obj\n${dictionary}\nstream\n`),
    content,
    bytes('\nendstream\nendobj\n'),
  ]);
  const table = HEADER.length + object.length;
  const row = (type: number, field: number, last: number) => {
    const entry = Buffer.alloc(7);
    entry.writeUInt8(type, 0);
    entry.writeUInt32BE(field, 1);
    entry.writeUInt16BE(last, 5);
    return entry;
  };
  const rows = Buffer.concat([
    row(0, 0, 65_535),
    ...Array.from({ length: count }, (_, index) => row(2, packed, index)),
    row(1, HEADER.length, 0),
    row(1, table, 0),
  ]);
  const xref = `<</Type/XRef/Size ${packed + 2}/W[1 4 2]/Root 1 0 R/Length ${rows.length}>>`;
  return Buffer.concat([
    HEADER,
    object,
    bytes(`${packed + 1} 0 obj\n${xref}\nstream\n`),
    rows,
    bytes(`\nendstream\nendobj\nstartxref\n${table}\n%%EOF\n`),
  ]);
}

const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
const OWNER = Buffer.alloc(32, 0x6f);
const ID = Buffer.alloc(16, 0x11);

function rc4(key: Buffer, data: Buffer): Buffer {
  const box = Array.from({ length: 256 }, (_, index) => index);
  const swap = (i: number, j: number) => ([box[i], box[j]] = [box[j] as number, box[i] as number]);
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + (box[i] as number) + (key[i % key.length] as number)) & 255;
    swap(i, j);
  }
  let [i, j] = [0, 0];
  return data.map((byte) => {
    i = (i + 1) & 255;
    j = (j + (box[i] as number)) & 255;
    swap(i, j);
    return byte ^ (box[((box[i] as number) + (box[j] as number)) & 255] as number);
  }) as Buffer;
}

/** Encrypted with RC4, 40 bits (ISO 32000-1 §7.6.3): openable by all, or only with a password nobody has. */
export function encryptedPdf(count: number, lock: 'owner' | 'user'): Buffer {
  const permissions = Buffer.from([0xc0, 0xff, 0xff, 0xff]);
  const key = createHash('md5')
    .update(PADDING)
    .update(OWNER)
    .update(permissions)
    .update(ID)
    .digest()
    .subarray(0, 5);
  const user = lock === 'owner' ? rc4(key, PADDING) : Buffer.alloc(32, 0x75);
  const hex = (value: Buffer) => `<${value.toString('hex')}>`;
  const encrypt = `<</Filter/Standard/V 1/R 2/P -64/O${hex(OWNER)}/U${hex(user)}>>`;
  return pdf([...pages(count), encrypt], `/Encrypt ${count + 3} 0 R/ID[${hex(ID)}${hex(ID)}]`);
}

/** A PDF with these lines of text, one page for each list of them. */
export function textPdf(texts: string[][]): Buffer {
  const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>';
  const count = texts.length;
  const contents = texts.map((lines) => {
    const shown = lines.map((line) => `(${line.replace(/[()\\]/g, '\\$&')}) Tj T*`).join('\n');
    const stream = `BT /F1 12 Tf 72 720 Td 14 TL\n${shown}\nET`;
    return `<</Length ${stream.length}>>\nstream\n${stream}\nendstream`;
  });
  const sheets = texts.map(
    (_, index) =>
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 ${3 + 2 * count} 0 R>>>>/Contents ${3 + count + index} 0 R>>`,
  );
  return pdf([CATALOG, `<</Type/Pages/Count ${count}/Kids[${kids(count)}]>>`, ...sheets, ...contents, font]);
}

/** One page of so many blended full-page curves: small to store, slow to draw, quick to count. */
export function slowPdf(curves: number): Buffer {
  const curve = (index: number) =>
    `${index % 600} 0 m ${(index * 7) % 600} 800 ${(index * 13) % 600} 800 ${(index * 3) % 600} 0 c 0 0 l 612 792 l f`;
  const paint = `/G gs 0.5 0.2 0.7 rg\n${Array.from({ length: curves }, (_, index) => curve(index)).join('\n')}`;
  return pdf([
    CATALOG,
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</ExtGState<</G 5 0 R>>>>>>',
    `<</Length ${paint.length}>>\nstream\n${paint}\nendstream`,
    '<</Type/ExtGState/ca 0.3/BM/Luminosity>>',
  ]);
}

/** A PNG by its first bytes, and nothing behind them. */
export const brokenPng = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  Buffer.from('0000000100000001', 'hex'),
]);
