import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';

/** What is wrong in a file of prisma/triggers. */
export class CodeError extends Error {}

/** A function, trigger or view as a file of prisma/triggers has it. */
interface Statement {
  /** As the database names it: `FUNCTION name`, `VIEW name`, `TRIGGER name ON table`. */
  name: string;
  sql: string;
}

/** What the functions, triggers and views of a database are, by name; without those of extensions. */
const DEFINITIONS = `
  SELECT 'FUNCTION ' || p.proname AS name, pg_get_functiondef(p.oid) AS definition FROM pg_proc p
  WHERE p.pronamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
  UNION ALL
  SELECT 'TRIGGER ' || t.tgname || ' ON ' || t.tgrelid::regclass, pg_get_triggerdef(t.oid) FROM pg_trigger t
  WHERE NOT t.tgisinternal
  UNION ALL
  SELECT 'VIEW ' || c.relname, pg_get_viewdef(c.oid) FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'v'
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')`;

async function definitionsOf(db: PGlite): Promise<Map<string, string>> {
  const { rows } = await db.query<{ name: string; definition: string }>(DEFINITIONS);
  return new Map(rows.map(({ name, definition }) => [name, definition]));
}

/** The statements of a file, without the comments between them. Throws for one of another kind. */
export function statementsIn(text: string): Statement[] {
  const parts = text.split(/^(?=CREATE )/m).filter((part) => part.startsWith('CREATE '));
  return parts.map((part) => {
    const sql = part.replace(/(?:\n(?:--.*)?)+$/, '');
    const [, kind = '', name = ''] = /^CREATE OR REPLACE (FUNCTION|TRIGGER|VIEW) (\w+)/.exec(sql) ?? [];
    if (!kind)
      throw new CodeError(`not CREATE OR REPLACE of a function, trigger or view: ${sql.slice(0, 60)}`);
    const table = kind === 'TRIGGER' ? ` ON ${/ ON ("?\w+"?)/.exec(sql)?.[1]}` : '';
    return { name: `${kind} ${name}${table}`, sql };
  });
}

/** The statements of the files of a folder, in the order of their names; none without the folder. */
export async function readStatements(folder: string): Promise<Statement[]> {
  if (!existsSync(folder)) return [];
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return texts.flatMap(statementsIn);
}

/** How prisma/triggers and a database differ. */
export interface CodeDifference {
  /** What the migrations lack, in the order of the files. */
  changed: Statement[];
  /** Names of what is in the database and in no file. */
  unknown: string[];
}

/** Runs the statements in a database that has all migrations, and returns those that changed it. */
export async function codeDifference(db: PGlite, statements: readonly Statement[]): Promise<CodeDifference> {
  const before = await definitionsOf(db);
  for (const { name, sql } of statements)
    await db.exec(sql).catch((error: Error) => {
      throw new CodeError(`${name} does not run: ${error.message}`);
    });
  const after = await definitionsOf(db);
  const names = new Set(statements.map(({ name }) => name));
  return {
    changed: statements.filter(({ name }) => after.get(name) !== before.get(name)),
    unknown: [...after.keys()].filter((name) => !names.has(name)),
  };
}
