import { convertPicture } from '../../files/content/pictures/pictures.ts';
import { badInput } from '../kernel/errors.ts';

const DATA_URL = /^data:image\/(?:png|jpe?g);base64,[A-Za-z0-9+/]+={0,2}$/i;

/** Of either side, in pixels: a drawing of a few kilobytes can claim to be of any size. */
const LONGEST_SIDE = 4_000;

/** Of all drawings of a signer together: a small file can take long to decode. */
const MOST_PIXELS = 25 * LONGEST_SIDE ** 2;

/** Of either side of a drawing as it is kept: enough for a whole page at 150 dots per inch. */
const KEPT_SIDE = 1_600;

/** What a signer gave for a field of theirs, and where that stands in the input. */
export interface DrawingInput {
  value: string;
  at: string;
}

/**
 * The values as they are kept, in their order: a drawing must decode to its end, as it is to be drawn on the sealed
 * page, and is scaled down where it is larger than any page needs. Text stays as it is. Throws BAD_USER_INPUT for what
 * is no PNG or JPEG of a usual size, and Busy.
 */
export async function normalizeDrawings(
  given: readonly DrawingInput[],
  organizationId: string,
): Promise<string[]> {
  const sizes = new Map(
    given.flatMap(({ value, at }) => (isDataUrl(value) ? [[value, sizeOf(value, at)]] : [])),
  );
  const pixels = [...sizes.values()].reduce((sum, [width, height]) => sum + width * height, 0);
  if (pixels > MOST_PIXELS) throw badInput('values: the drawings have too many pixels together', 'values');
  const kept = new Map<string, string>();
  for (const { value, at } of given) {
    const size = sizes.get(value);
    if (size && !kept.has(value)) kept.set(value, await keptDrawing(value, at, size, organizationId));
  }
  return given.map(({ value }) => kept.get(value) ?? value);
}

const isDataUrl = (value: string): boolean => /^data:/i.test(value);

const bytesOf = (dataUrl: string): Buffer => Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64');

/** As the header says. */
function sizeOf(dataUrl: string, at: string): Size {
  const bytes = DATA_URL.test(dataUrl) ? bytesOf(dataUrl) : undefined;
  const size = bytes && (pngSize(bytes) ?? jpegSize(bytes));
  if (!size) throw noDrawing(at);
  if (Math.min(...size) < 1 || Math.max(...size) > LONGEST_SIDE)
    throw badInput(`${at}: an image has ${LONGEST_SIDE} pixels a side at most`, at);
  return size;
}

async function keptDrawing(dataUrl: string, at: string, size: Size, organizationId: string): Promise<string> {
  const task = { bytes: bytesOf(dataUrl), form: 'drawing', width: KEPT_SIDE } as const;
  const drawing = await convertPicture(task, organizationId);
  if (!drawing) throw noDrawing(at);
  if (Math.max(...size) <= KEPT_SIDE) return dataUrl;
  return `data:image/png;base64,${Buffer.from(drawing.bytes).toString('base64')}`;
}

const noDrawing = (at: string) =>
  badInput(`${at}: must be a name, or the data URL of a PNG or JPEG image in base64`, at);

type Size = [width: number, height: number];

/** Signature and header chunk: PNG (third edition) §5.2 and §11.2.1. */
const pngSize = (bytes: Buffer): Size | undefined =>
  bytes.length > 33 && bytes.toString('latin1', 0, 16) === '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'
    ? [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
    : undefined;

/** The frame header, which comes behind other segments (ITU-T T.81 §B.2.2). */
function jpegSize(bytes: Buffer): Size | undefined {
  if (bytes.toString('latin1', 0, 3) !== '\xff\xd8\xff') return undefined;
  for (let at = 2; at + 9 < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt16BE(at);
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
    if (isFrame) return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
    if (marker < 0xff01) return undefined;
  }
  return undefined;
}
