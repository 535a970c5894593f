import { convertPicture } from '../../files/content/pictures/pictures.ts';
import { badValue } from '../kernel/errors.ts';

const DATA_URL = /^data:image\/(?:png|jpe?g);base64,[A-Za-z0-9+/]+={0,2}$/i;

/** Pixels of a side: the header of a small file can claim any size. */
const MAX_SIDE = 4_000;

/** Pixels of all drawings of a signer together: a small file can take long to decode. */
const MAX_PIXELS = 25 * MAX_SIDE ** 2;

/** Pixels of a side of a stored drawing: enough for a full page at 150 dots per inch. */
const STORED_SIDE = 1_600;

/** The value of a signature field: text or a data URL. at: its path in the input. */
export interface DrawingInput {
  value: string;
  at: string;
}

/**
 * Returns the values to store, in input order. A data URL must be a PNG or JPEG that decodes completely, since it is
 * drawn on the sealed page; a side above 1,600 pixels is scaled down. Text is returned unchanged. Throws
 * BAD_USER_INPUT, and Busy when the organization has too many images in conversion.
 */
export async function normalizeDrawings(
  inputs: readonly DrawingInput[],
  organizationId: string,
): Promise<string[]> {
  const sizes = new Map(
    inputs.flatMap(({ value, at }) => (isDataUrl(value) ? [[value, sizeOf(value, at)]] : [])),
  );
  const pixels = [...sizes.values()].reduce((sum, [width, height]) => sum + width * height, 0);
  if (pixels > MAX_PIXELS) throw badValue('values', 'the drawings have too many pixels together');
  const stored = new Map<string, string>();
  for (const { value, at } of inputs) {
    const size = sizes.get(value);
    if (size && !stored.has(value))
      stored.set(value, await normalizeDrawing(value, at, size, organizationId));
  }
  return inputs.map(({ value }) => stored.get(value) ?? value);
}

export const isDataUrl = (value: string): boolean => /^data:/i.test(value);

const bytesOf = (dataUrl: string): Buffer => Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64');

/** Reads the size from the file header. Throws BAD_USER_INPUT for another type or a size out of range. */
function sizeOf(dataUrl: string, at: string): Size {
  const bytes = DATA_URL.test(dataUrl) ? bytesOf(dataUrl) : undefined;
  const size = bytes && (pngSize(bytes) ?? jpegSize(bytes));
  if (!size) throw invalidDrawing(at);
  if (Math.min(...size) < 1 || Math.max(...size) > MAX_SIDE)
    throw badValue(at, `an image has ${MAX_SIDE} pixels a side at most`);
  return size;
}

async function normalizeDrawing(
  dataUrl: string,
  at: string,
  size: Size,
  organizationId: string,
): Promise<string> {
  const task = { bytes: bytesOf(dataUrl), form: 'drawing', width: STORED_SIDE } as const;
  const drawing = await convertPicture(task, organizationId);
  if (!drawing) throw invalidDrawing(at);
  if (drawing.isBlank) throw badValue(at, 'shows nothing on white paper');
  if (Math.max(...size) <= STORED_SIDE) return dataUrl;
  return `data:image/png;base64,${Buffer.from(drawing.bytes).toString('base64')}`;
}

const invalidDrawing = (at: string) =>
  badValue(at, 'must be a name, or the data URL of a PNG or JPEG image in base64');

type Size = [width: number, height: number];

/** Size from the signature and header chunk: PNG (third edition) §5.2 and §11.2.1. */
const pngSize = (bytes: Buffer): Size | undefined =>
  bytes.length > 33 && bytes.toString('latin1', 0, 16) === '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'
    ? [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
    : undefined;

/** Size from the frame header, which follows other segments (ITU-T T.81 §B.2.2). */
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
