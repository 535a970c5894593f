import type { Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Vault } from '../../lib/seal.ts';
import { hashSecret, newSecret } from '../../lib/secret.ts';
import { toHex } from '../../lib/text/hex.ts';
import { badInput, conflict, DomainError } from '../kernel/errors.ts';
import { newSealedLink } from '../kernel/sealed-link.ts';
import { DESCRIPTION, filePath, rowsPath } from './bag.ts';
import type { Bag } from './bag-check.ts';
import { type ArchiveTable, identifier } from './catalog.ts';
import { type RowLine, readRows } from './import-lines.ts';

/** What rows are inserted with. */
interface RowImport {
  bag: Bag;
  vault: Vault;
  /** The ids of people who have an account already. */
  presentPeople: ReadonlySet<string>;
}

type Row = RowLine['row'];

/** Links of this server in columns that an archive does not have, as members of the JSON of a row. */
const LINKS: Record<string, (vault: Vault, row: Row) => Record<string, string | null>> = {
  folders: (vault, { id }) => ({ link_sealed: newSealedLink(vault, String(id)) }),
  form_templates: (vault, row) => {
    if (row.is_public !== true) return { link_hash: null, link_sealed: null };
    const secret = newSecret('dgl_');
    return {
      link_hash: `\\x${toHex(hashSecret(secret))}`,
      link_sealed: vault.seal(secret, String(row.id)),
    };
  },
};

/**
 * Inserts all rows of a bag, each table behind those to which it refers, and returns the ids of its files. Throws BAD_USER_INPUT for
 * what the database does not accept, or is not of this organization, and CONFLICT for rows that are here already.
 */
export async function importRows(
  tx: Transaction,
  tables: readonly ArchiveTable[],
  imported: RowImport,
): Promise<string[]> {
  const blobIds: string[] = [];
  await tx.query(sql`SET CONSTRAINTS ALL DEFERRED`);
  for (const table of tables)
    for await (const lines of readRows(imported.bag, table.name)) {
      for (const line of lines) requireRow(line, table, imported.bag);
      if (table.name === 'blobs') blobIds.push(...lines.map(({ row }) => String(row.id)));
      await insert(tx, table, lines, imported);
    }
  await refusing('references between rows', () => tx.query(sql`SET CONSTRAINTS ALL IMMEDIATE`));
  requireNoOtherFiles(imported.bag, tables, blobIds);
  return blobIds;
}

/** A row has exactly the columns of its table, and is of the organization of the bag. */
function requireRow({ row }: RowLine, { name, columns }: ArchiveTable, { description, payload }: Bag): void {
  const [path, names] = [rowsPath(name), Object.keys(row).sort()];
  if (names.join() !== [...columns].sort().join())
    throw badInput(`${path} has other columns than its table.`);
  const organizationId = name === 'organizations' ? row.id : row.organization_id;
  if (organizationId !== undefined && organizationId !== description.organizationId)
    throw badInput(`${path} has a row of another organization.`);
  if (name !== 'blobs') return;
  const file = payload.get(filePath(String(row.id)));
  if (file?.size !== row.size || `\\x${file?.sha256}` !== row.sha256)
    throw badInput(`${path} has a row without its file: ${row.id}`);
}

async function insert(
  tx: Transaction,
  { name, columns }: ArchiveTable,
  lines: readonly RowLine[],
  { vault, presentPeople }: RowImport,
): Promise<void> {
  const linksOf = LINKS[name];
  const rows = name === 'users' ? lines.filter(({ row }) => !presentPeople.has(String(row.id))) : lines;
  const texts = rows.map(({ text, row }) => (linksOf ? withMembers(text, linksOf(vault, row)) : text));
  const links = linksOf ? Object.keys(linksOf(vault, {})) : [];
  const names = [...columns, ...links].map(identifier);
  // A time-stamp is over the logs of several organizations, of which another one may be here.
  const onConflict: Sql = name === 'log_stamps' ? sql`ON CONFLICT DO NOTHING` : sql.empty;
  await refusing(rowsPath(name), () =>
    tx.query(sql`INSERT INTO ${identifier(name)} (${sql.join(names)}) SELECT ${sql.join(names)}
      FROM jsonb_populate_recordset(NULL::${identifier(name)}, ${`[${texts.join()}]`}::jsonb) ${onConflict}`),
  );
}

const withMembers = (text: string, members: Record<string, string | null>): string =>
  `${text.trimEnd().slice(0, -1)},${JSON.stringify(members).slice(1)}`;

function requireNoOtherFiles(
  { payload }: Bag,
  tables: readonly ArchiveTable[],
  blobIds: readonly string[],
): void {
  const paths = new Set([DESCRIPTION, ...tables.map(({ name }) => rowsPath(name)), ...blobIds.map(filePath)]);
  const other = [...payload.keys()].find((path) => !paths.has(path));
  if (other !== undefined) throw badInput(`${other} is no file of an organization.`);
}

/**
 * Throws BAD_USER_INPUT unless these are the rows that an archive of the organization has: no account, time-stamp or file to which
 * nothing of it refers.
 */
export async function requireReferred(
  tx: Transaction,
  tables: readonly ArchiveTable[],
  { bag }: Pick<RowImport, 'bag'>,
): Promise<void> {
  for (const { name, rowsOf } of tables.filter((table) =>
    ['users', 'log_stamps', 'blobs'].includes(table.name),
  )) {
    const [rows] = await tx.query<{ count: number }>(
      sql`SELECT count(*)::int AS count ${rowsOf(bag.description.organizationId)}`,
    );
    let count = 0;
    for await (const lines of readRows(bag, name)) count += lines.length;
    if (count !== rows?.count) throw badInput(`${rowsPath(name)} has rows to which nothing refers.`);
  }
}

/** SQLSTATEs of a row that exists already, and classes of those for data and for constraints. */
const EXISTS = '23505';
const REFUSED = /^2[23]/;

/** Says of a statement that the database refuses in which rows that is. */
async function refusing<Result>(at: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    const {
      code = '',
      message,
      constraint,
    } = error as { code?: string; message: string; constraint?: string };
    if (error instanceof DomainError || !REFUSED.test(code)) throw error;
    if (code === EXISTS) throw conflict(`A row of ${at} is here already (${constraint}).`);
    throw badInput(`${at}: ${message}`, undefined, error);
  }
}
