import { z } from 'zod';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { adminOrganizations } from '../access/access.ts';
import { requireNoApplication } from '../access/access-application.ts';
import { recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { parse } from '../kernel/input.ts';
import { requireOrganizationAdmin } from '../organizations/organization.ts';
import { type Client, findClients } from './client.ts';
import { revokeGrants } from './grant-end.ts';

/** How an application is used. people: without its service account. lastUsedAt: when it last obtained or used an access token. */
export interface ClientUsage {
  id: string;
  people: number;
  lastUsedAt: Date | null;
}

/** The usage of the applications among the ids whose organization the viewer manages. */
export const findClientUsage = ({ db, viewer }: Context, ids: readonly string[]) =>
  db.query<ClientUsage>(sql`SELECT c.id,
    (SELECT count(DISTINCT g.user_id)::int FROM grants g JOIN users u ON u.id = g.user_id
      WHERE g.client_id = c.id AND g.revoked_at IS NULL AND u.service_client_id IS NULL) AS people,
    (SELECT max(greatest(g.last_used_at, (SELECT max(t.created_at) FROM access_tokens t WHERE t.grant_id = g.id)))
      FROM grants g WHERE g.client_id = c.id) AS last_used_at
    FROM clients c WHERE c.id ${sql.any(ids)} AND c.organization_id = ANY(${adminOrganizations(viewer)})`);

const ending = z.strictObject({ clientId: z.string() });

/**
 * Ends all that people allowed an application of an organization: its tokens are refused from the next request on, and
 * people are asked again. Its service account stays, and may get new tokens. Requires the role OWNER or ADMIN. Throws FORBIDDEN to
 * applications, and NOT_FOUND.
 */
export function endAuthorizations(
  ctx: Context,
  input: z.input<typeof ending>,
): Promise<{ client: Client; endedCount: number }> {
  const { clientId } = parse(ending, input);
  requireNoApplication(ctx.viewer, 'clients');
  return inTransaction(ctx.db, async (tx) => {
    const [client] = await findClients(ctx, [clientId], tx);
    if (!client) throw notFound('Client');
    const { organizationId } = client;
    await requireOrganizationAdmin(ctx, tx, organizationId);
    await tx.query(sql`SELECT id FROM clients WHERE id = ${clientId} FOR NO KEY UPDATE`);
    const ended = await revokeGrants(
      tx,
      (grants) => sql`${grants}.client_id = ${clientId}`,
      'revoked_by_organization',
    );
    const event = { organizationId, subjectId: clientId, kind: 'client.authorizations_ended' };
    await recordEvents(ctx, tx, [{ ...event, data: { after: { endedCount: ended.length } } }]);
    return { client, endedCount: ended.length };
  });
}
