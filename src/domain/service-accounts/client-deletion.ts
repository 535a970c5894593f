import { z } from 'zod';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { requireNoApplication } from '../access/access-application.ts';
import { recordEvents } from '../kernel/audit.ts';
import { positionIn, requireDistinct, requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { parse, requireBatchSize } from '../kernel/input.ts';
import { endMemberships } from '../membership/member-change.ts';
import { findClients } from '../oauth/client.ts';
import { lockClients } from '../oauth/client-change.ts';
import { revokeGrants } from '../oauth/grant-end.ts';
import { requireOrganizationAdmin } from '../organizations/organization.ts';
import { lockServiceMembers } from './service-account.ts';

const deletion = z.strictObject({ clientIds: z.array(z.string()) });

/** Deletes applications, all or none, with their service accounts, and revokes their grants. Returns the ids. Throws NOT_FOUND. */
export function deleteClients(ctx: Context, input: z.input<typeof deletion>): Promise<string[]> {
  const { clientIds } = parse(deletion, input);
  requireBatchSize(clientIds, ctx.limits.batchMax, 'clientIds');
  requireNoApplication(ctx.viewer, 'clients');
  const ids = [...new Set(clientIds)];
  requireDistinct(clientIds, (index) => `clientIds.${index}`, 'is named twice');
  return inTransaction(ctx.db, async (tx) => {
    await lockClients(tx, ids);
    const clients = await findClients(ctx, ids, tx);
    requireFound('Client', ids, clients, positionIn('clientIds', clientIds));
    for (const organizationId of new Set(clients.map((client) => client.organizationId)))
      await requireOrganizationAdmin(ctx, tx, organizationId);
    const accounts = await lockServiceMembers(tx, ids);
    await tx.prisma.client.updateMany({ where: { id: { in: ids } }, data: { deletedAt: new Date() } });
    await tx.prisma.clientSecret.deleteMany({ where: { clientId: { in: ids } } });
    await tx.prisma.clientLogo.deleteMany({ where: { clientId: { in: ids } } });
    await revokeGrants(tx, (grants) => sql`${grants}.client_id = ANY(${ids})`, 'app_deleted');
    for (const organizationId of new Set(accounts.map((each) => each.organizationId)))
      await endMemberships(ctx, tx, {
        organizationId,
        members: accounts.filter((each) => each.organizationId === organizationId),
      });
    await recordEvents(
      ctx,
      tx,
      clients.map(({ organizationId, id, name }) => ({
        organizationId,
        subjectId: id,
        kind: 'client.deleted',
        data: { before: { name } },
      })),
    );
    return ids;
  });
}
