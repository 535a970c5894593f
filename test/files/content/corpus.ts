import { zipSync } from 'fflate';
import { expect } from 'vitest';
import { wordsOf } from '../../../src/domain/search/search-words.ts';
import { inspectBytes } from '../../../src/files/content/sniff/inspect.ts';
import { readText } from '../../../src/files/content/text/text.ts';
import { sourceOf } from './bytes.ts';

/** What a file has to be found by, and by what not: words, or phrases. */
export interface Expected {
  found?: readonly string[];
  not?: readonly string[];
}

/** The pages of a file, read as the type for which its bytes and its name are taken. */
export async function pagesOf(content: Uint8Array | string, filename: string): Promise<string[]> {
  const source = sourceOf(Buffer.from(content));
  const { contentType } = await inspectBytes({ ...source, filename });
  const result = await readText(source, contentType);
  if (!('text' in result)) throw new Error(`${contentType}: ${JSON.stringify(result)}`);
  return result.text.pages;
}

/** The words of a text between blanks, so that a phrase is a part of it. */
const spaced = (text: string) => ` ${wordsOf(text).join(' ')} `;

/** Reads a file as an upload is read, and looks for the phrases as a search does. */
export async function expectFound(
  content: Uint8Array | string,
  filename: string,
  { found = [], not = [] }: Expected,
): Promise<void> {
  const text = spaced((await pagesOf(content, filename)).join('\n'));
  for (const phrase of found) expect(text).toContain(spaced(phrase));
  for (const phrase of not) expect(text).not.toContain(spaced(phrase));
}

/** A package of these parts. */
export const packageOf = (parts: Record<string, string | Uint8Array>): Buffer =>
  Buffer.from(
    zipSync(
      Object.fromEntries(
        Object.entries(parts).map(([name, content]) => [name, new Uint8Array(Buffer.from(content))]),
      ),
    ),
  );

/** Relations of a part: target and type by id. */
export const relations = (
  targets: Record<string, readonly [target: string, type: string]>,
  space = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${Object.entries(
    targets,
  )
    .map(([id, [target, type]]) => `<Relationship Id="${id}" Type="${space}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

/** Where a package begins: its content types, and the relation to its main part. */
export const packageRoot = (format: string, main: string): Record<string, string> => ({
  '[Content_Types].xml': `<Types><Override PartName="/${main}" ContentType="application/vnd.openxmlformats-officedocument.${format}.main+xml"/></Types>`,
  '_rels/.rels': relations({ r1: [main, 'officeDocument'] }),
});
