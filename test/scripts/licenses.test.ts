import { readFileSync } from 'node:fs';
import type { Metafile } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { licensesOf } from '../../scripts/licenses.js';

const metafile = (...files: string[]): Metafile => ({
  inputs: Object.fromEntries(files.map((file) => [file, { bytes: 1, imports: [] }])),
  outputs: {},
});

describe('the licences of a bundle', () => {
  it('are those of each package that has a file in it, once, with its version and text', () => {
    const text = licensesOf(
      metafile('src/main.ts', 'node_modules/hono/dist/hono.js', 'node_modules/hono/dist/router.js'),
      metafile('node_modules/@pothos/core/esm/index.js'),
    );
    const { version } = JSON.parse(readFileSync('node_modules/hono/package.json', 'utf8'));
    expect(text.match(/^=+\n.*$/gm)?.map((head) => head.split('\n')[1]?.split(' ')[0])).toEqual([
      '@pothos/core',
      'hono',
    ]);
    expect(text).toContain(`hono ${version} (MIT)`);
    expect(text).toContain(readFileSync('node_modules/hono/LICENSE', 'utf8').trim());
  });

  it('have that of a package below another one', () => {
    const path = 'node_modules/@graphql-tools/schema/node_modules/@graphql-tools/utils';
    const { version } = JSON.parse(readFileSync(`${path}/package.json`, 'utf8'));
    expect(licensesOf(metafile(`${path}/esm/index.js`))).toContain(`@graphql-tools/utils ${version}`);
  });
});
