import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/id.ts';
import { Browser, newApp } from '../support/browser.ts';
import { testDatabase } from '../support/database.ts';
import { DOCUMENTS, ROOT, textOf } from './blocks.ts';

interface Link {
  file: string;
  target: string;
}

const withoutCode = (text: string): string => text.replace(/^ *```[\s\S]*?^ *```$/gm, '');

const linksOf = (file: string): Link[] =>
  [...withoutCode(textOf(file)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => ({ file, target }));

/** The anchors of the headings of a document, as GitHub makes them. */
const anchorsOf = (file: string): string[] =>
  [...withoutCode(textOf(file)).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replace(/ /g, '-'),
  );

const LINKS = DOCUMENTS.flatMap(linksOf).filter(({ target }) => !/^(?:https?|mailto):/.test(target));

/** What is wrong with a link within the repository. */
function fault({ file, target }: Link): string | undefined {
  const [path = '', anchor] = target.split('#');
  const linked = path ? normalize(join(dirname(file), path)) : file;
  if (!existsSync(join(ROOT, linked))) return 'there is no such file';
  if (anchor && !anchorsOf(linked).includes(anchor)) return 'there is no such heading';
  return undefined;
}

/** Paths of the server that the text names in code: without placeholders and prefixes. */
const serverPaths = (file: string): string[] =>
  [
    ...textOf(file).matchAll(
      /`(?:GET )?(\/(?:api|docs|graphql|account|console|sign-in|password|oauth|outbox|healthz|readyz)[\w/.{}-]*)`/g,
    ),
  ]
    .map(([, path = '']) => path.replace('{organization}', newId('Organization')).replace(/\{\w+\}/g, 'x'))
    .filter((path) => !path.endsWith('/') && path !== '/api/v1');

describe('the links of README and docs', () => {
  it.each(LINKS.map((link) => [`${link.file}: ${link.target}`, link] as const))('%s resolves', (_, link) => {
    expect(fault(link)).toBeUndefined();
  });
});

describe('the paths of the server that README and docs name', () => {
  const paths = [...new Set(DOCUMENTS.flatMap(serverPaths))].sort();
  let browser: Browser;

  beforeAll(async () => {
    browser = new Browser(await newApp(await testDatabase()));
  });

  it.each(paths)('%s is served', async (path) => {
    const { status, text } = await browser.open(path);
    expect([path, status === 404 && /no such page|nothing at this address/.test(text)]).toEqual([
      path,
      false,
    ]);
  });
});
