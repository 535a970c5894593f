import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const files = ['src', 'prisma/seed']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  .filter((file) => /\.(tsx?|js)$/.test(file))
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !file.startsWith('src/generated'));

/** What each file imports, type imports included. */
const imports = new Map(
  files.map((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const paths = [...text.matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)].map((match) => match[1] as string);
    const targets = paths.map((path) =>
      relative(root, join(root, dirname(file), path)).replaceAll('\\', '/'),
    );
    return [file, targets.filter((target) => !target.startsWith('src/generated'))];
  }),
);

/** The same by folder: a cycle of folders can exist where no files form one. */
const folderImports = new Map<string, string[]>();
for (const [file, targets] of imports) {
  const folder = dirname(file);
  const others = targets.map((target) => dirname(target)).filter((other) => other !== folder);
  folderImports.set(folder, [...new Set([...(folderImports.get(folder) ?? []), ...others])]);
}

/** What each folder may import beside itself. */
const ALLOWED: Record<string, RegExp> = {
  lib: /^$/,
  db: /^lib\//,
  files: /^lib\//,
  timestamp: /^(verify|lib)\//,
  revocation: /^(verify|lib)\//,
  // In servers and browsers alike: plain JavaScript, but for the cryptography of Node. It reads what sealing writes.
  verify: /^lib\/|^pdf\/seal\/(object-syntax|cross-references|validation-update)\.js$/,
  pdf: /^lib\/|^files\/(child|content\/pdf)\/|^files\/store\/byte-source\.ts$/,
  // Of files and PDFs, the entry points that commands call: what they do with bytes is in child processes behind these.
  domain:
    /^(db|lib)\/|^pdf\/copy\/(signing-copy|not-sealable)\.ts$|^pdf\/seal\/(certificate|job|seal|self-signed)\.ts$|^pdf\/draw\/drawn-field\.ts$|^pdf\/font\/text-faults\.js$|^timestamp\/authority\.ts$|^revocation\/(answer|collect|published)\.ts$|^verify\/|^files\/(store\/store|transfer\/signed-url|content\/sniff\/inspect|content\/pictures\/pictures)\.ts$/,
  auth: /^(domain|db|lib)\//,
  mail: /^(domain|db|lib)\//,
  jobs: /^(domain|db|files|pdf|mail|timestamp|lib)\//,
  // The relation interface, and the shapes of a request, a list and a response; no rule of a resource.
  'graph/engine':
    /^domain\/kernel\/(context|errors|follower|listing|listing-count|page|relation|response-size)\.ts$|^lib\//,
  'graph/operations': /^graph\/engine\/|^domain\/|^lib\//,
  'graph/schema': /^graph\/(engine|operations)\/|^domain\/|^lib\//,
  'graph/http': /^graph\/|^domain\/|^lib\//,
  rest: /^graph\/http\/execute\.ts$|^auth\/|^domain\/kernel\/(errors|context|scope|scope-text)\.ts$|^lib\//,
  mcp: /^graph\/http\/(execute|errors|priced)\.ts$|^domain\/kernel\/(errors|context)\.ts$|^lib\//,
  oauth: /^(domain|auth|db|lib|web)\//,
  web: /^(auth|domain|db|lib|verify)\/|^graph\/http\/(execute|media-type)\.ts$/,
  telemetry: /^(db|lib)\//,
  config: /^lib\//,
  tour: /^$/,
};

/** The first cycle in a graph, as its path; undefined where there is none. */
function cycleIn(graph: Map<string, string[]>): string[] | undefined {
  const done = new Set<string>();
  const visit = (node: string, path: string[]): string[] | undefined => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return undefined;
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next, [...path, node]);
      if (cycle) return cycle;
    }
    done.add(node);
    return undefined;
  };
  return [...graph.keys()].map((node) => visit(node, [])).find((cycle) => cycle !== undefined);
}

/** Files beside each other, by folder. */
function filesByFolder(start: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const entry of readdirSync(join(root, start), { recursive: true, withFileTypes: true })) {
    const folder = relative(root, entry.parentPath).replaceAll('\\', '/');
    if (entry.isFile() && !/generated|node_modules/.test(folder))
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return counts;
}

describe('the imports of src', () => {
  it.each(Object.keys(ALLOWED))('of %s stay within the table', (folder) => {
    const strays = [...imports]
      .filter(([file]) => file.startsWith(`src/${folder}/`))
      .flatMap(([file, targets]) =>
        targets
          .map((target) => target.replace(/^src\//, ''))
          .filter((target) => !target.startsWith(`${folder}/`) && !ALLOWED[folder]?.test(target))
          .map((target) => `${file} -> ${target}`),
      );
    expect(strays).toEqual([]);
  });

  it('are covered by the table, but for the folders that nobody imports and the files that start a process', () => {
    const uncovered = files
      .filter((file) => file.startsWith('src/'))
      .map((file) => file.slice('src/'.length))
      .filter((file) => !Object.keys(ALLOWED).some((folder) => file.startsWith(`${folder}/`)))
      .map((file) => (file.includes('/') ? (file.split('/')[0] as string) : file));
    expect([...new Set(uncovered)].sort()).toEqual(['admin', 'http', 'main.ts', 'startup']);
  });

  it('form no cycle of files', () => {
    expect(cycleIn(imports)).toBeUndefined();
  });

  it('form no cycle of folders', () => {
    expect(cycleIn(folderImports)).toBeUndefined();
  });

  it('name http and admin nowhere but in main.ts', () => {
    const importers = [...imports].filter(
      ([file, targets]) =>
        file !== 'src/main.ts' &&
        targets.some((target) => {
          const [, folder] = /^src\/(http|admin)\//.exec(target) ?? [];
          return folder && !file.startsWith(`src/${folder}/`);
        }),
    );
    expect(importers).toEqual([]);
  });
});

describe('the files', () => {
  it('of src have at most 250 lines', () => {
    const long = files.filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length > 251);
    expect(long).toEqual([]);
  });

  it.each([
    'src',
    'test',
    'bench',
    'scripts',
    'docs',
    'packages',
    'prisma/seed',
  ])('of each folder in %s are at most 25', (folder) => {
    expect([...filesByFolder(folder)].filter(([, count]) => count > 25)).toEqual([]);
  });
});
