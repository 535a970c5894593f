import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const src = fileURLToPath(new URL('../../src', import.meta.url));
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(tsx?|js)$/.test(file) && !file.startsWith('generated'))
  .map((file) => file.replaceAll('\\', '/'));

const imports = new Map(
  files.map((file) => {
    const text = readFileSync(join(src, file), 'utf8');
    const found = [...text.matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)].map((match) => match[1] as string);
    return [file, found.map((path) => relative(src, join(src, dirname(file), path)).replaceAll('\\', '/'))];
  }),
);

/** What each folder may import beside itself. Generated code belongs to everyone. */
const ALLOWED: Record<string, RegExp> = {
  lib: /^$/,
  db: /^(lib|db)\//,
  storage: /^(lib|storage)\//,
  paper: /^(paper|lib)\/|^storage\/child-(pool\.ts|task\.js)$/,
  seal: /^(seal|paper|lib)\/|^storage\/child-(pool\.ts|task\.js)$/,
  domain:
    /^(domain|db|lib|seal)\/|^paper\/drawn-field\.ts$|^storage\/(store|signed-address|inspect|pictures)\.ts$/,
  jobs: /^(jobs|domain|db|storage|paper|lib)\//,
  auth: /^(auth|domain|db|lib)\//,
  oauth: /^(oauth|domain|auth|db|lib|screens)\//,
  graph: /^(graph|domain|lib)\//,
  rest: /^rest\/|^graph\/execute\.ts$|^auth\/|^domain\/(errors|context)\.ts$|^lib\//,
  telemetry: /^(telemetry|db|lib)\//,
  screens: /^(screens|lib)\//,
  browser: /^(browser|auth|domain|db|lib|screens)\/|^graph\/(execute|http)\.ts$/,
};

describe('the imports of src', () => {
  it.each(Object.keys(ALLOWED))('of %s stay within its table', (folder) => {
    const strays = [...imports]
      .filter(([file]) => file.startsWith(`${folder}/`))
      .flatMap(([file, targets]) =>
        targets
          .filter((target) => !target.startsWith('generated/') && !ALLOWED[folder]?.test(target))
          .map((target) => `${file} -> ${target}`),
      );
    expect(strays).toEqual([]);
  });

  it('run in no circle', () => {
    const done = new Set<string>();
    const visit = (file: string, path: string[]): string[] => {
      if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
      if (done.has(file)) return [];
      const circle = (imports.get(file) ?? [])
        .map((target) => visit(target, [...path, file]))
        .find((each) => each.length > 0);
      done.add(file);
      return circle ?? [];
    };
    expect(files.map((file) => visit(file, [])).find((circle) => circle.length > 0)).toBeUndefined();
  });

  it('name nobody who imports server.ts or main.ts', () => {
    const importers = [...imports].filter(
      ([file, targets]) => file !== 'main.ts' && targets.some((each) => /^(server|main)\.ts$/.test(each)),
    );
    expect(importers).toEqual([]);
  });

  it('come from files of at most 250 lines', () => {
    const long = files.filter((file) => readFileSync(join(src, file), 'utf8').split('\n').length > 251);
    expect(long).toEqual([]);
  });
});
