/** PDFs that readers understand in different ways: the table at their end names a price of 100, something else one of 900. */

interface Row {
  number: number;
  /** Null for a free object. */
  offset: number | null;
}

const FONT = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>';
const PAGE_SIZE = '/MediaBox[0 0 612 792]/Resources<</Font<</F1 5 0 R>>>>';

export const streamOf = (content: string, entries = ''): string =>
  `<<${entries}/Length ${content.length}>>\nstream\n${content}\nendstream`;

const price = (amount: number): string =>
  streamOf(`BT /F1 14 Tf 72 700 Td (The price is ${amount} EUR) Tj ET`);
const page = (contents: string): string => `<</Type/Page/Parent 2 0 R${PAGE_SIZE}/Contents ${contents}>>`;
const CATALOG = '<</Type/Catalog/Pages 2 0 R>>';
const PAGES = '<</Type/Pages/Kids[3 0 R]/Count 1>>';

/** A file as it is written, with the offsets of its objects and tables. */
class FileWriter {
  #text = '%PDF-1.7\n';
  readonly tables: number[] = [];

  object(number: number, body: string): Row {
    const offset = this.#text.length;
    this.#text += `${number} 0 obj\n${body}\nendobj\n`;
    return { number, offset };
  }

  objects(bodies: Record<number, string>): Row[] {
    return Object.entries(bodies).map(([number, body]) => this.object(Number(number), body));
  }

  /** A table of these rows; `trailer` has more entries. */
  table(rows: Row[], trailer = '', root = 1): this {
    this.tables.push(this.#text.length);
    const sections = [{ number: 0, offset: null }, ...rows]
      .map(({ number, offset }) =>
        offset === null
          ? `${number} 1\n0000000000 65535 f \n`
          : `${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`,
      )
      .join('');
    this.#text += `xref\n${sections}trailer\n<</Size 20/Root ${root} 0 R${trailer}>>\n`;
    return this;
  }

  /** Names the last table, or another one, as the one to read. */
  end(table = this.tables.at(-1)): this {
    return this.add(`startxref\n${table}\n%%EOF\n`);
  }

  add(text: string): this {
    this.#text += text;
    return this;
  }

  get bytes(): Buffer {
    return Buffer.from(this.#text, 'latin1');
  }
}

const BASE = { 1: CATALOG, 2: PAGES, 3: page('4 0 R'), 4: price(100), 5: FONT };

function base(): { file: FileWriter; rows: Row[] } {
  const file = new FileWriter();
  return { file, rows: file.objects(BASE) };
}

/** An object stream (ISO 32000-1 §7.5.7) with one object. */
const objectStream = (number: number, body: string): string => {
  const head = `${number} 0 `;
  return streamOf(head + body, `/Type/ObjStm/N 1/First ${head.length}`);
};

/** A cross-reference stream of one row for an object in a stream. */
const referenceStream = (number: number, stream: number): string =>
  `<</Type/XRef/Size 20/Root 1 0 R/W[1 1 1]/Index[${number} 1]/Filter/ASCIIHexDecode/Length 7>>\nstream\n02${stream
    .toString(16)
    .padStart(2, '0')}00>\nendstream`;

export const AMBIGUOUS: Record<string, () => Buffer> = {
  'an object defined again after the last table': () => {
    const { file, rows } = base();
    file.table(rows).end().object(4, price(900));
    return file.bytes;
  },
  'an update cut off before its table': () => {
    const { file, rows } = base();
    file.table(rows).end().object(4, price(900));
    return file.add('xref\n4 1\n00000').bytes;
  },
  'an update cut off after its table': () => {
    const { file, rows } = base();
    file.table(rows).end();
    return file.table([file.object(4, price(900))], `/Prev ${file.tables[0]}`).bytes;
  },
  'a second root that no startxref names': () => {
    const { file, rows } = base();
    file.table(rows);
    const others = file.objects({
      11: '<</Type/Catalog/Pages 12 0 R>>',
      12: '<</Type/Pages/Kids[13 0 R]/Count 1>>',
      13: page('14 0 R').replace('2 0 R', '12 0 R'),
      14: price(900),
    });
    return file.table([...rows, ...others], '', 11).end(file.tables[0]).bytes;
  },
  'a second page tree that no startxref names': () => {
    const { file, rows } = base();
    file.table(rows);
    const others = file.objects({ 2: PAGES.replace('3 0 R', '13 0 R'), 13: page('14 0 R'), 14: price(900) });
    return file.table([...rows, ...others]).end(file.tables[0]).bytes;
  },
  'a freed object': () => {
    const file = new FileWriter();
    const rows = file.objects({ ...BASE, 3: page('[4 0 R 6 0 R]') });
    file.object(6, price(900));
    return file.table([...rows, { number: 6, offset: null }]).end().bytes;
  },
  'a hybrid table whose stream names another page': () => {
    const { file, rows } = base();
    file.objects({ 6: price(900), 7: objectStream(3, page('6 0 R')) });
    const { offset } = file.object(8, referenceStream(3, 7));
    return file.table(rows, `/XRefStm ${offset}`).end().bytes;
  },
  'an object stream that shadows a plain object': () => {
    const { file, rows } = base();
    const others = file.objects({ 6: price(900), 7: objectStream(3, page('6 0 R')) });
    return file.table([...rows, ...others]).end().bytes;
  },
  'a /Prev that leaves out an update': () => {
    const { file, rows } = base();
    file.table(rows).end();
    file.table([file.object(4, price(900))], `/Prev ${file.tables[0]}`).end();
    return file.table([file.object(6, '(last)')], `/Prev ${file.tables[0]}`).end().bytes;
  },
};
