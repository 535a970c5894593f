import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { requireNoApplication } from '../access/access-application.ts';
import { recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { parse } from '../kernel/input.ts';
import { lockRow } from '../kernel/version.ts';
import { endInvitationsOfApplication, endInvitationsOfClosed } from '../organizations/invitation-end.ts';
import { requireOrganizationAdmin } from '../organizations/organization.ts';
import { recordSecurityEvents } from '../users/security-event.ts';
import { type Application, findApplication } from './application.ts';

const deciding = z.strictObject({
  organizationId: z.string(),
  clientId: z.string(),
  decision: z.enum(['APPROVED', 'REFUSED']).nullable(),
});

/**
 * Decides whether an application of another organization may act in this one; null takes the decision back. Requires the
 * role OWNER or ADMIN. If it may not act there any more, its open invitations end. Throws NOT_FOUND, FORBIDDEN, also to applications.
 */
export function decideApplication(ctx: Context, input: z.input<typeof deciding>): Promise<Application> {
  const { decision, ...path } = parse(deciding, input);
  return change(ctx, path, async (tx, before) => {
    if (decision === before.decision) return [];
    const by = decision === null ? null : ctx.viewer.userId;
    await store(tx, before, {
      decision: sql`${decision}::application_decision`,
      decided_by_id: sql`${by}`,
      decided_at: decision === null ? sql`NULL` : sql`now()`,
      ...(decision === null ? { requested_by_id: sql`NULL`, requested_at: sql`NULL` } : {}),
    });
    await endInvitationsOfClosed(tx, ctx, path.organizationId);
    const kind = decision === null ? 'undecided' : decision === 'APPROVED' ? 'approved' : 'refused';
    return [{ kind, data: { before: { decision: before.decision }, after: { decision } } }];
  });
}

const revoking = z.strictObject({ organizationId: z.string(), clientId: z.string() });

/**
 * Ends what members authorized until now as far as it reaches the organization: their tokens lose it at once, and members are
 * asked again; invitations that the application made end. Their access elsewhere stays. Requires the role OWNER or ADMIN. Throws NOT_FOUND, FORBIDDEN, also to applications.
 */
export function revokeApplication(ctx: Context, input: z.input<typeof revoking>): Promise<Application> {
  return change(ctx, parse(revoking, input), async (tx, before) => {
    const { id: clientId, name: clientName, organizationId } = before;
    const members = await tx.query<{ userId: string }>(sql`SELECT m.user_id FROM memberships m
      JOIN grants g ON g.user_id = m.user_id AND g.client_id = ${clientId} AND g.revoked_at IS NULL
      WHERE m.organization_id = ${organizationId} AND g.consented_at > ${before.revokedAt ?? new Date(0)}`);
    await store(tx, before, { revoked_at: sql`clock_timestamp()` });
    await endInvitationsOfApplication(tx, ctx, organizationId, clientId);
    const data = { clientId, clientName, organizationId };
    await recordSecurityEvents(
      tx,
      members.map(({ userId }) => ({
        userId,
        kind: 'authorization.revoked_by_organization',
        data,
        ipAddress: null,
      })),
    );
    return [{ kind: 'revoked', data: { after: { endedCount: members.length } } }];
  });
}

type Change = (
  tx: Transaction,
  before: Application,
) => Promise<{ kind: string; data: { before?: object; after: object } }[]>;

/** The lock on the organization orders changes of its policy and of its decisions. */
function change(
  ctx: Context,
  path: { organizationId: string; clientId: string },
  run: Change,
): Promise<Application> {
  const { organizationId, clientId: subjectId } = path;
  return inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, 'organizations', organizationId);
    await requireOrganizationAdmin(ctx, tx, organizationId);
    requireNoApplication(ctx.viewer, 'applications');
    const before = await findApplication(ctx, path, tx);
    if (!before) throw notFound('Application', 'clientId');
    const events = await run(tx, before);
    await recordEvents(
      ctx,
      tx,
      events.map(({ kind, data }) => ({ organizationId, subjectId, kind: `application.${kind}`, data })),
    );
    return (await findApplication(ctx, path, tx)) as Application;
  });
}

async function store(
  tx: Transaction,
  { organizationId, id }: Application,
  values: Record<string, Sql>,
): Promise<void> {
  const names = Object.keys(values).map((name) => sql.raw(name));
  await tx.query(sql`INSERT INTO organization_applications (organization_id, client_id, ${sql.join(names, ', ')})
    VALUES (${organizationId}, ${id}, ${sql.join(Object.values(values), ', ')})
    ON CONFLICT (organization_id, client_id) DO UPDATE SET ${sql.join(
      names.map((name) => sql`${name} = excluded.${name}`),
      ', ',
    )}`);
}

/**
 * Asks the owners and admins of the viewer's organizations that allow approved applications alone for one, where nobody has
 * yet. Returns the ids of the organizations that were asked.
 */
export function requestApplication({ db, viewer, requestId }: Context, clientId: string): Promise<string[]> {
  return inTransaction(db, async (tx) => {
    const organizations = viewer.memberships.map(({ organizationId }) => organizationId);
    const requests = await tx.query<{ organizationId: string }>(sql`
      INSERT INTO organization_applications AS x (organization_id, client_id, requested_by_id, requested_at)
      SELECT o.id, c.id, ${viewer.userId}, now() FROM organizations o JOIN clients c ON c.id = ${clientId} AND c.organization_id IS DISTINCT FROM o.id
      WHERE o.id ${sql.any(organizations)} AND o.application_policy = 'APPROVED_ONLY' AND c.deleted_at IS NULL ORDER BY o.id
      ON CONFLICT (organization_id, client_id) DO UPDATE SET requested_by_id = excluded.requested_by_id, requested_at = now()
      WHERE x.decision IS NULL AND x.requested_at IS NULL RETURNING x.organization_id`);
    await recordEvents(
      { viewer, requestId },
      tx,
      requests.map(({ organizationId }) => ({
        organizationId,
        subjectId: clientId,
        kind: 'application.requested',
      })),
    );
    return requests.map(({ organizationId }) => organizationId);
  });
}
