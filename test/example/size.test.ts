import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../../examples/web/src', import.meta.url));

it('the example front end has fewer than 1,500 lines, with its styles and operations', () => {
  const files = readdirSync(SRC).filter((name) => /\.(tsx?|css)$/.test(name));
  const lines = files.map((name) => readFileSync(`${SRC}/${name}`, 'utf8').split('\n').length - 1);
  expect(lines.reduce((sum, each) => sum + each)).toBeLessThan(1_500);
  const readme = readFileSync(`${SRC}/../README.md`, 'utf8');
  expect(readme).toContain('in under 1,500 lines');
  const named = [...readme.matchAll(/`(?:src\/)?([a-z-]+\.(?:tsx?|css))`/g)].map(([, name]) => name);
  expect(files).toEqual(expect.arrayContaining(named));
});
