import type { Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { findRetentions, type Retention } from '../retention/retention.ts';
import { readRules } from '../retention/rule.ts';

/** The documents on which nobody works: no signatures are being collected or sealed, and no approval is pending. A condition on `d`. */
export const IS_IDLE: Sql = sql`(NOT d.legal_hold AND NOT EXISTS (SELECT FROM signature_sessions g
    WHERE g.organization_id = d.organization_id AND g.document_id = d.id AND (g.state = 'ACTIVE' OR g.sealing = 'PENDING'))
  AND NOT EXISTS (SELECT FROM process_runs r
    WHERE r.organization_id = d.organization_id AND r.document_id = d.id AND r.state = 'PENDING'))`;

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
    sql`SELECT d.id FROM documents d WHERE d.organization_id = ${organizationId} AND d.id ${sql.any(lockedIds)} AND ${IS_IDLE}`,
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
