/** A part of a page as displayed, in fractions of its width and height from the upper left corner. */
export interface PageBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** How pages are compared, from page `from` (0) up to `pages`. */
export interface Comparison {
  from: number;
  pages: number;
  /** By page: where the later document may differ. */
  boxes: readonly (readonly PageBox[])[];
  /** Text may have been added outside of the boxes, as where what was an annotation became part of the page. */
  mayAddText: boolean;
}

/** The first page (from 1) that differs: as it is drawn on a screen or in print, in its text, or because it cannot be read. */
export interface Difference {
  page: number;
  what: 'PICTURE' | 'PRINT' | 'TEXT' | 'MISSING';
}
