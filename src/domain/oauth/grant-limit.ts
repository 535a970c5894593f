import { z } from 'zod';
import type { Reader, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { requireNoApplication } from '../access/access-application.ts';
import { visibleGrants } from '../access/access-credential.ts';
import { positionIn, requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { badInput, notFound } from '../kernel/errors.ts';
import { parse } from '../kernel/input.ts';
import { tables } from '../kernel/tables.ts';
import { findOrganizations } from '../organizations/organization.ts';
import { findProjects } from '../projects/project.ts';
import { recordSecurityEvents } from '../users/security-event.ts';

/** The only places that an application reaches: organizations as a whole, and projects of others. */
export interface GrantLimit {
  organizationIds: readonly string[];
  projectIds: readonly string[];
}

/** As stored: by organization the projects, or null for the whole organization. Null: the application reaches all. */
export type StoredLimit = Record<string, string[] | null> | null;

const grantLimit = z.strictObject({
  organizationIds: z.array(z.string()).max(50, 'at most 50'),
  projectIds: z.array(z.string()).max(300, 'at most 300'),
});

/** The places of a stored limit. */
export const placesOf = (stored: Exclude<StoredLimit, null>): GrantLimit => ({
  organizationIds: Object.keys(stored).filter((id) => stored[id] === null),
  projectIds: Object.values(stored).flatMap((ids) => ids ?? []),
});

/**
 * The limit as it is stored. A project in an organization that is named itself adds nothing. Throws BAD_USER_INPUT if it names nothing, and
 * NOT_FOUND for what the user does not see.
 */
async function storedLimitOf(
  ctx: Context,
  reader: Reader,
  limitedTo: GrantLimit,
): Promise<Exclude<StoredLimit, null>> {
  const { organizationIds, projectIds } = parse(grantLimit, limitedTo, 'limitedTo');
  if (organizationIds.length + projectIds.length === 0)
    throw badInput('Choose an organization or a project at least.', 'limitedTo');
  const organizations = await findOrganizations(ctx, organizationIds, reader);
  const atOrganization = positionIn('limitedTo.organizationIds', organizationIds);
  requireFound('Organization', organizationIds, organizations, atOrganization);
  const projects = await findProjects(ctx, projectIds, reader);
  requireFound('Project', projectIds, projects, positionIn('limitedTo.projectIds', projectIds));
  const limit: Exclude<StoredLimit, null> = Object.fromEntries(organizations.map(({ id }) => [id, null]));
  // In one order, as what is stored is compared.
  for (const { id, organizationId } of projects.toSorted(byId))
    if (limit[organizationId] !== null) limit[organizationId] = [...(limit[organizationId] ?? []), id];
  return limit;
}

const byId = (one: { id: string }, other: { id: string }): number => (one.id < other.id ? -1 : 1);

interface Grant {
  id: string;
  clientName: string;
  limitedTo: StoredLimit;
}

/** What the viewer allows an application at present; undefined if nothing. */
export async function findGrant(
  { viewer }: Context,
  reader: Reader,
  clientId: string,
  lock: 'FOR NO KEY UPDATE OF g' | '' = '',
): Promise<Grant | undefined> {
  const { grants, clients } = tables;
  const [grant] = await reader.query<Grant>(sql`SELECT g.id, c.name AS client_name, g.limited_to
    FROM ${grants.from} JOIN ${clients.from} ON c.id = g.client_id AND c.deleted_at IS NULL
    WHERE g.client_id = ${clientId} AND ${visibleGrants(viewer, grants)} ${sql.raw(lock)}`);
  return grant;
}

interface Limited {
  grantId: string;
  client: { id: string; name: string };
  /** Null: all that the user sees. */
  limitedTo: GrantLimit | null;
  ipAddress: string | null;
}

/**
 * Sets what a grant of the viewer reaches, for all of its tokens from their next request on. The caller holds the lock on
 * the grant. A change is a security event. Throws as storedLimitOf.
 */
export async function setGrantLimit(
  tx: Transaction,
  ctx: Context,
  { grantId, client, limitedTo, ipAddress }: Limited,
): Promise<void> {
  const limit = limitedTo && (await storedLimitOf(ctx, tx, limitedTo));
  const stored = limit && JSON.stringify(limit);
  const changed = await tx.query(sql`UPDATE grants g SET limited_to = ${stored}::jsonb
    WHERE g.id = ${grantId} AND g.limited_to IS DISTINCT FROM ${stored}::jsonb RETURNING g.id`);
  if (changed.length === 0) return;
  const data = { clientId: client.id, clientName: client.name, limitedTo: limit };
  await recordSecurityEvents(tx, [
    { userId: ctx.viewer.userId, kind: 'authorization.limited', data, ipAddress },
  ]);
}

/**
 * Limits what the viewer allows an application to organizations and projects; all that the viewer sees without `limitedTo`. Throws FORBIDDEN to
 * applications, BAD_USER_INPUT and NOT_FOUND.
 */
export async function limitAuthorization(
  ctx: Context,
  { clientId, limitedTo = null }: { clientId: string; limitedTo?: GrantLimit | null },
): Promise<string> {
  requireNoApplication(ctx.viewer, 'authorizations');
  return inTransaction(ctx.db, async (tx) => {
    const grant = await findGrant(ctx, tx, clientId, 'FOR NO KEY UPDATE OF g');
    if (!grant) throw notFound('Authorization');
    const client = { id: clientId, name: grant.clientName };
    await setGrantLimit(tx, ctx, {
      ...{ grantId: grant.id, client, ipAddress: null },
      limitedTo,
    });
    return clientId;
  });
}
