import { deflateSync } from 'node:zlib';

/** How an update differs from a proper one. */
export interface Irregular {
  /** The trailer has these keys more, or instead. */
  trailer?: Record<string, string>;
  /** Changes what is written, after the offsets were taken. */
  rewrite?: (update: string) => string;
  /** Lines of the table instead of those of the objects. */
  table?: (offsets: Map<number, number>) => string;
}

/** The file with an incremental update of these objects, by their numbers, as another program may append it. */
export function appended(
  file: Uint8Array,
  objects: Record<number, string>,
  { trailer = {}, rewrite = (update) => update, table = tableOf }: Irregular = {},
): Uint8Array<ArrayBuffer> {
  const text = Buffer.from(file).toString('latin1');
  const offsets = new Map<number, number>();
  let body = '';
  for (const [number, value] of Object.entries(objects)) {
    offsets.set(Number(number), file.length + body.length);
    body += `${number} 0 obj\n${value}\nendobj\n`;
  }
  const size = Math.max(sizeOf(text), ...Object.keys(objects).map((number) => Number(number) + 1));
  const entries = {
    ...{ Size: String(size), Root: rootOf(text), Prev: /startxref\s+(\d+)\s+%%EOF\s*$/.exec(text)?.[1] },
    ...trailer,
  };
  const dictionary = Object.entries(entries).map(([key, value]) => `/${key} ${value}`);
  const end = `xref\n${table(offsets)}trailer\n<< ${dictionary.join(' ')} >>\nstartxref\n${file.length + body.length}\n%%EOF\n`;
  return Uint8Array.from(Buffer.concat([file, Buffer.from(rewrite(body + end), 'latin1')]));
}

/** The number of the first object that a file does not have. */
export const sizeOf = (text: string): number => Number([...text.matchAll(/\/Size (\d+)/g)].at(-1)?.[1]);

const rootOf = (text: string): string => [...text.matchAll(/\/Root (\d+ 0 R)/g)].at(-1)?.[1] as string;

export const entry = (offset: number): string => `${String(offset).padStart(10, '0')} 00000 n \n`;

const tableOf = (offsets: Map<number, number>): string =>
  [...offsets].map(([number, offset]) => `${number} 1\n${entry(offset)}`).join('');

/** The newest value of an object of a file that is no stream. */
export function valueAt(file: Uint8Array, number: number): string {
  const text = Buffer.from(file).toString('latin1');
  const values = [...text.matchAll(new RegExp(`\\n${number} 0 obj\\s([\\s\\S]*?)\\sendobj`, 'g'))];
  const value = values.at(-1)?.[1];
  if (value === undefined) throw new Error(`the file has no object ${number}`);
  return value;
}

/** The number of the newest object whose value matches. */
export function numberOf(file: Uint8Array, pattern: RegExp): number {
  const text = Buffer.from(file).toString('latin1');
  const matching = [...text.matchAll(/\n(\d+) 0 obj\s([\s\S]*?)\sendobj/g)].filter(({ 2: value }) =>
    pattern.test(value as string),
  );
  const number = matching.at(-1)?.[1];
  if (number === undefined) throw new Error(`the file has no such object: ${pattern}`);
  return Number(number);
}

/** The file with validation data as another program may add it: a compressed stream in a store. */
export function withCompressedStore(file: Uint8Array, blob: Uint8Array): Uint8Array<ArrayBuffer> {
  const catalog = numberOf(file, /\/Type \/Catalog/);
  const next = sizeOf(Buffer.from(file).toString('latin1'));
  const content = deflateSync(blob).toString('latin1');
  return appended(file, {
    [catalog]: valueAt(file, catalog).replace(/>>$/, `/DSS ${next} 0 R >>`),
    [next]: `<< /Certs [ ${next + 1} 0 R ] >>`,
    [next + 1]: `<< /Length ${content.length} /Filter /FlateDecode >>\nstream\n${content}\nendstream`,
  });
}
