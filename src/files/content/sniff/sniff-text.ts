import { extname } from 'node:path';
import { decoded } from '../encoding/decode.js';
import { textKind } from '../encoding/text-kind.js';
import { mailType } from './sniff-mail.ts';

/** Text formats that are recognized by their first characters. */
const OPENINGS = [
  ['%PDF-', 'application/pdf'],
  ['{\\rtf', 'application/rtf'],
  ['%!PS', 'application/postscript'],
  ['BEGIN:VCARD', 'text/vcard'],
  ['BEGIN:VCALENDAR', 'text/calendar'],
  ['WEBVTT', 'text/vtt'],
] as const;

/** Types by file extension, with the pattern (`looks`) that the text must match, if any. */
const BY_EXTENSION: Record<string, { type: string; looks?: RegExp }> = {
  '.md': { type: 'text/markdown' },
  '.markdown': { type: 'text/markdown' },
  '.csv': { type: 'text/csv' },
  '.tsv': { type: 'text/tab-separated-values' },
  '.css': { type: 'text/css' },
  '.js': { type: 'text/javascript' },
  '.yaml': { type: 'application/yaml' },
  '.yml': { type: 'application/yaml' },
  '.json': { type: 'application/json', looks: /^[[{]/ },
  '.html': { type: 'text/html' },
  '.htm': { type: 'text/html' },
  '.xml': { type: 'application/xml', looks: /^</ },
};

/**
 * The bytes as text, without their byte order mark, or null for binary data. A legacy encoding is read as Windows-1252, which
 * suffices to recognize formats. `cutOff`: more bytes follow.
 */
export function textOf(bytes: Uint8Array, cutOff: boolean): string | null {
  const kind = textKind(bytes, cutOff);
  return kind && [...decoded(bytes, kind === 'legacy' ? 'windows-1252' : kind)].join('');
}

/** The position after `end`, or the length of the text when `end` is missing. */
function positionAfter(text: string, end: string, from: number): number {
  const position = text.indexOf(end, from);
  return position < 0 ? text.length : position + end.length;
}

/** Past the document type declaration at `at`, whose internal subset (XML 1.0 §2.8) may itself contain `>`. */
function afterDoctype(text: string, at: number): number {
  const close = positionAfter(text, '>', at);
  const subset = text.indexOf('[', at);
  return subset < 0 || subset > close ? close : positionAfter(text, '>', positionAfter(text, ']', subset));
}

/** The root element of markup, without prefix, or null: what follows prolog, comments and declarations. */
function rootElement(text: string): string | null {
  let at = 0;
  for (;;) {
    while (at < text.length && text.charCodeAt(at) <= 0x20) at++;
    if (text.startsWith('<?', at)) at = positionAfter(text, '?>', at);
    else if (text.startsWith('<!--', at)) at = positionAfter(text, '-->', at);
    else if (text.startsWith('<!', at)) at = afterDoctype(text, at);
    else break;
  }
  return /^<(?:[\w.-]{1,50}:)?([\w.-]{1,50})[\s/>]/.exec(text.slice(at, at + 110))?.[1] ?? null;
}

/** The type that a flat OpenDocument file gives itself (OpenDocument 1.3 part 3 §3.1.2). */
const FLAT =
  /\soffice:mimetype\s*=\s*["']application\/vnd\.oasis\.opendocument\.(text|spreadsheet|presentation|graphics)(?:-template)?["']/;

function markupType(text: string): string | undefined {
  const root = rootElement(text);
  if (root === 'svg') return 'image/svg+xml';
  const flat = root === 'document' ? FLAT.exec(text)?.[1] : undefined;
  return flat && `application/vnd.oasis.opendocument.${flat}-flat-xml`;
}

/** The media type of a text: by its first characters, else by a supported file extension. */
export function textType(text: string, filename: string): string {
  const start = text.trimStart();
  const opening = OPENINGS.find(([characters]) => start.startsWith(characters));
  if (opening) return opening[1];
  const markup = start.startsWith('<') ? markupType(start) : undefined;
  if (markup) return markup;
  const extension = extname(filename).toLowerCase();
  const named = BY_EXTENSION[extension];
  if (named && (named.looks?.test(start) ?? true)) return named.type;
  return mailType(start, extension) ?? (start.startsWith('<?xml') ? 'application/xml' : 'text/plain');
}
