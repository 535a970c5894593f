// Plain JavaScript, as everything that text-task.js loads.

/** The part of a file by which its encoding is detected, in bytes, and what of it lies before the first that is not ASCII. */
const SAMPLE = 64 * 1024;
const BEFORE = 512;

const WESTERN = 'windows-1252';

/** What is used instead of a more probable encoding of one byte, if it is nearly as probable: short texts give little evidence. */
const NEARLY = 0.7;

/** The encodings that TextDecoder reads, as jschardet names them, without those that are recognized otherwise. */
const CANDIDATES =
  'cp932 euc-jp gb18030 big5 big5hkscs euc-kr cp949 koi8-r koi8-u cp866 cp874 iso-8859-2 iso-8859-5 iso-8859-7 iso-8859-15 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258'.split(
    ' ',
  );

/** Names of jschardet that TextDecoder does not know (Encoding Standard §4.2). */
const LABELS = new Map([
  ['cp932', 'shift_jis'],
  ['cp949', 'euc-kr'],
  ['cp874', 'windows-874'],
  ['big5hkscs', 'big5'],
]);

const OF_SEVERAL_BYTES = new Set(['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr']);

/**
 * The encoding, by statistics, of bytes that are neither UTF-8 nor UTF-16, as a label of TextDecoder. The library is loaded only
 * for such a file, since its models take 60 MB.
 * @param {Uint8Array} bytes
 */
export async function legacyEncoding(bytes) {
  const { detectAll } = await import('jschardet');
  const candidates = detectAll(sampleOf(bytes), { detectEncodings: CANDIDATES, minimumThreshold: 0 });
  const labels = candidates.map(({ encoding, confidence }) => ({
    label: labelOf(encoding ?? WESTERN),
    confidence,
  }));
  const [first] = labels;
  const western = labels.find(({ label }) => label === WESTERN);
  if (!first || !western || OF_SEVERAL_BYTES.has(first.label)) return first?.label ?? WESTERN;
  return western.confidence >= first.confidence * NEARLY ? WESTERN : first.label;
}

function labelOf(/** @type {string} */ name) {
  const label = name.toLowerCase();
  return LABELS.get(label) ?? label;
}

function sampleOf(/** @type {Uint8Array} */ bytes) {
  const start = Math.max(bytes.findIndex((byte) => byte >= 0x80) - BEFORE, 0);
  return bytes.subarray(start, start + SAMPLE);
}
