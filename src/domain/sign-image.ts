import { badInput } from './errors.ts';

const DATA_URL = /^data:image\/(?:png|jpe?g);base64,[A-Za-z0-9+/]+={0,2}$/i;

/** Of either side, in pixels: a drawing of a few kilobytes can claim to be of any size. */
const LONGEST_SIDE = 4_000;

/**
 * A drawn signature is to be seen on the sealed page in the end: throws BAD_USER_INPUT for a data URL that holds no
 * PNG or JPEG of a usual size. Text is not looked at.
 */
export function requireDrawable(value: string, at: string): void {
  if (!/^data:/i.test(value)) return;
  const bytes = DATA_URL.test(value) ? Buffer.from(value.slice(value.indexOf(',') + 1), 'base64') : undefined;
  const size = bytes && (pngSize(bytes) ?? jpegSize(bytes));
  if (!size) throw badInput(`${at}: must be a name, or the data URL of a PNG or JPEG image in base64`, at);
  if (Math.min(...size) < 1 || Math.max(...size) > LONGEST_SIDE)
    throw badInput(`${at}: an image has ${LONGEST_SIDE} pixels a side at most`, at);
}

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
