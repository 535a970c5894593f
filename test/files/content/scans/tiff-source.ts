import sharp from 'sharp';

/** TIFF 6.0 §§10, 11 and ITU-T T.4: Huffman codes of runs of white and of black, for lengths that are multiples of 4. */
const CODES = {
  white:
    '00110101 1011 10011 001000 101010 0001000 0101000 0011000 00011011 00010101 00101001 00101101 00001011 01010101 01011001 01001011',
  black:
    '0000110111 011 000101 0000111 0000010111 00001101000 00000010111 000011001100 000001101010 000011010100 000001101100 000001010100 000001100100 000000100100 000000101000 000000101100',
};
const SIXTY_FOUR = { white: '11011', black: '0000001111' };
const END_OF_LINE = '000000000001';
const HORIZONTAL = '001';

export type Fax = 'G3' | 'G4' | 'RLE';
const COMPRESSION: Record<Fax, number> = { RLE: 2, G3: 3, G4: 4 };

/** A TIFF of such pages, as fax software and scanners write it: one bit a pixel, all directories behind the data. */
export async function faxTiff(kind: Fax, pages: readonly Buffer[], { flat = false } = {}): Promise<Buffer> {
  const parts: Buffer[] = [Buffer.from('49492a0000000000', 'hex')];
  let length = 8;
  let link = 4;
  const links: [at: number, to: number][] = [];
  const add = (part: Buffer) => {
    const at = length;
    const padded = part.length % 2 === 0 ? part : Buffer.concat([part, Buffer.alloc(1)]);
    parts.push(padded);
    length += padded.length;
    return at;
  };
  for (const page of pages) {
    const { data, width, height } = await encoded(kind, page, flat ? 2 : 4);
    const strip = add(data);
    const across = add(Buffer.from(Uint32Array.of(600, 1).buffer));
    const down = add(Buffer.from(Uint32Array.of(flat ? 300 : 600, 1).buffer));
    const directory = directoryOf([
      [256, 4, width],
      [257, 4, height],
      [258, 3, 1],
      [259, 3, COMPRESSION[kind]],
      [262, 3, 0],
      [273, 4, strip],
      [277, 3, 1],
      [278, 4, height],
      [279, 4, data.length],
      [282, 5, across],
      [283, 5, down],
      [296, 3, 2],
    ]);
    links.push([link, add(directory)]);
    link = length - 4;
  }
  const bytes = Buffer.concat(parts);
  for (const [at, to] of links) bytes.writeUInt32LE(to, at);
  return bytes;
}

function directoryOf(entries: [tag: number, type: number, value: number][]): Buffer {
  const directory = Buffer.alloc(2 + 12 * entries.length + 4);
  directory.writeUInt16LE(entries.length, 0);
  for (const [index, [tag, type, value]] of entries.entries()) {
    const at = 2 + 12 * index;
    directory.writeUInt16LE(tag, at);
    directory.writeUInt16LE(type, at + 2);
    directory.writeUInt32LE(1, at + 4);
    directory.writeUInt32LE(value, at + 8);
  }
  return directory;
}

/** Four pixels across for each of the picture, and `rows` of them. */
async function encoded(kind: Fax, picture: Buffer, rows: number) {
  const { data, info } = await sharp(picture)
    .greyscale()
    .threshold(160)
    .raw()
    .toBuffer({ resolveWithObject: true });
  let bits = '';
  for (let row = 0; row < info.height; row++) {
    const line = lineOf(kind, data.subarray(row * info.width, (row + 1) * info.width));
    for (let copy = 0; copy < rows; copy++) bits += line;
  }
  if (kind === 'G4') bits += END_OF_LINE + END_OF_LINE;
  const bytes = Buffer.from(
    (bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)),
  );
  return { data: bytes, width: 4 * info.width, height: rows * info.height };
}

function lineOf(kind: Fax, line: Buffer): string {
  const runs = runsOf(line);
  if (kind === 'G4' && runs.length % 2 === 1) runs.push(0);
  const codes = runs.map((run, index) => codeOf(run, index % 2 === 0 ? 'white' : 'black'));
  if (kind === 'G4') return codes.map((code, index) => (index % 2 === 0 ? HORIZONTAL + code : code)).join('');
  if (kind === 'G3') return END_OF_LINE + codes.join('');
  const bits = codes.join('');
  return bits.padEnd(Math.ceil(bits.length / 8) * 8, '0');
}

/** Lengths of runs, white first. */
function runsOf(line: Buffer): number[] {
  const runs = [0];
  let isWhite = true;
  for (const pixel of line) {
    if (pixel > 127 !== isWhite) {
      isWhite = !isWhite;
      runs.push(0);
    }
    runs[runs.length - 1] = (runs.at(-1) as number) + 4;
  }
  return runs;
}

const codeOf = (run: number, colour: 'white' | 'black'): string =>
  SIXTY_FOUR[colour].repeat(Math.floor(run / 64)) + (CODES[colour].split(' ')[(run % 64) / 4] as string);
