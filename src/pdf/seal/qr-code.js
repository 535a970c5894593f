import { rgb } from '@cantoo/pdf-lib';
import { encode } from 'uqr';

/**
 * Draws a QR code (ISO/IEC 18004) with the upper left corner at `x` and `top`, as one path. Around it must be four modules of
 * white, which pages have. `size`: points.
 * @param {import('@cantoo/pdf-lib').PDFPage} page @param {string} text @param {{ x: number, top: number, size: number }} place
 */
export function drawQrCode(page, text, { x, top, size }) {
  const { data, size: modules } = encode(text, { ecc: 'M', border: 0 });
  const path = data.flatMap((row, line) => runs(row).map(([start, end]) => bar(start, end, line))).join('');
  page.drawSvgPath(path, { x, y: top, scale: size / modules, color: rgb(0, 0, 0) });
}

/** The dark modules of a line: where each run begins, and where it has ended. @param {boolean[]} row */
function runs(row) {
  /** @type {[number, number][]} */
  const dark = [];
  for (const [at, isDark] of row.entries()) {
    const last = dark.at(-1);
    if (isDark && last?.[1] === at) last[1] = at + 1;
    else if (isDark) dark.push([at, at + 1]);
  }
  return dark;
}

/** @param {number} start @param {number} end @param {number} line */
const bar = (start, end, line) => `M${start} ${line}H${end}V${line + 1}H${start}Z`;
