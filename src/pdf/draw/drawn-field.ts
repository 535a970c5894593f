/** A value to draw, with its position on the displayed page in percent from the upper left corner. */
export interface DrawnField {
  type: 'SIGNATURE' | 'INITIALS' | 'FULL_NAME' | 'EMAIL' | 'TITLE' | 'DATE' | 'TEXT';
  /** Text; for a signature or initials also a data URL of a PNG or JPEG. */
  value: string;
  pageIndex: number;
  x: number;
  y: number;
  width: number | null;
  height: number | null;
  /** Names the field on a page that continues it; by default its type does. */
  label?: string | null;
  /** Maximum font size in points; 12 by default. */
  fontSize?: number;
}

/** Position of an answer on the PDF of a form. */
export type AnswerPosition = Pick<DrawnField, 'pageIndex' | 'x' | 'y' | 'width' | 'fontSize'>;
