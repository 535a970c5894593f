import { z } from 'zod';
import { databaseTime } from '../../db/clock.ts';
import type { Reader, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { OrganizationRole, Organization as OrganizationRow } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { visibleOrganizations } from '../access/access.ts';
import { requireNoApplication } from '../access/access-application.ts';
import { requireWholeOrganization } from '../access/access-limit.ts';
import { accountHasSecondFactor } from '../access/access-second-factor.ts';
import { requireFreshProof } from '../access/fresh-proof.ts';
import { isOrganizationAdmin } from '../access/role.ts';
import { MANAGERS, OWNERS } from '../kernel/access-rule.ts';
import { changes, recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { organizationName } from '../kernel/display-name.ts';
import { conflict, forbidden, notFound } from '../kernel/errors.ts';
import { normalizedKey, parse, requireBatchSize } from '../kernel/input.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import { startsWith } from '../kernel/starts-with.ts';
import { tables } from '../kernel/tables.ts';
import { changedBy, lockRow, requireVersion } from '../kernel/version.ts';
import { limitedOrganizations, organizationsWith } from '../kernel/viewer.ts';
import { endVerifications } from '../oauth/verification/verification.ts';
import { endInvitationsOfClosed } from './invitation-end.ts';
import { tellSecondFactorRequired } from './second-factor-required.ts';

/** viewerRole: the viewer's role in the organization. */
export type Organization = OrganizationRow & { viewerRole: OrganizationRole };

/** A viewer who left while the request ran counts as a guest, as does an application that is limited to projects. */
const columns = ({ viewer }: Context) => sql`o.*, coalesce((SELECT m.role FROM memberships m
  WHERE m.organization_id = o.id AND m.user_id = ${viewer.userId} AND m.organization_id <> ALL(${limitedOrganizations(viewer)})), 'GUEST') AS viewer_role`;

/** The organizations of the viewer. search: prefix of the name, in any case. */
export const organizationsOfViewer: Listing<Organization, { search?: string | null }, 'NAME' | 'CREATED_AT'> =
  {
    name: 'organizationsOfViewer',
    select: columns,
    from: tables.organizations.from,
    where: ({ viewer }, { search }) =>
      sql`${visibleOrganizations(viewer, tables.organizations)} AND ${search ? startsWith(sql`o.name_key`, normalizedKey(search)) : sql`true`}`,
    sorts: {
      NAME: sortBy(sql`o.id`, sql`o.name_key`, 'text', (row) => row.nameKey),
      CREATED_AT: sortBy(sql`o.id`, sql`o.created_at`, 'timestamptz', (row) => row.createdAt),
    },
  };

/** Returns the organizations with these ids that the viewer may see, in any order. */
export const findOrganizations = (ctx: Context, ids: readonly string[], reader: Reader = ctx.db) =>
  reader.query<Organization>(
    sql`SELECT ${columns(ctx)} FROM ${tables.organizations.from} WHERE o.id ${sql.any(ids)} AND ${visibleOrganizations(ctx.viewer, tables.organizations)}`,
  );

/**
 * Counts the members of these organizations: `writing`, and guests as `readOnly`. The caller has checked that the
 * organizations are visible.
 */
export const countMembers = ({ db }: Context, ids: readonly string[]) =>
  db.query<{ id: string; writing: number; readOnly: number }>(sql`
    SELECT o.id, count(m.id) FILTER (WHERE m.role <> 'GUEST')::int AS writing,
      count(m.id) FILTER (WHERE m.role = 'GUEST')::int AS read_only
    FROM ${tables.organizations.from} LEFT JOIN memberships m ON m.organization_id = o.id
    WHERE o.id ${sql.any(ids)} GROUP BY o.id`);

/** Returns the organization. Throws NOT_FOUND, or FORBIDDEN unless the viewer is OWNER or ADMIN. */
export async function requireOrganizationAdmin(
  ctx: Context,
  tx: Transaction,
  organizationId: string,
): Promise<Organization> {
  const [organization] = await findOrganizations(ctx, [organizationId], tx);
  if (!organization) throw notFound('Organization');
  requireWholeOrganization(ctx.viewer, organizationId);
  if (!isOrganizationAdmin(ctx.viewer, organizationId))
    throw forbidden('This takes the role OWNER or ADMIN in the organization.', undefined, MANAGERS);
  return organization;
}

const creation = z.strictObject({ organizations: z.array(z.strictObject({ name: organizationName })) });

/** Creates organizations owned by the viewer, all or nothing, and returns them in input order. Not for applications. */
export function createOrganizations(ctx: Context, input: z.input<typeof creation>): Promise<Organization[]> {
  const { organizations } = parse(creation, input);
  requireNoApplication(ctx.viewer, 'organizations');
  requireBatchSize(organizations, ctx.limits.batchMax, 'organizations');
  return inTransaction(ctx.db, async (tx) => {
    await requireFewOrganizations(ctx, tx, organizations.length);
    const created: Organization[] = [];
    for (const { name } of organizations) created.push(await foundOrganization(ctx, tx, name));
    return created;
  });
}

/** Throws CONFLICT if the viewer would create more organizations within a day than one person may. */
async function requireFewOrganizations({ viewer, limits }: Context, tx: Transaction, count: number) {
  const { organizationsPerDay: limit } = limits;
  if (limit === 0) return;
  await tx.query(sql`SELECT u.id FROM users u WHERE u.id = ${viewer.userId} FOR NO KEY UPDATE`);
  const [today] = await tx.query<{
    count: number;
  }>(sql`SELECT count(*)::int AS count FROM ${tables.organizations.from}
    WHERE o.created_by_id = ${viewer.userId} AND o.created_at > now() - interval '1 day'`);
  if ((today?.count ?? 0) + count > limit)
    throw conflict(`One person can create ${limit} organizations within a day.`, 'organizations');
}

/** Creates one organization. */
export const createOrganization = async (
  ctx: Context,
  organization: { name: string },
): Promise<Organization> =>
  (await createOrganizations(ctx, { organizations: [organization] }))[0] as Organization;

async function foundOrganization(
  { viewer, requestId }: Context,
  tx: Transaction,
  name: string,
): Promise<Organization> {
  const { userId, email } = viewer;
  const id = newId('Organization');
  const organization = await tx.prisma.organization.create({
    data: { id, name, nameKey: normalizedKey(name), createdById: userId },
  });
  const membership = { organizationId: id, id: newId('Membership'), userId, createdById: userId };
  await tx.prisma.membership.create({ data: { ...membership, role: 'OWNER' } });
  await recordEvents({ viewer, requestId }, tx, [
    { organizationId: id, subjectId: id, kind: 'organization.created', data: { after: { name } } },
    {
      organizationId: id,
      subjectId: userId,
      kind: 'member.added',
      data: { after: { role: 'OWNER', email } },
    },
  ]);
  return { ...organization, viewerRole: 'OWNER' };
}

async function requirePolicyOwner(
  { viewer }: Context,
  tx: Transaction,
  { id, requiresSecondFactor }: Organization,
): Promise<void> {
  if (!organizationsWith(viewer, 'OWNER').includes(id))
    throw forbidden(
      'requiresSecondFactor: this takes the role OWNER in the organization.',
      'requiresSecondFactor',
      OWNERS,
    );
  requireNoApplication(viewer, 'signInRules');
  await requireFreshProof(tx, viewer);
  const [owner] = await tx.query<{ hasFactor: boolean }>(
    sql`SELECT ${accountHasSecondFactor(sql`${viewer.userId}`)} AS has_factor`,
  );
  if (!requiresSecondFactor && !owner?.hasFactor)
    throw conflict('Add a second factor to your own account first.', 'requiresSecondFactor');
}

type Rule = Pick<OrganizationRow, 'requiresSecondFactor'>;

/** Since when a second factor is required, where that changes: the rule begins anew each time it is switched on. */
const ruleStart = async (tx: Transaction, before: Rule, { requiresSecondFactor }: Rule) =>
  requiresSecondFactor === before.requiresSecondFactor
    ? {}
    : { secondFactorSince: requiresSecondFactor ? await databaseTime(tx) : null };

const update = z.strictObject({
  organizationId: z.string(),
  name: organizationName.nullish(),
  requiresSecondFactor: z.boolean().nullish(),
  applicationPolicy: z.enum(['OPEN', 'APPROVED_ONLY', 'NONE']).nullish(),
  erasedComments: z.enum(['KEEP', 'REDACT']).nullish(),
  expectedVersion: z.int().nullish(),
});

/**
 * Changes an organization. Requires OWNER or ADMIN, and OWNER for `requiresSecondFactor`, which owners without a second factor
 * cannot switch on, as they would lose it. No application changes this, `applicationPolicy` or `erasedComments`. A new name
 * ends the verification of its applications. Throws NOT_FOUND, FORBIDDEN, CONFLICT for another version.
 */
export function updateOrganization(ctx: Context, input: z.input<typeof update>): Promise<Organization> {
  const { organizationId, expectedVersion, ...settings } = parse(update, input);
  return inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, 'organizations', organizationId);
    const before = await requireOrganizationAdmin(ctx, tx, organizationId);
    requireVersion(before, expectedVersion);
    const after = {
      name: settings.name ?? before.name,
      requiresSecondFactor: settings.requiresSecondFactor ?? before.requiresSecondFactor,
      applicationPolicy: settings.applicationPolicy ?? before.applicationPolicy,
      erasedComments: settings.erasedComments ?? before.erasedComments,
    };
    if (settings.applicationPolicy != null) requireNoApplication(ctx.viewer, 'applications');
    if (settings.erasedComments != null) requireNoApplication(ctx.viewer, 'erasures');
    if (after.requiresSecondFactor !== before.requiresSecondFactor) await requirePolicyOwner(ctx, tx, before);
    await tx.prisma.organization.update({
      where: { id: organizationId },
      data: {
        ...after,
        ...(await ruleStart(tx, before, after)),
        nameKey: normalizedKey(after.name),
        ...changedBy(ctx),
      },
    });
    if (after.requiresSecondFactor && !before.requiresSecondFactor)
      await tellSecondFactorRequired(tx, organizationId, ctx.viewer.userId);
    if (after.applicationPolicy !== before.applicationPolicy)
      await endInvitationsOfClosed(tx, ctx, organizationId);
    await recordEvents(ctx, tx, [
      {
        organizationId,
        subjectId: organizationId,
        kind: 'organization.updated',
        data: changes(before, after),
      },
      ...(after.name === before.name ? [] : await endVerifications(tx, { organizationId })),
    ]);
    return (await findOrganizations(ctx, [organizationId], tx))[0] as Organization;
  });
}
