import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/id.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { parse } from '../kernel/input.ts';
import { findOrganizations, type Organization } from '../organizations/organization.ts';

/** How many a person keeps in each organization. */
const KEPT = 100;

/** More in a minute are opened by a program, such as an export, whose reads should neither write nor fill the list of the person. */
const PER_MINUTE = 20;

/**
 * Records that the viewer opened these visible documents; again only after a minute, so that not every read writes, and no more than
 * PER_MINUTE. A failure is reported and does not fail the read. Records no event: only the viewer sees it. Returns one null per id.
 */
export async function recordOpenedDocuments(ctx: Context, documentIds: readonly string[]): Promise<null[]> {
  try {
    const due = await dueOf(ctx, documentIds.slice(0, KEPT));
    if (due.length > 0) await inTransaction(ctx.db, (tx) => store(ctx, tx, due));
  } catch (error) {
    ctx.report?.(error);
  }
  return documentIds.map(() => null);
}

interface Due {
  id: string;
  organizationId: string;
}

/** The documents in organizations of the viewer that they did not open within the last minute, unless they opened many. */
const dueOf = ({ db, viewer: { userId } }: Context, documentIds: readonly string[]): Promise<Due[]> =>
  db.query<Due>(sql`SELECT d.id, d.organization_id FROM documents d
    JOIN memberships m ON m.organization_id = d.organization_id AND m.user_id = ${userId}
    WHERE d.id ${sql.any(documentIds)} AND NOT EXISTS (SELECT FROM opened_documents o
      WHERE o.organization_id = d.organization_id AND o.user_id = ${userId} AND o.document_id = d.id
      AND o.opened_at > now() - interval '1 minute')
    AND (SELECT count(*) FROM (SELECT FROM opened_documents o WHERE o.organization_id = d.organization_id AND o.user_id = ${userId}
      AND o.opened_at > now() - interval '1 minute' LIMIT ${PER_MINUTE}) recent) < ${PER_MINUTE}`);

/** Keeps the newest. A document or membership that ended meanwhile is left out; rows that another process removes are skipped. */
async function store({ viewer: { userId } }: Context, tx: Transaction, due: readonly Due[]): Promise<void> {
  const newIds = due.map(() => newId('OpenedDocument'));
  const documentIds = due.map(({ id }) => id);
  const organizationIds = [...new Set(due.map(({ organizationId }) => organizationId))];
  await tx.query(sql`INSERT INTO opened_documents AS o (organization_id, id, user_id, document_id, opened_at)
    SELECT d.organization_id, i.id, m.user_id, d.id, now()
    FROM unnest(${sql.texts(newIds)}, ${sql.texts(documentIds)}) i(id, document_id)
    JOIN documents d ON d.id = i.document_id
    JOIN memberships m ON m.organization_id = d.organization_id AND m.user_id = ${userId}
    ORDER BY d.id
    ON CONFLICT (organization_id, user_id, document_id)
    DO UPDATE SET opened_at = greatest(o.opened_at, excluded.opened_at)`);
  await tx.query(sql`DELETE FROM opened_documents WHERE id IN (
    SELECT old.id FROM unnest(${sql.texts(organizationIds)}) k(id) CROSS JOIN LATERAL (
      SELECT o.id FROM opened_documents o WHERE o.organization_id = k.id AND o.user_id = ${userId}
      ORDER BY o.opened_at DESC, o.id DESC OFFSET ${KEPT} FOR UPDATE SKIP LOCKED) old)`);
}

const clearing = z.strictObject({ organizationId: z.string() });

/** Empties the viewer's list in an organization. Throws NOT_FOUND. Records no event: only the viewer sees the list. */
export function clearOpenedDocuments(ctx: Context, input: z.input<typeof clearing>): Promise<Organization> {
  const { organizationId } = parse(clearing, input);
  return inTransaction(ctx.db, async (tx) => {
    const [organization] = await findOrganizations(ctx, [organizationId], tx);
    if (!organization) throw notFound('Organization', 'organizationId');
    await tx.prisma.openedDocument.deleteMany({ where: { organizationId, userId: ctx.viewer.userId } });
    return organization;
  });
}
