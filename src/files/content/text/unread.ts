import type { ByteSource } from '../../store/byte-source.ts';
import { DRAWABLE_TYPES, SCAN_TYPES } from '../sniff/inspect.ts';
import { isLockedCompound, isOldOffice } from '../sniff/sniff-compound.ts';

/** Why a file of a format without a reader has no text, for its owner. `failed`: it is locked. */
type Unread = { none: true; reason: string } | { failed: string; retries: number };

const OLD_OFFICE =
  'Files of Word, Excel and PowerPoint 97–2003 are not read: save it as .docx, .xlsx, .pptx or PDF.';
const PICTURE = 'Text in pictures is not recognized on this server.';
const OTHER_PICTURE = 'Text in pictures of this format is not recognized: convert it to JPEG or PNG.';
const OTHER = 'Files of this format are not read.';

const RECOGNIZED_TYPES: readonly string[] = [...DRAWABLE_TYPES, ...SCAN_TYPES];

/** What is said about a file whose text is not read. Throws what `read` throws. */
export async function unreadResult(source: ByteSource, contentType: string): Promise<Unread> {
  if (await isLockedCompound(source, contentType))
    return { failed: 'It is locked with a password.', retries: 0 };
  return { none: true, reason: reasonFor(contentType) };
}

function reasonFor(contentType: string): string {
  if (isOldOffice(contentType)) return OLD_OFFICE;
  if (RECOGNIZED_TYPES.includes(contentType)) return PICTURE;
  return contentType.startsWith('image/') ? OTHER_PICTURE : OTHER;
}
