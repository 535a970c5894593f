import type { ByteSource } from '../../store/byte-source.ts';
import { compoundType } from './sniff-compound.ts';
import { textOf, textType } from './sniff-text.ts';
import { zipType } from './sniff-zip.ts';

const UNKNOWN = 'application/octet-stream';
const HEAD_BYTES = 64 * 1024;

/** Readers accept a PDF whose header is anywhere in the first kilobyte (ISO 32000-1 Annex H, note 13). */
const PDF_HEADER_WITHIN = 1024;

const startsWith = (bytes: Uint8Array, ...magic: number[]) =>
  magic.every((byte, index) => bytes[index] === byte);

/**
 * The media type of the bytes, without parameters. Reads the first 64 KiB, and of ZIP and OLE containers their
 * directory. Empty or unrecognized bytes are application/octet-stream. Rejects only when `read` does.
 */
export async function sniffContentType(source: ByteSource, filename: string): Promise<string> {
  if (source.size === 0) return UNKNOWN;
  const head = await source.read(0, Math.min(source.size, HEAD_BYTES) - 1);
  // Text comes before magic numbers: "BMW …" is a sentence and no bitmap.
  const text = textOf(head, head.length < source.size);
  if (text !== null) return textType(text, filename);
  if (startsWith(head, 0x50, 0x4b, 0x03, 0x04) || startsWith(head, 0x50, 0x4b, 0x05, 0x06)) {
    return zipType(source, head);
  }
  // Decided here because the library would inflate the (cut off) content to look for a tar inside.
  if (startsWith(head, 0x1f, 0x8b, 0x08)) return 'application/gzip';
  const type = await binaryType(head);
  return type === 'application/x-cfb' ? compoundType(source, head) : type;
}

async function binaryType(head: Uint8Array): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type');
  // An error of the library for a truncated or hostile head means an unknown format.
  const detected = await fileTypeFromBuffer(head).catch(() => undefined);
  if (detected) return detected.mime.replace(/;.*/, '');
  // Scanners write a TIFF's directory behind its pages, where the library does not find it.
  if (startsWith(head, 0x49, 0x49, 0x2a, 0x00) || startsWith(head, 0x4d, 0x4d, 0x00, 0x2a))
    return 'image/tiff';
  const start = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, PDF_HEADER_WITHIN));
  return start.includes('%PDF-') ? 'application/pdf' : UNKNOWN;
}
