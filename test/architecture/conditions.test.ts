import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { visibleDocuments, visibleTasks } from '../../src/domain/access/access.ts';
import { tables } from '../../src/domain/kernel/tables.ts';
import type { Viewer } from '../../src/domain/kernel/viewer.ts';

const domain = fileURLToPath(new URL('../../src/domain', import.meta.url));

const ALIASES = new Map(Object.entries(tables).map(([name, rows]) => [name, rows.strings[0] as string]));

/** Aliases that are no table's: the parent of a list (kernel/listing.ts), and a member to be notified (access-notification.ts). */
const NO_TABLE = ['k', 'recipient'];

/** The texts of all templates in `code`, with `${tables.x.from}` as it is rendered and other values as `$`. */
function templatesIn(code: string): string[] {
  const texts: string[] = [];
  let at = 0;
  const readCode = (): string => {
    const from = at;
    for (let depth = 0; at < code.length && (depth > 0 || code[at] !== '}'); at++) {
      if (code[at] === '`') readTemplate();
      else if (code[at] === '{') depth++;
      else if (code[at] === '}') depth--;
    }
    return code.slice(from, at++);
  };
  const readTemplate = (): void => {
    let text = '';
    for (at++; code[at] !== '`'; ) {
      if (code.startsWith('${', at)) {
        at += 2;
        const name = /^tables\.(\w+)\.from$/.exec(readCode())?.[1];
        text += name ? `x ${ALIASES.get(name)}` : '$';
      } else text += code[at++];
    }
    texts.push(text);
  };
  readCode();
  return texts;
}

const withoutComments = (code: string) => code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');

const USED = /(?<![\w.$'"+])([a-z][a-z0-9_]*)\.(?=[a-z*"])/g;
const BOUND =
  /(?:^x|\b(?:FROM|JOIN|UPDATE|USING)\s+(?:LATERAL\s+)?(?:[a-z_]+|\$)|\)|,\s*[a-z_]+)\s+(?:AS\s+)?([a-z][a-z0-9_]*)\b/gm;

const all = (pattern: RegExp, text: string) => [...text.matchAll(pattern)].map((match) => match[1] as string);

/** Aliases in the SQL of each declaration of a file that it neither binds itself nor is given as rows of a table. */
function untypedAliases(file: string): string[] {
  const declarations = withoutComments(readFileSync(file, 'utf8')).split(
    /^(?=(?:export )?(?:const|function|async) )/m,
  );
  return declarations.flatMap((declaration) => {
    const text = templatesIn(declaration).join('\n;\n');
    const bound = new Set([...all(BOUND, text), ...NO_TABLE]);
    const name = /(?:const|function)\s+(\w+)/.exec(declaration)?.[1];
    return [...new Set(all(USED, text))]
      .filter((alias) => !bound.has(alias))
      .map((alias) => `${name}: ${alias}`);
  });
}

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file));

describe('a condition of domain/access', () => {
  it('is on rows that it is given, and on no alias that its caller has to know', () => {
    const access = filesOf(process.env.ACCESS_FOLDER ?? join(domain, 'access'));
    expect(access.flatMap(untypedAliases)).toEqual([]);
  });

  it('on the rows of another table does not compile', () => {
    const viewer = { memberships: [], scopes: new Set() } as unknown as Viewer;
    expect(visibleTasks(viewer, tables.tasks).render().text).toContain('p.id = t.project_id');
    // @ts-expect-error: documents are no tasks.
    visibleTasks(viewer, tables.documents);
    // @ts-expect-error: an alias without its table.
    visibleDocuments(viewer, tables.documents.from);
  });

  it('is put on a table of the file that has it in FROM', () => {
    const files = filesOf(domain).filter((file) => !file.includes('/access/'));
    const missing = files.flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      const conditions = [...text.matchAll(/\b[a-z]\w+\((?:[^()]|\([^()]*\))*?\btables\.(\w+)(?!\.from)\b/g)];
      const names = new Set(conditions.map((match) => match[1] as string));
      if (/FROM \$\{visibleProjectRows\(/.test(text)) names.delete('projects');
      return [...names]
        .filter((name) => !text.includes(`tables.${name}.from`))
        .map((name) => `${file}: ${name}`);
    });
    expect(missing).toEqual([]);
  });
});
