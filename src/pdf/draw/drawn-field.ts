/** A value to be drawn: where it stands on the page as it is shown, in percent from the upper left corner. */
export interface DrawnField {
  type: 'SIGNATURE' | 'INITIALS' | 'FULL_NAME' | 'EMAIL' | 'TITLE' | 'DATE' | 'TEXT';
  /** Text; for a signature or initials also a data URL of a PNG or JPEG. */
  value: string;
  pageIndex: number;
  x: number;
  y: number;
  width: number | null;
  height: number | null;
  /** The greatest size of its text, in points; 12 where it is not given. */
  fontSize?: number;
}

/** Where an answer stands on the PDF that a form is filled in on. */
export type AnswerPlace = Pick<DrawnField, 'pageIndex' | 'x' | 'y' | 'width' | 'fontSize'>;
