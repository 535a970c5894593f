import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { OrganizationRole } from '../../generated/prisma/enums.ts';
import { newId } from '../../lib/id.ts';
import { serviceAddress } from '../../lib/text/service-address.ts';
import { visibleMemberships } from '../access/access-person.ts';
import { requireFreshProof } from '../access/fresh-proof.ts';
import { recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { badValue, conflict, notFound } from '../kernel/errors.ts';
import { parse } from '../kernel/input.ts';
import { tables } from '../kernel/tables.ts';
import { endMemberships } from '../membership/member-change.ts';
import { lockMembers, requireManager } from '../membership/member-guard.ts';
import type { Client } from '../oauth/client.ts';
import { lockClients, readClient, requireClient } from '../oauth/client-change.ts';
import { findMembers, type Member } from '../organizations/member.ts';
import { personColumns } from '../users/person.ts';

/** What a service account may do is what its role and the scopes of the token allow, without what no application may. */
const creation = z.strictObject({
  clientId: z.string(),
  role: z
    .enum(OrganizationRole)
    .exclude(['OWNER'], 'must be ADMIN, MEMBER or GUEST: a service account is never an owner'),
});

/**
 * Gives a confidential application an account of its own in its organization, for tokens by the grant client_credentials (RFC 6749
 * §4.4). Requires the role OWNER or ADMIN, and a fresh proof in a browser. Throws NOT_FOUND, FORBIDDEN, also to applications,
 * BAD_USER_INPUT for a client of another kind, and CONFLICT if there is one. The account that ended before is the same again.
 */
export function createServiceAccount(
  ctx: Context,
  input: { clientId: string; role: OrganizationRole },
): Promise<Member> {
  const { clientId, role } = parse(creation, input);
  return inTransaction(ctx.db, async (tx) => {
    await lockClients(tx, [clientId]);
    const client = await requireClient(ctx, tx, clientId);
    const { organizationId, kind, name } = client;
    if (kind !== 'CONFIDENTIAL')
      throw badValue('clientId', 'only a confidential application has a service account');
    requireManager(await lockMembers(ctx, tx, organizationId, []), [role], () => 'role');
    await requireFreshProof(tx, ctx.viewer);
    const userId = await openAccount(tx, client);
    const row = { organizationId, id: newId('Membership'), userId, role, createdById: ctx.viewer.userId };
    await tx.prisma.membership.create({ data: row });
    const data = { after: { clientId, name, role } };
    await recordEvents(ctx, tx, [
      { organizationId, subjectId: userId, kind: 'serviceAccount.created', data },
    ]);
    return (await findMembers(ctx, [row.id], tx))[0] as Member;
  });
}

/** The id of the user of a service account, which is new, or had ended. Throws CONFLICT if it has not. */
async function openAccount(tx: Transaction, { id: clientId, name }: Client): Promise<string> {
  const id = newId('User');
  const [user] = await tx.query<{ id: string }>(sql`
    INSERT INTO users AS u (id, email, name, service_client_id, new_sign_in_mails)
    VALUES (${id}, ${serviceAddress(id)}, ${name}, ${clientId}, false)
    ON CONFLICT (service_client_id) DO UPDATE SET disabled_at = NULL, name = excluded.name
      WHERE NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = u.id) RETURNING u.id`);
  if (!user) throw conflict('The application has a service account.', 'clientId');
  return user.id;
}

const deletion = z.strictObject({ clientId: z.string() });

/**
 * Ends the service account of an application, as the removal of the member does: its tokens are refused from the next request on.
 * Requires the role OWNER or ADMIN. Throws NOT_FOUND, and FORBIDDEN, also to applications.
 */
export function deleteServiceAccount(ctx: Context, input: z.input<typeof deletion>): Promise<Client> {
  const { clientId } = parse(deletion, input);
  return inTransaction(ctx.db, async (tx) => {
    await lockClients(tx, [clientId]);
    const { organizationId } = await requireClient(ctx, tx, clientId);
    const members = await lockServiceMembers(tx, [clientId]);
    if (members.length === 0) throw notFound('Service account', 'clientId');
    requireManager(await lockMembers(ctx, tx, organizationId, []), [], () => 'clientId');
    await endMemberships(ctx, tx, { organizationId, members });
    return readClient(ctx, tx, clientId);
  });
}

/** Locks the service accounts of applications, which the caller has locked, and their memberships: before their grants, as tokens are issued. */
export const lockServiceMembers = (tx: Transaction, clientIds: readonly string[]): Promise<Member[]> =>
  tx.query<Member>(sql`SELECT m.*, ${personColumns(tables.users)}
    FROM ${tables.users.from} JOIN ${tables.memberships.from} ON m.user_id = u.id
    WHERE u.service_client_id = ANY(${clientIds}) ORDER BY m.id FOR UPDATE OF m FOR NO KEY UPDATE OF u`);

/** The visible service accounts of applications, as members. */
export const findServiceMembers = ({ db, viewer }: Context, clientIds: readonly string[]) =>
  db.query<Member & { clientId: string | null }>(sql`
    SELECT m.*, ${personColumns(tables.users)}, u.service_client_id AS client_id
    FROM ${tables.users.from} JOIN ${tables.memberships.from} ON m.user_id = u.id
    WHERE u.service_client_id ${sql.any(clientIds)} AND ${visibleMemberships(viewer, tables.memberships)}`);

/** The applications whose service accounts these members are; null for people. */
export const findMemberClients = ({ db, viewer }: Context, ids: readonly string[]) =>
  db.query<{ id: string; clientId: string | null }>(sql`SELECT m.id, u.service_client_id AS client_id
    FROM ${tables.memberships.from} JOIN ${tables.users.from} ON u.id = m.user_id
    WHERE m.id ${sql.any(ids)} AND ${visibleMemberships(viewer, tables.memberships)}`);
