import { zipSync } from 'fflate';
import { CATALOG, pdf, textPdf } from '../../files/content/pdf-source.ts';

/** Of a few lines on one page. */
export const smallPdf = (): Buffer => textPdf([['A letter of a few lines.', 'With regards.']]);

export const smallText = (label: string): Buffer => Buffer.from(`A note about ${label}.\n`);

/** Curves over the whole page, each blended with what is below it: 75 bytes a curve. */
export function blendedPdf(curves: number): Buffer {
  const lines = Array.from({ length: curves }, (_, index) => {
    const [a, b] = [index % 612, (index * 7) % 792];
    return `0.${index % 10} 0.5 0.2 rg 0 0 m ${a} 792 612 ${b} 612 792 c 612 0 0 ${b} ${a} 0 c f`;
  });
  const content = `/G gs\n${lines.join('\n')}\n`;
  const state = '<</Type/ExtGState/BM/Luminosity/ca 0.5>>';
  return pdf([
    CATALOG,
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</ExtGState<</G 5 0 R>>>>/Contents 4 0 R>>',
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    state,
  ]);
}

const TYPES = (part: string, type: string) =>
  `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/></Types>`;

const archive = (entries: Record<string, string | Uint8Array>): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(entries).map(([name, text]) => [
        name,
        typeof text === 'string' ? Buffer.from(text) : text,
      ]),
    ),
    { level: 6 },
  );

/** Elements in each other, and then more ends of them than were begun. */
export function nestedDocx(depth: number, ends: number): Uint8Array {
  const text = '<w:document xmlns:w="w"><w:body>';
  return archive({
    '[Content_Types].xml': TYPES('/word/document.xml', 'wordprocessingml.document.main'),
    'word/document.xml': Buffer.concat([
      Buffer.from(text + '<a>'.repeat(depth)),
      Buffer.alloc(4 * ends, '</b>'),
      Buffer.from('</w:body></w:document>'),
    ]),
  });
}

/** A workbook without sheets, and with so many empty strings. */
export const emptyStringsXlsx = (strings: number): Uint8Array =>
  archive({
    '[Content_Types].xml': TYPES('/xl/workbook.xml', 'spreadsheetml.sheet.main'),
    'xl/workbook.xml': '<workbook/>',
    'xl/sharedStrings.xml': Buffer.concat([
      Buffer.from('<sst>'),
      Buffer.alloc(5 * strings, '<si/>'),
      Buffer.from('</sst>'),
    ]),
  });
