import type { Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { tables } from '../kernel/tables.ts';
import { findRetentions, type Retention } from '../retention/retention.ts';
import { readRules } from '../retention/rule.ts';

/** On documents on which nobody works: no legal hold, no signatures that are collected or sealed, and no pending approval. */
export const isIdle = (documents: Rows<'documents'>): Sql => sql`(NOT ${documents}.legal_hold
  AND NOT EXISTS (SELECT FROM signature_sessions v WHERE v.organization_id = ${documents}.organization_id
    AND v.document_id = ${documents}.id AND (v.state = 'ACTIVE' OR v.sealing = 'PENDING'))
  AND NOT EXISTS (SELECT FROM process_runs v WHERE v.organization_id = ${documents}.organization_id
    AND v.document_id = ${documents}.id AND v.state = 'PENDING'))`;

/** Documents that still are what the page said of them, locked until the transaction ends. */
export async function lockUnchanged(
  tx: Transaction,
  organizationId: string,
  ids: readonly string[],
  matches: (retention: Retention) => boolean,
) {
  const locked = await tx.query<LockedDocument>(sql`
    SELECT d.organization_id, d.project_id, d.id, d.name FROM documents d
    WHERE d.organization_id = ${organizationId} AND d.id ${sql.any(ids)} ORDER BY d.id FOR UPDATE SKIP LOCKED`);
  const lockedIds = locked.map(({ id }) => id);
  // In statements of their own, which see what was committed before the locks.
  const idle = await tx.query<{ id: string }>(
    sql`SELECT d.id FROM ${tables.documents.from}
    WHERE d.organization_id = ${organizationId} AND d.id ${sql.any(lockedIds)} AND ${isIdle(tables.documents)}`,
  );
  const idleIds = new Set(idle.map(({ id }) => id));
  const rules = await readRules(tx, [organizationId]);
  const retentions = rules ? (await findRetentions(tx, rules, [...idleIds])).filter(matches) : [];
  const byId = new Map(retentions.map((each) => [each.documentId, each]));
  return locked.flatMap((document) => {
    const retention = byId.get(document.id);
    return retention ? [{ document, retention }] : [];
  });
}

interface LockedDocument {
  organizationId: string;
  projectId: string;
  id: string;
  name: string;
}
