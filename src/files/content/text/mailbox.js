// Plain JavaScript, as everything that text-task.js loads.

/** The line before each message of a mailbox (RFC 4155 appendix A): sender and time. */
const FROM_LINE = /^From \S.{0,200}?\d{1,2}:\d{2}/;

/** What may stand before the headers of a message: blank lines, and the line of a mailbox, also quoted. */
const BEFORE_HEADERS = /^(?:\s*(?:>?From [^\n]{0,300}\n)?)/;

const NEXT = '\nFrom ';
const LONGEST_LINE = 512;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

const textAt = (/** @type {Buffer} */ bytes, /** @type {number} */ at) =>
  bytes.toString('latin1', at, Math.min(at + LONGEST_LINE, bytes.length));

/**
 * The messages of a mailbox, or the one of a file without `From ` lines, each from its first header on.
 * @param {Uint8Array} file
 * @returns {Generator<Uint8Array>}
 */
export function* messagesIn(file) {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length);
  let start = bytes.subarray(0, 3).equals(Buffer.from('\ufeff')) ? 3 : 0;
  for (const end of FROM_LINE.test(textAt(bytes, start).trimStart()) ? endsIn(bytes) : []) {
    yield withoutPrefix(bytes.subarray(start, end));
    start = end + 1;
  }
  yield withoutPrefix(bytes.subarray(start));
}

/** Where the messages of a mailbox end, but for the last. */
function* endsIn(/** @type {Buffer} */ bytes) {
  for (let at = bytes.indexOf(NEXT); at >= 0; at = bytes.indexOf(NEXT, at + 1))
    if (isAfterBlank(bytes, at) && FROM_LINE.test(textAt(bytes, at + 1))) yield at;
}

/** Whether the line that ends here is empty. */
const isAfterBlank = (/** @type {Buffer} */ bytes, /** @type {number} */ end) =>
  bytes[end - 1] === NEWLINE || (bytes[end - 1] === RETURN && bytes[end - 2] === NEWLINE);

function withoutPrefix(/** @type {Buffer} */ message) {
  const prefix = BEFORE_HEADERS.exec(textAt(message, 0))?.[0] ?? '';
  return message.subarray(prefix.length);
}
