import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A fenced block of code of a document. */
export interface Block {
  file: string;
  line: number;
  language: string;
  /** The rest of the info string: how the block is run, if not as all of its language ("Blocks of code" in CONTRIBUTING.md). */
  handling: string;
  /** What follows `=` in the handling. */
  argument: string;
  text: string;
}

/** README.md, CONTRIBUTING.md, SECURITY.md, and the pages of docs. */
export const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(`${ROOT}docs`, { encoding: 'utf8', recursive: true })
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => `docs/${file}`),
];

/** The text of a file of the repository. */
export const textOf = (file: string): string => readFileSync(`${ROOT}${file}`, 'utf8');

/** The text between two fences. Fences may be indented, as in lists. */
const FENCED = /^ *```(\w*)(?: +([^=\n]+)(?:=(.*))?)?\n([\s\S]*?)^ *```$/gm;

function blocksOf(file: string): Block[] {
  const text = textOf(file);
  return [...text.matchAll(FENCED)].map((match) => {
    const [, language = '', handling = '', argument = '', block = ''] = match;
    const line = text.slice(0, match.index).split('\n').length;
    return { file, line, language, handling, argument, text: block };
  });
}

/** All fenced blocks of all documents, in order. */
export const BLOCKS: readonly Block[] = DOCUMENTS.flatMap(blocksOf);

/** The blocks in a language, each with its position as the title of its test. */
export const blocksIn = (language: string, handling?: string): [string, Block][] =>
  BLOCKS.filter(
    (block) => block.language === language && (handling ?? block.handling) === block.handling,
  ).map((block) => [`${block.file}:${block.line}`, block]);
