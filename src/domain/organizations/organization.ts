import { z } from 'zod';
import type { Reader, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { OrganizationRole, Organization as OrganizationRow } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { visibleOrganizations } from '../access/access.ts';
import { requireNoApplication } from '../access/access-application.ts';
import { isOrganizationAdmin } from '../access/role.ts';
import { changes, recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { organizationName } from '../kernel/display-name.ts';
import { forbidden, notFound } from '../kernel/errors.ts';
import { normalizedKey, parse, requireBatchSize } from '../kernel/input.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import { startsWith } from '../kernel/starts-with.ts';
import { changedBy, lockRow, requireVersion } from '../kernel/version.ts';

/** viewerRole is what the viewer is in it. */
export type Organization = OrganizationRow & { viewerRole: OrganizationRole };

/** Whoever left while the request ran is told the least. */
const columns = ({ viewer }: Context) => sql`o.*, coalesce((SELECT m.role FROM memberships m
  WHERE m.organization_id = o.id AND m.user_id = ${viewer.userId}), 'GUEST') AS viewer_role`;

export const organizationsOfViewer: Listing<Organization, { search?: string | null }, 'NAME' | 'CREATED_AT'> =
  {
    name: 'organizationsOfViewer',
    select: columns,
    from: sql`organizations o`,
    where: ({ viewer }, { search }) =>
      sql`${visibleOrganizations(viewer)} AND ${search ? startsWith(sql`o.name_key`, normalizedKey(search)) : sql`true`}`,
    sorts: {
      NAME: sortBy(sql`o.id`, sql`o.name_key`, 'text', (row) => row.nameKey),
      CREATED_AT: sortBy(sql`o.id`, sql`o.created_at`, 'timestamptz', (row) => row.createdAt),
    },
  };

/** Those of the ids that are visible, in no particular order. */
export const findOrganizations = (ctx: Context, ids: readonly string[], reader: Reader = ctx.db) =>
  reader.query<Organization>(
    sql`SELECT ${columns(ctx)} FROM organizations o WHERE o.id = ANY(${ids}) AND ${visibleOrganizations(ctx.viewer)}`,
  );

/**
 * How many members of these organizations, which the viewer sees or has just made, may change things, and how many (the
 * guests) only read.
 */
export const countMembers = ({ db }: Context, ids: readonly string[]) =>
  db.query<{ id: string; writing: number; readOnly: number }>(sql`
    SELECT o.id, count(m.id) FILTER (WHERE m.role <> 'GUEST')::int AS writing,
      count(m.id) FILTER (WHERE m.role = 'GUEST')::int AS read_only
    FROM organizations o LEFT JOIN memberships m ON m.organization_id = o.id
    WHERE o.id = ANY(${ids}) GROUP BY o.id`);

/** Throws NOT_FOUND, or FORBIDDEN to those who are no owner or admin. */
export async function requireOrganizationAdmin(
  ctx: Context,
  tx: Transaction,
  organizationId: string,
): Promise<Organization> {
  const [organization] = await findOrganizations(ctx, [organizationId], tx);
  if (!organization) throw notFound('Organization');
  if (!isOrganizationAdmin(ctx.viewer, organizationId))
    throw forbidden('This takes the role OWNER or ADMIN in the organization.');
  return organization;
}

const creation = z.strictObject({ organizations: z.array(z.strictObject({ name: organizationName })) });

/** All or nothing, in the order given. The viewer becomes the owner of each. */
export function createOrganizations(ctx: Context, input: z.input<typeof creation>): Promise<Organization[]> {
  const { organizations } = parse(creation, input);
  requireNoApplication(ctx.viewer, 'organizations');
  requireBatchSize(organizations, ctx.limits.batchMax, 'organizations');
  return inTransaction(ctx.db, async (tx) => {
    const made: Organization[] = [];
    for (const { name } of organizations) made.push(await found(ctx, tx, name));
    return made;
  });
}

/** One of them. */
export const createOrganization = async (
  ctx: Context,
  organization: { name: string },
): Promise<Organization> =>
  (await createOrganizations(ctx, { organizations: [organization] }))[0] as Organization;

async function found({ viewer, requestId }: Context, tx: Transaction, name: string): Promise<Organization> {
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

const update = z.strictObject({
  organizationId: z.string(),
  name: organizationName.optional(),
  expectedVersion: z.int().nullish(),
});

export function updateOrganization(ctx: Context, input: z.input<typeof update>): Promise<Organization> {
  const { organizationId, name, expectedVersion } = parse(update, input);
  return inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, 'organizations', organizationId);
    const before = await requireOrganizationAdmin(ctx, tx, organizationId);
    requireVersion(before, expectedVersion);
    const after = { name: name ?? before.name };
    await tx.prisma.organization.update({
      where: { id: organizationId },
      data: {
        ...after,
        nameKey: normalizedKey(after.name),
        ...changedBy(ctx),
      },
    });
    await recordEvents(ctx, tx, [
      {
        organizationId,
        subjectId: organizationId,
        kind: 'organization.updated',
        data: changes(before, after),
      },
    ]);
    return (await findOrganizations(ctx, [organizationId], tx))[0] as Organization;
  });
}
