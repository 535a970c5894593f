import { extname } from 'node:path';

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
  '.eml': { type: 'message/rfc822', looks: /^[!-9;-~]{1,100}:/ },
};

const BYTE_ORDER_MARKS = [
  { mark: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { mark: [0xfe, 0xff], encoding: 'utf-16be' },
  { mark: [0xff, 0xfe], encoding: 'utf-16le' },
];

const TEXT_CONTROLS = [0x09, 0x0a, 0x0c, 0x0d, 0x1b];

/** The "binary data bytes" of WHATWG MIME Sniffing §3: control characters that no text contains. */
function hasBinaryData(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x20 && !TEXT_CONTROLS.includes(code)) return true;
  }
  return false;
}

function decode(bytes: Uint8Array, encoding: string, cutOff: boolean): string | null {
  try {
    // `stream` accepts an incomplete character at the end of the head.
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: cutOff });
  } catch {
    return null;
  }
}

/**
 * The bytes as text, without their byte order mark, or null for binary data. Bytes that are not UTF-8 but have no
 * binary data are read as Windows-1252, the usual encoding of old exports. `cutOff`: more bytes follow.
 */
export function textOf(bytes: Uint8Array, cutOff: boolean): string | null {
  const marked = BYTE_ORDER_MARKS.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte));
  const text = marked
    ? decode(bytes, marked.encoding, cutOff)
    : (decode(bytes, 'utf-8', cutOff) ?? decode(bytes, 'windows-1252', cutOff));
  return text === null || hasBinaryData(text) ? null : text;
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

/** The media type of a text: by its first characters, else by a supported file extension. */
export function textType(text: string, filename: string): string {
  const start = text.trimStart();
  const opening = OPENINGS.find(([characters]) => start.startsWith(characters));
  if (opening) return opening[1];
  if (start.startsWith('<') && rootElement(start) === 'svg') return 'image/svg+xml';
  const named = BY_EXTENSION[extname(filename).toLowerCase()];
  if (named && (named.looks?.test(start) ?? true)) return named.type;
  return start.startsWith('<?xml') ? 'application/xml' : 'text/plain';
}
