import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Database } from '../../../src/db/database.ts';
import { sql } from '../../../src/db/sql/sql.ts';

/** The tables with rows of organizations, by which they would be distributed, and the column with the organization. */
const ORGANIZATION_TABLES = sql`
  SELECT c.oid, c.relname::text AS name, a.attnum FROM pg_class c
  JOIN pg_attribute a ON a.attrelid = c.oid AND NOT a.attisdropped
    AND a.attname = CASE c.relname WHEN 'organizations' THEN 'id' ELSE 'organization_id' END
  WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace`;

const namesOf = async (rows: Promise<{ name: string }[]>) => (await rows).map(({ name }) => name);

/** Unique indexes of these tables without the organization: a shard cannot check them alone. */
export const uniqueWithoutOrganization = (db: Database): Promise<string[]> =>
  namesOf(
    db.query(sql`WITH tables AS (${ORGANIZATION_TABLES})
      SELECT i.indexrelid::regclass::text AS name FROM pg_index i JOIN tables t ON t.oid = i.indrelid
      WHERE i.indisunique AND NOT t.attnum = ANY (i.indkey::int2[]) ORDER BY 1`),
  );

/** Foreign keys of these tables that do not pair the organizations of both rows, as `table.column -> table`. */
export const foreignKeysWithoutOrganization = (db: Database): Promise<string[]> =>
  namesOf(
    db.query(sql`WITH tables AS (${ORGANIZATION_TABLES})
      SELECT t.name || '.' || (SELECT string_agg(a.attname, ',' ORDER BY a.attnum) FROM pg_attribute a
          WHERE a.attrelid = k.conrelid AND a.attnum = ANY (k.conkey)) || ' -> ' || k.confrelid::regclass::text AS name
      FROM pg_constraint k JOIN tables t ON t.oid = k.conrelid LEFT JOIN tables r ON r.oid = k.confrelid
      WHERE k.contype = 'f' AND NOT EXISTS (SELECT FROM unnest(k.conkey, k.confkey) pair(here, there)
        WHERE here = t.attnum AND there = r.attnum) ORDER BY 1`),
  );

/** The names of the tables with rows of organizations. */
export const organizationTables = (db: Database): Promise<string[]> => namesOf(db.query(ORGANIZATION_TABLES));

/** The SQL templates of a source text, with the templates that are nested in them. */
export function templatesIn(text: string): string[] {
  const templates: string[] = [];
  for (let start = text.indexOf('sql`'); start >= 0; start = text.indexOf('sql`', start + 4))
    templates.push(text.slice(start + 4, endOfTemplate(text, start + 4)));
  return templates;
}

/** The index of the backtick that ends the template which begins at `at`. */
function endOfTemplate(text: string, at: number): number {
  for (let index = at; index < text.length; index++) {
    if (text[index] === '\\') index++;
    else if (text[index] === '`') return index;
    else if (text.startsWith('${', index)) index = endOfHole(text, index + 2);
  }
  return text.length;
}

/** The index of the brace that ends the expression which begins at `at`. */
function endOfHole(text: string, at: number): number {
  for (let [index, depth] = [at, 0]; index < text.length; index++) {
    if (text[index] === '`') index = endOfTemplate(text, index + 1);
    else if (text[index] === '{') depth++;
    else if (text[index] === '}' && depth-- === 0) return index;
  }
  return text.length;
}

/** `id = …`, `x.id = ANY(…)`, `x.id ${condition}`, of any column whose name ends in `id` but that of the organization. */
const BY_ID = /(?<![\w])(?:\w+\.)?(?!organization_id)(?:\w+_)?id\s*(?:=\s*(?:ANY\b|\$\{)|\$\{|IN\b)/i;
const BY_ORGANIZATION = /organization_id\s*(?:=|IN\b|\$\{)|organization_id\s*,[^()]*\)\s*(?:=|IN\b)/i;

/** Whether a statement, or a part of one, looks rows of these tables up by an id and not by the organization. */
export const looksUpByIdAlone = (template: string, tables: readonly string[]): boolean =>
  tables.some((table) => new RegExp(`\\b(?:FROM|JOIN|UPDATE)\\s+${table}\\b`, 'i').test(template)) &&
  BY_ID.test(template) &&
  !BY_ORGANIZATION.test(template);

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The models of Prisma whose rows have an organization, as its client names them. */
function organizationModels(): Set<string> {
  const models = readFileSync(`${ROOT}prisma/schema.prisma`, 'utf8').matchAll(/^model (\w+) \{([^}]*)\}/gm);
  return new Set(
    [...models]
      .filter(([, , fields = '']) => /^\s+organizationId\s/m.test(fields))
      .map(([, name = '']) => name.charAt(0).toLowerCase() + name.slice(1)),
  );
}

const PRISMA_CALL = /\bprisma\.(\w+)\.(?:find|update|delete|count)\w*\(\{\s*where: (\{[^}]*\}|\w+)/g;

/** The calls of Prisma in a source text that look such rows up by an id and not by the organization. */
const prismaCallsByIdAlone = (text: string, models: ReadonlySet<string>): number =>
  [...text.matchAll(PRISMA_CALL)].filter(
    ([, model = '', where = '']) =>
      models.has(model) && /\b(?:id|\w+Id)\b/.test(where) && !where.includes('organizationId'),
  ).length;

/** The number of look-ups by an id alone in each file of src. */
export function lookUpsByIdAlone(tables: readonly string[]): Record<string, number> {
  const models = organizationModels();
  const files = readdirSync(`${ROOT}src`, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('generated'))
    .sort();
  const counts = files.map((file): [string, number] => {
    const text = readFileSync(`${ROOT}src/${file}`, 'utf8');
    const templates = templatesIn(text).filter((each) => looksUpByIdAlone(each, tables));
    return [file, templates.length + prismaCallsByIdAlone(text, models)];
  });
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}
