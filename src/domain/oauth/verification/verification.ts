import { databaseTime } from '../../../db/clock.ts';
import type { Database, Transaction } from '../../../db/database.ts';
import { sql } from '../../../db/sql/sql.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { Client } from '../../../generated/prisma/client.ts';
import { type NewEvent, recordEvents, serverActor } from '../../kernel/audit.ts';
import { conflict, notFound } from '../../kernel/errors.ts';
import { lockRow } from '../../kernel/version.ts';

/** An application that the operator has looked at, with the name of the organization that publishes it. */
export type LookedAt = Client & { organizationId: string; publisher: string };

/**
 * Verifies an application, for the command line: the operator of the installation vouches for its name, publisher, home page,
 * logo and redirect addresses. Throws NOT_FOUND, and CONFLICT for a resource server and a verified application.
 */
export const verifyApplication = (db: Database, clientId: string, requestId: string): Promise<LookedAt> =>
  inTransaction(db, async (tx) => {
    const client = await lockClient(tx, clientId);
    if (client.kind === 'RESOURCE_SERVER') throw conflict('A resource server asks nobody for access.');
    if (client.verifiedAt) throw conflict('The application is verified already.');
    const verifiedAt = await databaseTime(tx);
    await tx.prisma.client.update({ where: { id: clientId }, data: { verifiedAt } });
    const { organizationId, name, publisher, homePageUrl, logoHash, redirectUris } = client;
    const shown = { name, publisher, homePageUrl, logoHash, redirectUris };
    const after = { verifiedAt: verifiedAt.toISOString(), ...shown };
    await recordEvents(serverActor(requestId), tx, [
      { organizationId, subjectId: clientId, kind: 'client.verified', data: { after } },
    ]);
    return client;
  });

/** Takes a verification back. Throws NOT_FOUND, and CONFLICT where there is none. */
export const revokeVerification = (db: Database, clientId: string, requestId: string): Promise<LookedAt> =>
  inTransaction(db, async (tx) => {
    const client = await lockClient(tx, clientId);
    const events = await endVerifications(tx, { id: clientId });
    if (events.length === 0) throw conflict('The application is not verified.');
    await recordEvents(serverActor(requestId), tx, events);
    return client;
  });

/** The organization is locked first, as its name is part of what is verified. */
async function lockClient(tx: Transaction, id: string): Promise<LookedAt> {
  const where = { id, deletedAt: null, metadataUrl: null };
  const unlocked = await tx.prisma.client.findFirst({ where });
  if (!unlocked?.organizationId) throw notFound('Application');
  await lockRow(tx, 'organizations', unlocked.organizationId);
  await lockRow(tx, 'clients', id);
  const client = await tx.prisma.client.findFirst({ where, include: { organization: true } });
  if (!client?.organization) throw notFound('Application');
  const { organization, ...row } = client;
  return { ...row, organizationId: organization.id, publisher: organization.name };
}

/**
 * Ends the verification of one application, or of all of an organization, as it is not any more what the operator looked at.
 * Returns the events to record.
 */
export async function endVerifications(
  tx: Transaction,
  of: { id: string } | { organizationId: string },
): Promise<NewEvent[]> {
  const ended = await tx.query<Pick<Client, 'id' | 'organizationId' | 'verifiedAt'>>(sql`
    UPDATE clients SET verified_at = NULL FROM (
      SELECT c.id, c.verified_at FROM clients c WHERE c.verified_at IS NOT NULL AND c.deleted_at IS NULL
      AND ${'id' in of ? sql`c.id = ${of.id}` : sql`c.organization_id = ${of.organizationId}`} ORDER BY c.id FOR NO KEY UPDATE) old
    WHERE clients.id = old.id RETURNING clients.id, clients.organization_id, old.verified_at`);
  // Only applications of organizations are verified (the constraint clients_registered_or_described).
  return ended.flatMap(({ id: subjectId, organizationId, verifiedAt }) =>
    organizationId === null
      ? []
      : [
          {
            organizationId,
            subjectId,
            kind: 'client.verificationRevoked',
            data: { before: { verifiedAt: verifiedAt?.toISOString() ?? null } },
          },
        ],
  );
}
