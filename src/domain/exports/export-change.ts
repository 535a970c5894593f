import { nowPlus } from '../../db/clock.ts';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/id.ts';
import { requireNoApplication } from '../access/access-application.ts';
import { requireExporter, visibleOrganizationExports } from '../access/access-export.ts';
import { requireFreshProof } from '../access/fresh-proof.ts';
import { dueNow } from '../due-work/round-robin.ts';
import { recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { DomainError, notFound, unauthenticated } from '../kernel/errors.ts';
import { tables } from '../kernel/tables.ts';
import { EXPORT_LIFETIME, findExports, type OrganizationExport } from './export.ts';

/** Archives of an organization that are there, or being written. */
const MAX_ARCHIVES = 3;

/** Seconds after which one of them may have ended. */
const RETRY_AFTER = 60;

/**
 * Makes an archive of the organization due. For its owners in person; in a browser session, one who proved who they are within
 * ten minutes. Throws NOT_FOUND, FORBIDDEN, and RATE_LIMITED while one is being written, or as many as an organization may have are
 * there.
 */
export function startExport(ctx: Context, organizationId: string): Promise<OrganizationExport> {
  const { userId, credentialId } = ctx.viewer;
  if (!userId || !credentialId) throw unauthenticated();
  requireExporter(ctx.viewer, organizationId);
  return inTransaction(ctx.db, async (tx) => {
    await requireFreshProof(tx, ctx.viewer);
    await requireFew(tx, organizationId);
    const id = newId('OrganizationExport');
    await tx.query(sql`INSERT INTO organization_exports (organization_id, id, created_by_id, credential_id, request_id, next_at, expires_at)
      VALUES (${organizationId}, ${id}, ${userId}, ${credentialId}, ${ctx.requestId}, ${dueNow}, ${nowPlus(EXPORT_LIFETIME)})`);
    const data = { after: { exportId: id } };
    await recordEvents(ctx, tx, [
      { organizationId, subjectId: organizationId, kind: 'organization.exportStarted', data },
    ]);
    tx.wake('export');
    const [started] = await findExports(ctx, [id], tx);
    return started as OrganizationExport;
  });
}

/** Locks the organization, so that concurrent starts count one after the other. */
async function requireFew(tx: Transaction, organizationId: string): Promise<void> {
  await tx.query(sql`SELECT o.id FROM organizations o WHERE o.id = ${organizationId} FOR NO KEY UPDATE`);
  const [count] = await tx.query<{ all: number; due: number }>(sql`SELECT count(*)::int AS all,
    count(*) FILTER (WHERE ox.next_at IS NOT NULL)::int AS due FROM organization_exports ox
    WHERE ox.organization_id = ${organizationId} AND ox.state <> 'FAILED' AND (ox.next_at IS NOT NULL OR ox.expires_at > now())`);
  const { all = 0, due = 0 } = count ?? {};
  if (due > 0)
    throw tooMany('An archive of the organization is being written. Wait until it is there, or delete it.');
  if (all >= MAX_ARCHIVES)
    throw tooMany(`The organization has ${all} archives, and may have ${MAX_ARCHIVES}. Delete one of them.`);
}

const tooMany = (text: string) =>
  new DomainError('RATE_LIMITED', text, { at: 'organizationId', retryAfter: RETRY_AFTER });

/** Deletes an archive, or ends its writing. It cannot be downloaded from then on. For owners in person. Throws NOT_FOUND. */
export function deleteExport(ctx: Context, id: string): Promise<void> {
  requireNoApplication(ctx.viewer, 'exports');
  return inTransaction(ctx.db, async (tx) => {
    const [deleted] = await tx.query<{
      organizationId: string;
    }>(sql`DELETE FROM ${tables.organizationExports.from}
      WHERE ox.id = ${id} AND ${visibleOrganizationExports(ctx.viewer, tables.organizationExports)} RETURNING ox.organization_id`);
    if (!deleted) throw notFound('OrganizationExport', 'exportId');
    const { organizationId } = deleted;
    const data = { before: { exportId: id } };
    await recordEvents(ctx, tx, [
      { organizationId, subjectId: organizationId, kind: 'organization.exportDeleted', data },
    ]);
  });
}

/** Deletes exports that are not listed any more. The sweep removes what was stored of them. Returns how many. */
export async function deleteOldExports(tx: Transaction, limit: number): Promise<number> {
  const deleted = await tx.query(sql`DELETE FROM organization_exports WHERE (organization_id, id) IN (
    SELECT x.organization_id, x.id FROM organization_exports x WHERE x.expires_at <= now() AND x.next_at IS NULL
    LIMIT ${limit} FOR UPDATE SKIP LOCKED) RETURNING id`);
  return deleted.length;
}
