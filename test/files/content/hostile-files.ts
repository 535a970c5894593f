import { deflateRawSync } from 'node:zlib';
import { pdf } from './pdf-source.ts';

const zeros = (length: number) => Buffer.alloc(length);

/** What a directory says of an entry, where it lies. */
export interface FalseEntry {
  size?: number;
  offset?: number;
}

/** A ZIP archive of these entries, deflated; `lies` is what its directory says instead, by name. */
export function deflated(
  entries: Record<string, string | Buffer>,
  lies: Record<string, FalseEntry> = {},
): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(entries)) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes, { level: 1 });
    const fields = zeros(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(bytes.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed]);
    const listed = Buffer.from(fields);
    listed.writeUInt32LE(lies[name]?.size ?? bytes.length, 18);
    const locator = zeros(14);
    locator.writeUInt32LE(lies[name]?.offset ?? offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), listed, locator, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  return archiveOf(locals, directory, directory.length);
}

/** An archive of these parts, of which the end record says that there are so many entries. */
export function archiveOf(locals: Buffer[], directory: Buffer[], count: number): Buffer {
  const start = locals.reduce((sum, { length }) => sum + length, 0);
  const listed = Buffer.concat(directory);
  const end = zeros(18);
  end.writeUInt16LE(Math.min(count, 0xff_ff), 4);
  end.writeUInt16LE(Math.min(count, 0xff_ff), 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(start, 12);
  return Buffer.concat([...locals, listed, Buffer.from('PK\x05\x06'), end]);
}

/** The same archive with a ZIP64 end record, which says how many entries there are. */
export function zip64(archive: Buffer, count: number | undefined = undefined): Buffer {
  const end = archive.length - 22;
  const record = zeros(56);
  record.write('PK\x06\x06', 'latin1');
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(BigInt(count ?? archive.readUInt16LE(end + 10)), 32);
  record.writeBigUInt64LE(BigInt(archive.readUInt32LE(end + 16)), 48);
  const locator = zeros(20);
  locator.write('PK\x06\x07', 'latin1');
  locator.writeBigUInt64LE(BigInt(end), 8);
  const last = Buffer.from(archive.subarray(end));
  last.fill(0xff, 8, 20);
  return Buffer.concat([archive.subarray(0, end), record, locator, last]);
}

const repeated = (before: string, part: string, count: number, after: string) =>
  Buffer.concat([Buffer.from(before), Buffer.alloc(part.length * count, part), Buffer.from(after)]);

const typesOf = (format: string) =>
  `<Types><Override ContentType="application/vnd.openxmlformats-officedocument.${format}.main+xml"/></Types>`;

const relationTo = (target: string) =>
  `<Relationships><Relationship Id="r" Type="x/worksheet" Target="${target}"/></Relationships>`;

/** A workbook of shared strings, each of them this. */
export const workbookOfStrings = (string: string, count: number): Buffer =>
  deflated({
    '[Content_Types].xml': typesOf('spreadsheetml.sheet'),
    'xl/workbook.xml': '<workbook/>',
    'xl/sharedStrings.xml': repeated('<sst>', string, count, '</sst>'),
  });

/** A workbook of one sheet, whose rows are these. */
export const workbookOfCells = (cell: string, count: number): Buffer =>
  deflated({
    'xl/workbook.xml': '<workbook><sheet name="S" r:id="r"/></workbook>',
    'xl/_rels/workbook.xml.rels': relationTo('s.xml'),
    'xl/s.xml': repeated('<worksheet><row>', cell, count, '</row></worksheet>'),
  });

/** A workbook that names one tiny sheet so many times. */
export const workbookOfReferences = (count: number): Buffer =>
  deflated({
    'xl/workbook.xml': repeated('<workbook>', '<sheet name="S" r:id="r"/>', count, '</workbook>'),
    'xl/_rels/workbook.xml.rels': relationTo('s.xml'),
    'xl/s.xml': '<worksheet><row><c><v>4711</v></c></row></worksheet>',
  });

/** Slides of which each has so many relations to one page of notes. */
export const slidesOfNotes = (count: number): Buffer => {
  const relation = (index: number) => `<Relationship Id="n${index}" Type="x/notesSlide" Target="notes.xml"/>`;
  return deflated({
    'ppt/presentation.xml': '<p><sldId r:id="r"/></p>',
    'ppt/_rels/presentation.xml.rels': relationTo('slide.xml'),
    'ppt/slide.xml': '<sld><t>slide</t></sld>',
    'ppt/_rels/slide.xml.rels': `<Relationships>${Array.from({ length: count }, (_, index) => relation(index)).join('')}</Relationships>`,
    'ppt/notes.xml': '<notes><t>note</t></notes>',
  });
};

export const wordOf = (before: string, part: string, count: number, after = ''): Buffer =>
  deflated({
    '[Content_Types].xml': typesOf('wordprocessingml.document'),
    'word/document.xml': repeated(before, part, count, after),
  });

/** Elements so deep, and then so many close tags that close nothing. */
export const strayCloses = (depth: number, count: number): Buffer =>
  wordOf('<a>'.repeat(depth), '</b>', count);

export const repeatedXml = repeated;

/** An OpenDocument spreadsheet with this content of its body. */
export const openSheets = (body: Buffer | string): Buffer =>
  deflated({
    'content.xml': Buffer.concat([Buffer.from('<d><body>'), Buffer.from(body), Buffer.from('</body></d>')]),
  });

/** A mail of so many parts, side by side or each in the one before. */
export function mailOfParts(count: number, shape: 'flat' | 'nested'): Buffer {
  if (shape === 'flat')
    return Buffer.from(
      `Subject: parts\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\nContent-Type: application/x\r\nContent-Disposition: attachment; filename=a\r\n\r\nx\r\n'.repeat(count)}--b--\r\n`,
    );
  const head = (index: number) => `Content-Type: multipart/mixed; boundary=b${index}\r\n\r\n--b${index}\r\n`;
  return Buffer.from(
    `Subject: parts\r\n${Array.from({ length: count }, (_, index) => head(index)).join('')}\r\nx`,
  );
}

/** A PDF whose pages are one and the same page. */
export function samePagePdf(count: number): Buffer {
  const stream = 'BT /F1 12 Tf 72 720 Td (zephyr) Tj ET';
  return pdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${count}/Kids[${'3 0 R '.repeat(count)}]>>`,
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>',
    `<</Length ${stream.length}>>\nstream\n${stream}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]);
}

/** A workbook of so many sheets, each with notes of so many characters. */
export function workbookOfNotes(sheets: number, length: number): Buffer {
  const indexes = Array.from({ length: sheets }, (_, index) => index);
  const relation = (index: number, type: string, target: string) =>
    `<Relationship Id="r${index}" Type="x/${type}" Target="${target}"/>`;
  return deflated({
    'xl/workbook.xml': `<workbook>${indexes.map((index) => `<sheet name="S" r:id="r${index}"/>`).join('')}</workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${indexes.map((index) => relation(index, 'worksheet', `s${index}.xml`)).join('')}</Relationships>`,
    ...Object.fromEntries(
      indexes.flatMap((index) => [
        [`xl/s${index}.xml`, '<worksheet/>'],
        [`xl/_rels/s${index}.xml.rels`, `<r>${relation(0, 'comments', `n${index}.xml`)}</r>`],
        [`xl/n${index}.xml`, repeated('<comments><t>', 'note ', length / 5, '</t></comments>')],
      ]),
    ),
  });
}

/** A workbook of cells with formats of this length each. */
export function workbookOfFormats(count: number, format: string): Buffer {
  const formats = Array.from(
    { length: count },
    (_, index) => `<numFmt numFmtId="${200 + index}" formatCode="${format}${index}"/>`,
  );
  const styles = Array.from({ length: count }, (_, index) => `<xf numFmtId="${200 + index}"/>`);
  const cells = Array.from({ length: count }, (_, index) => `<c s="${index}"><v>4711</v></c>`);
  return deflated({
    'xl/workbook.xml': '<workbook><sheet name="S" r:id="r"/></workbook>',
    'xl/_rels/workbook.xml.rels': relationTo('s.xml'),
    'xl/styles.xml': `<styleSheet><numFmts>${formats.join('')}</numFmts><cellXfs>${styles.join('')}</cellXfs></styleSheet>`,
    'xl/s.xml': `<worksheet><row>${cells.join('')}</row></worksheet>`,
  });
}

/** A chain of charts, each of which refers to the next and to the first. */
export function chainOfCharts(length: number): Buffer {
  const chart = (index: number) => [
    [`word/c${index}.xml`, `<c:chartSpace><a:t>chart${index}</a:t><a:p/></c:chartSpace>`],
    [
      `word/_rels/c${index}.xml.rels`,
      `<r><Relationship Id="a" Type="x/chart" Target="c${index + 1}.xml"/><Relationship Id="b" Type="x/chart" Target="c0.xml"/></r>`,
    ],
  ];
  return deflated({
    'word/document.xml': '<w:document/>',
    'word/_rels/document.xml.rels': '<r><Relationship Id="a" Type="x/chart" Target="c0.xml"/></r>',
    ...Object.fromEntries(Array.from({ length }, (_, index) => chart(index)).flat()),
  });
}
