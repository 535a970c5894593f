import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const source = fileURLToPath(new URL('../../src', import.meta.url));

/** Words that say nothing of what they name: what was asked, made, known or said, and which place. */
const VAGUE = ['told', 'nobody', 'whatever', 'asked', 'made', 'known', 'said', 'place', 'places'].join('|');

/** Declared, a parameter, or a member: by itself in a list, or with a type or a value. */
const NAMED = [
  new RegExp(`\\b(?:const|let|function\\*?|class|type|interface)\\s+(${VAGUE})\\b`, 'gi'),
  new RegExp(`(?:^\\s*|[({,]\\s*|\\.\\.\\.|#)(${VAGUE})\\b(?=\\s*(?:[,)}=:]|\\?:))`, 'gim'),
];

/** Comments and texts in one line; a text of several lines has no declarations. */
const withoutTexts = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`$\n]*`/g, "''");

const namesIn = (text: string): string[] =>
  NAMED.flatMap((pattern) => [...withoutTexts(text).matchAll(pattern)].map(([, name]) => name as string));

it('no name is one of the words that say nothing', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) => ['.ts', '.tsx', '.js'].includes(extname(file)) && !file.startsWith('generated'),
  );
  const named = files.flatMap((file) =>
    namesIn(readFileSync(join(source, file), 'utf8')).map((name) => `${file}: ${name}`),
  );
  expect(named).toEqual([]);
});

it('finds them where they are declared, and not in texts', () => {
  const text = [
    'const told = 1;',
    'function end(made: Made, { place }) {}',
    "const text = 'made: of wood'; // nobody: here",
    'interface A { known?: boolean }',
  ].join('\n');
  expect(namesIn(text)).toEqual(['told', 'made', 'place', 'known']);
});
