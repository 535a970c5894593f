import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { OAUTH_ERROR_CODES } from '../../src/oauth/errors.ts';
import { textOf } from './blocks.ts';

/** Those of RFC 6750 §3.1, of access tokens. */
const BEARER_CODES = ['invalid_token', 'insufficient_scope'];

/** What `pattern` finds in the first cells of the table of a section of docs/errors.md. */
function firstCells(heading: string, pattern: RegExp): string[] {
  const [, section = ''] = textOf('docs/errors.md').split(`\n## ${heading}\n`);
  const rows = section.split('\n## ')[0]?.match(/^\|.*$/gm) ?? [];
  return rows.slice(2).flatMap((row) => row.split('|')[1]?.match(pattern) ?? []);
}

it('docs/errors.md has each code of OAuth once', () => {
  expect(firstCells('In OAuth', /[a-z_]+/g).sort()).toEqual([...OAUTH_ERROR_CODES, ...BEARER_CODES].sort());
});

it('docs/errors.md has each status with which a signed URL refuses', () => {
  const folder = 'src/files/transfer';
  const sources = readdirSync(folder).map((file) => textOf(`${folder}/${file}`));
  const refused = sources.flatMap((text) =>
    [...text.matchAll(/new Refusal\((\d+)/g)].map(([, code]) => code),
  );
  const documented = firstCells('At signed URLs', /\d+/g);
  expect([...new Set(refused)].sort()).toEqual(documented.filter((code) => code !== '308').sort());
});
