// Plain JavaScript, as everything that scan-task.js loads.

// TIFF 6.0 §8: the resolutions, each a fraction of two whole numbers of 32 bits.
const X_RESOLUTION = 282;
const Y_RESOLUTION = 283;

/** Faxes have pixels up to 4 times as high as wide; anything beyond is an error of the file. */
const MOST = 5;

/**
 * How many times higher than wide a pixel of a page (from 0) is: about 2 in a fax of standard resolution. 1 where the file
 * does not say so, and in BigTIFF. The library that decodes the page tells only one of the two resolutions.
 * @param {Uint8Array} bytes
 * @param {number} page
 */
export function tiffShape(bytes, page) {
  try {
    const [across, down] = resolutions(bytes, page);
    const shape = across / down;
    return shape > 1 / MOST && shape < MOST ? shape : 1;
  } catch {
    return 1; // RangeError: the directory is not within the file.
  }
}

/** @param {Uint8Array} bytes @param {number} page @returns {[across: number, down: number]} */
function resolutions(bytes, page) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const isLittle = bytes[0] === 0x49;
  const short = (/** @type {number} */ at) => view.getUint16(at, isLittle);
  const long = (/** @type {number} */ at) => view.getUint32(at, isLittle);
  if (short(2) !== 42) return [1, 1];
  let directory = long(4);
  for (let index = 0; index < page; index++) directory = long(directory + 2 + 12 * short(directory));
  /** @type {Map<number, number>} */
  const fractions = new Map();
  for (let entry = 0; entry < short(directory); entry++) {
    const at = directory + 2 + 12 * entry;
    const tag = short(at);
    if (tag === X_RESOLUTION || tag === Y_RESOLUTION)
      fractions.set(tag, long(long(at + 8)) / long(long(at + 8) + 4));
  }
  return [fractions.get(X_RESOLUTION) ?? 1, fractions.get(Y_RESOLUTION) ?? 1];
}
