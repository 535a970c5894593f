import { CATALOG, pdf } from './pdf-source.ts';

const HELVETICA = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>';

const stream = (dictionary: string, content: string) =>
  `<<${dictionary}/Length ${content.length}>>\nstream\n${content}\nendstream`;

/** The object of the first annotation, behind the catalog, the pages, one page, what is written on it, and a font. */
export const FIRST_ANNOTATION = 6;

/**
 * A page with some printed lines and these annotations, whose dictionaries are without the brackets. Each may have an
 * appearance: lines of text, in a box of 200 by 20 points.
 */
export function annotatedPdf(
  annotations: readonly Annotation[],
  { printed = ['Printed'], needAppearances = false }: { printed?: string[]; needAppearances?: boolean } = {},
): Buffer {
  const appearances: string[] = [];
  const bodies = annotations.map(({ entries, shown, packed }, index) => {
    const bottom = 700 - 30 * index;
    const rectangle = entries.includes('/Rect') ? '' : `/Rect[72 ${bottom} 272 ${bottom + 20}]`;
    const dictionary = `/Type/Annot${rectangle}${entries}`;
    if (shown === undefined && !packed) return `<<${dictionary}>>`;
    const number =
      FIRST_ANNOTATION + annotations.length + appearances.push(appearanceOf(shown ?? '', packed)) - 1;
    const normal = entries.includes('/AS/')
      ? `<</${entries.split('/AS/')[1]} ${number} 0 R>>`
      : `${number} 0 R`;
    return `<<${dictionary}/AP<</N ${normal}>>>>`;
  });
  const numbers = bodies.map((_, index) => FIRST_ANNOTATION + index);
  const references = numbers.map((number) => `${number} 0 R`).join(' ');
  const fields = numbers.filter((_, index) => annotations[index]?.entries.includes('/T('));
  const form = `/AcroForm<</Fields[${fields.map((number) => `${number} 0 R`).join(' ')}]/DA(/F1 12 Tf 0 g)
    /DR<</Font<</F1 5 0 R>>>>${needAppearances ? '/NeedAppearances true' : ''}>>`;
  const text = printed.map((line) => `(${line}) Tj T*`).join(' ');
  return pdf([
    CATALOG.replace('>>', `${fields.length > 0 ? form : ''}>>`),
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R/Annots[${references}]>>`,
    stream('', `BT /F1 12 Tf 72 740 Td 14 TL ${text} ET`),
    HELVETICA,
    ...bodies,
    ...appearances,
  ]);
}

export interface Annotation {
  entries: string;
  /** The text of its appearance; none without it. */
  shown?: string | undefined;
  /** The deflated contents of its appearance, instead. */
  packed?: Buffer;
}

const appearanceOf = (shown: string, packed?: Buffer) =>
  stream(
    `/Type/XObject/Subtype/Form/BBox[0 0 200 20]/Resources<</Font<</F1 5 0 R>>>>${packed ? '/Filter/FlateDecode' : ''}`,
    packed?.toString('latin1') ?? `BT /F1 10 Tf 2 6 Td (${shown}) Tj ET`,
  );
