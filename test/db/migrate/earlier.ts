import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { applyMigrations, MIGRATIONS } from '../../../src/db/migrate/migrate.ts';

/**
 * An embedded database in `folder`/pg as it was before the named migration. `connection` is what applyMigrations takes. The
 * earlier migrations are copied into the folder.
 */
export async function openBefore(migration: string, folder: string) {
  const earlier = join(folder, 'migrations');
  cpSync(fileURLToPath(MIGRATIONS), earlier, { recursive: true });
  for (const name of readdirSync(earlier))
    if (/^\d/.test(name) && name >= migration) rmSync(join(earlier, name), { recursive: true });
  const db = await PGlite.create({ dataDir: join(folder, 'pg'), extensions: { btree_gin, pg_trgm } });
  const connection = {
    query: (text: string, values?: unknown[]) => db.query(text, values),
    exec: (text: string) => db.exec(text),
  } as never;
  await applyMigrations(connection, earlier);
  return { db, connection };
}
