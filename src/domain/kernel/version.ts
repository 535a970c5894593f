import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { Context } from './context.ts';
import { staleVersion } from './errors.ts';

type Versioned =
  | 'organizations'
  | 'groups'
  | 'projects'
  | 'folders'
  | 'fields'
  | 'processes'
  | 'clients'
  | 'retention_policies'
  | 'search_templates';

/**
 * Locks a row until the transaction ends. Call it before reading the row, so that the version compared is the one replaced.
 * Foreign keys may still refer to the row meanwhile.
 */
export const lockRow = (tx: Transaction, table: Versioned, id: string) =>
  tx.query(sql`SELECT id FROM ${sql.raw(table)} WHERE id = ${id} FOR NO KEY UPDATE`);

/** Throws CONFLICT if the caller expects a version other than that of the locked row. */
export function requireVersion({ version }: { version: number }, expected: number | null | undefined): void {
  if (expected != null && expected !== version) throw staleVersion(version);
}

/** The columns that every change of an object updates. */
export const changedNow = () => ({ modifiedAt: new Date(), version: { increment: 1 } });

/** The same for objects that store who changed them. */
export const changedBy = ({ viewer }: Context) => ({ modifiedById: viewer.userId, ...changedNow() });
