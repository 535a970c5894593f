import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../src/graph/schema/', import.meta.url));
const texts = new Map(
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => [file.replaceAll('\\', '/'), readFileSync(join(root, file), 'utf8')]),
);

/** The file that declares each type, and the comment above it. */
const declarations = new Map<string, { file: string; comment: string }>();
for (const [file, text] of texts)
  for (const [, comment = '', type = ''] of text.matchAll(
    /(\/\*\*(?:(?!\*\/).)*\*\/\n)?(?:export )?const (\w+) = builder\b/gs,
  ))
    declarations.set(type, { file, comment });

/** The other files that add fields to each type. */
const additions = new Map<string, Set<string>>();
for (const [file, text] of texts)
  for (const [, type = ''] of text.matchAll(/builder\.(?:objectFields?|prismaObjectFields?)\((\w+)/g)) {
    const declared = declarations.get(type)?.file;
    if (declared && declared !== file)
      additions.set(type, (additions.get(type) ?? new Set()).add(nameFrom(declared, file)));
  }

/** A file of the same folder by its name, another one with its folder. */
function nameFrom(declared: string, file: string): string {
  return dirname(declared) === dirname(file) ? basename(file) : file;
}

const listed = (comment: string): string[] => {
  const [, list = ''] =
    /Further fields: ((?:[^.]|\.(?=ts))*)\./.exec(comment.replace(/\s*\n \* ?/g, ' ')) ?? [];
  return list.split(', ').filter(Boolean);
};

describe('the comment at the head of a type', () => {
  it.each([...additions])('lists the other files that add fields to %s', (type, files) => {
    expect(listed(declarations.get(type)?.comment ?? '')).toEqual([...files].sort());
  });

  it('lists files of no type that has all of its fields in its own file', () => {
    const lists = [...declarations].filter(([, { comment }]) => listed(comment).length > 0);
    expect(lists.map(([type]) => type).sort()).toEqual([...additions.keys()].sort());
  });
});
