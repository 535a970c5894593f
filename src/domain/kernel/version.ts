import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { Context } from './context.ts';
import { staleVersion } from './errors.ts';

type Versioned =
  | 'organizations'
  | 'projects'
  | 'folders'
  | 'fields'
  | 'processes'
  | 'clients'
  | 'search_templates';

/**
 * Holds a row until the transaction ends, before it is read: what a command then leaves as it was, and the version that
 * it compares, are those of the moment in which it writes. Others may refer to the row meanwhile.
 */
export const lockRow = (tx: Transaction, table: Versioned, id: string) =>
  tx.query(sql`SELECT id FROM ${sql.raw(table)} WHERE id = ${id} FOR NO KEY UPDATE`);

/** Throws CONFLICT unless a row that is held has the version the caller saw, where they say one. */
export function requireVersion({ version }: { version: number }, expected: number | null | undefined): void {
  if (expected != null && expected !== version) throw staleVersion(version);
}

/** What every change of a thing writes beside itself. */
export const changedNow = () => ({ modifiedAt: new Date(), version: { increment: 1 } });

/** The same where a thing says who changed it. */
export const changedBy = ({ viewer }: Context) => ({ modifiedById: viewer.userId, ...changedNow() });
