import { withoutHidden } from '../../lib/text/hidden-text.js';

/** In UTF-8: the limit of the file systems of Linux; those of Windows and macOS take as many UTF-16 units. */
const MAX_BYTES = 255;

/** Characters that Windows takes in no name (Win32, "Naming Files"), and the separators of paths of all systems. */
const FORBIDDEN = /[\p{Cc}\p{Zl}\p{Zp}/\\:*?"<>|]+/gu;

/** Devices of Windows, with any extension. Superscript digits count as digits (Win32, "Naming Files"). */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9¹²³])\s*(?:\.|$)/i;

/** A name ends in no dot or blank on Windows. */
const ENDING = /[.\s]+$/u;

/** What programs go by. Longer ones are no extensions. */
const EXTENSION = /\.[^.\s]{1,20}$/u;

const characters = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * The name under which a file can be stored on any system: without hidden characters, separators, devices and a dot at its
 * beginning, and of at most 255 bytes with its extension. `download` if nothing is left.
 */
export function downloadName(filename: string): string {
  const plain = withoutHidden(filename.toWellFormed().replace(FORBIDDEN, '_'));
  const visible = plain.replace(ENDING, '').trimStart().replace(/^\.+/, '_');
  const name = DEVICE.test(visible) ? `_${visible}` : visible;
  return shortened(name) || 'download';
}

function shortened(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name;
  const extension = EXTENSION.exec(name)?.[0] ?? '';
  const stem = name.slice(0, name.length - extension.length);
  return beginning(stem, MAX_BYTES - Buffer.byteLength(extension)).replace(ENDING, '') + extension;
}

/** The characters, as people see them, that fit into `room` bytes. */
function beginning(text: string, room: number): string {
  let [end, used] = [0, 0];
  for (const { segment } of characters.segment(text.slice(0, room))) {
    used += Buffer.byteLength(segment);
    if (used > room) break;
    end += segment.length;
  }
  return text.slice(0, end).toWellFormed();
}
