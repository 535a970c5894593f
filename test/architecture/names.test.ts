import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const source = fileURLToPath(new URL('../../src', import.meta.url));

/** Words that say nothing of what they name: what was asked, made, known or said, and which place. */
const VAGUE = ['told', 'nobody', 'whatever', 'asked', 'made', 'known', 'said', 'place', 'places'];

/** Declared, a parameter, or a member: by itself in a list, or with a type or a value. */
const NAMED = [
  new RegExp(`\\b(?:const|let|function\\*?|class|type|interface)\\s+(${VAGUE.join('|')})\\b`, 'gi'),
  new RegExp(`(?:^\\s*|[({,]\\s*|\\.\\.\\.|#)(${VAGUE.join('|')})\\b(?=\\s*(?:[,)}=:]|\\?:))`, 'gim'),
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

it.each([
  ['declared', (word: string) => `const ${word} = 1;`],
  ['a parameter', (word: string) => `function end(${word}: string) {}`],
  ['a part of an object', (word: string) => `const { ${word} } = row;`],
  ['a member', (word: string) => `interface Row { ${word}?: boolean }`],
])('finds each of them where it is %s', (_, textOf) => {
  expect(VAGUE.map(textOf).flatMap(namesIn)).toEqual(VAGUE);
});

it('finds none in comments and in texts', () => {
  const texts = VAGUE.map((word) => `const text = '{ ${word}: 1 }'; // const ${word}`);
  expect(texts.flatMap(namesIn)).toEqual([]);
});
