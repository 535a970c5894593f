import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { visibleDocuments, visibleTasks } from '../../src/domain/access/access.ts';
import { tables } from '../../src/domain/kernel/tables.ts';
import type { Viewer } from '../../src/domain/kernel/viewer.ts';
import { foreignAliases, sharedAliases, untypedAliases } from './aliases.ts';

const domain = fileURLToPath(new URL('../../src/domain', import.meta.url));

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file));

/** Whether the file puts a table in FROM by another name than that of `tables`: a parameter or a constant. */
const renamesTable = (text: string): boolean =>
  [...text.matchAll(/(?<=[\s{])([a-z]\w*)\.from\b(?!\()/g)].some(([, name]) => !((name as string) in tables));

/** Whether the table is an argument of what stands behind FROM or JOIN, or the alias of an INSERT. */
const isJoined = (text: string, name: string): boolean =>
  new RegExp(`(?:(?:FROM|JOIN) \\$\\{\\w+\\([^}]*|\\bAS \\$\\{)\\btables\\.${name}\\b`).test(text);

describe('a condition of domain/access', () => {
  it('is on rows that it is given, and on no alias that its caller has to know', () => {
    expect(filesOf(join(domain, 'access')).flatMap(untypedAliases)).toEqual([]);
  });

  it('and every other part of a statement is on no alias of another file, where that uses it or where it is from', () => {
    const source = fileURLToPath(new URL('../../src', import.meta.url));
    const files = ['domain', 'auth', 'jobs', 'oauth', 'admin', 'web', 'graph'].flatMap((folder) =>
      filesOf(join(source, folder)),
    );
    expect([...files.flatMap(foreignAliases), ...files.flatMap(sharedAliases)]).toEqual([]);
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
        .filter(
          (name) =>
            !new RegExp(`\\b${name}\\.from\\b`).test(text) && !isJoined(text, name) && !renamesTable(text),
        )
        .map((name) => `${file}: ${name}`);
    });
    expect(missing).toEqual([]);
  });
});
