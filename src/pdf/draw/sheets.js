import { drawable } from '../font/clusters.js';
import { LINE, wrap } from './text.js';

/** @typedef {import('@cantoo/pdf-lib').PDFDocument} PDFDocument */
/** @typedef {import('@cantoo/pdf-lib').Color} Color */
/** @typedef {{ font: import('../font/faces.js').Face, size: number, x?: number, color?: Color }} Look */

/** A4, in points. */
export const [WIDTH, HEIGHT] = [595.28, 841.89];
export const MARGIN = 56;

/**
 * Writes on A4 pages from top to bottom, and adds pages as needed.
 * @param {PDFDocument} pdf
 */
export function sheets(pdf) {
  let page = pdf.addPage([WIDTH, HEIGHT]);
  let y = HEIGHT - MARGIN;

  /** Starts a new page unless `height` points are left on this one. @param {number} height */
  const need = (height) => {
    if (y - height >= MARGIN) return;
    page = pdf.addPage([WIDTH, HEIGHT]);
    y = HEIGHT - MARGIN;
  };

  /** @param {number} height */
  const down = (height) => {
    y -= height;
  };

  /** Writes one line, without moving down. @param {string} text @param {Look} look */
  const put = (text, look) => putLine({ text, direction: 'ltr' }, look);

  /** @param {import('./text.js').Line} line @param {Look} look */
  const putLine = ({ text, direction }, { font, size, x = MARGIN, color }) =>
    font.draw(page, text, { x, y: y - size, size, color, direction });

  /** Writes as many lines as needed. @param {string} text @param {Look & { together?: number }} look `together`: height to keep on one page */
  const write = (text, { together, ...look }) => {
    const height = look.size * LINE;
    for (const line of wrap(drawable(text), look.font, look.size, WIDTH - MARGIN - (look.x ?? MARGIN))) {
      need(together ?? height);
      putLine(line, look);
      down(height);
    }
  };

  /** Draws a figure, without moving down. @param {number} height @param {(page: import('@cantoo/pdf-lib').PDFPage, top: number) => void} draw */
  const figure = (height, draw) => {
    need(height);
    draw(page, y);
  };

  /** @param {Color} color */
  const rule = (color) =>
    page.drawLine({ start: { x: MARGIN, y }, end: { x: WIDTH - MARGIN, y }, thickness: 0.5, color });

  return { need, down, put, write, figure, rule };
}
