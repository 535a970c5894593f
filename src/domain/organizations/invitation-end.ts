import type { Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { allowsApplication } from '../kernel/application-policy.ts';
import { type Actor, type NewEvent, recordEvents, serverActor } from '../kernel/audit.ts';
import { tables } from '../kernel/tables.ts';
import { inviter } from './invitation.ts';

/** Invitations that applications made, to organizations and to projects. They end with what allowed the application to make them. */

const { invitations, projectInvitations } = tables;

/** Columns of an invitation, of either kind. */
interface Columns {
  organizationId: Sql;
  clientId: Sql;
  /** For whom the application made it. */
  userId: Sql;
}

const TO_ORGANIZATION: Columns = {
  organizationId: sql`${invitations}.organization_id`,
  clientId: sql`${invitations}.client_id`,
  userId: inviter(invitations),
};

const TO_PROJECT: Columns = {
  organizationId: sql`${projectInvitations}.organization_id`,
  clientId: sql`${projectInvitations}.client_id`,
  userId: sql`${projectInvitations}.created_by_id`,
};

interface Ended {
  organizationId: string;
  /** Of the invitation to the organization. */
  subjectId: string;
  projectId: string | null;
  email: string;
  role: string;
  clientId: string | null;
}

/** Against a concurrent acceptance, the transaction that deletes the row wins. */
const endInvitations = (tx: Transaction, condition: Sql) =>
  tx.query<Ended>(sql`DELETE FROM ${invitations.from} WHERE ${condition}
    RETURNING i.organization_id, i.id AS subject_id, NULL AS project_id, i.email, i.role::text AS role, i.client_id`);

/** To be called after `endInvitations`, in the order in which an acceptance locks them. */
const endProjectInvitations = (tx: Transaction, condition: Sql) =>
  tx.query<Ended>(sql`DELETE FROM ${projectInvitations.from} USING ${invitations.from}
    WHERE i.organization_id = pi.organization_id AND i.id = pi.invitation_id AND ${condition}
    RETURNING pi.organization_id, i.id AS subject_id, pi.project_id, i.email, pi.role::text AS role, pi.client_id`);

const eventOf =
  (reason: string) =>
  ({ email, role, clientId, ...subject }: Ended): NewEvent => ({
    ...subject,
    kind: subject.projectId === null ? 'invitation.withdrawn' : 'projectInvitation.removed',
    data: { before: { email, role }, reason, clientId },
  });

async function end(tx: Transaction, actor: Actor, reason: string, condition: (columns: Columns) => Sql) {
  const ended = [
    ...(await endInvitations(tx, condition(TO_ORGANIZATION))),
    ...(await endProjectInvitations(tx, condition(TO_PROJECT))),
  ];
  if (ended.length > 0) await recordEvents(actor, tx, ended.map(eventOf(reason)));
}

/** Ends those that these applications made for these users, unless the user has another valid grant for the application. */
export const endInvitationsOfGrants = (
  tx: Transaction,
  grants: readonly { userId: string; clientId: string }[],
): Promise<void> =>
  end(
    tx,
    serverActor('revocation'),
    'authorization_ended',
    ({ clientId, userId }) => sql`${clientId} = ANY(${grants.map((each) => each.clientId)})
      AND ${userId} = ANY(${grants.map((each) => each.userId)})
      AND NOT EXISTS (SELECT FROM grants g WHERE g.client_id = ${clientId} AND g.user_id = ${userId} AND g.revoked_at IS NULL)`,
  );

/** Ends those that an application made in an organization that revokes it. */
export const endInvitationsOfApplication = (
  tx: Transaction,
  actor: Actor,
  organizationId: string,
  applicationId: string,
): Promise<void> =>
  end(
    tx,
    actor,
    'application_revoked',
    (columns) =>
      sql`${columns.organizationId} = ${organizationId} AND ${columns.clientId} = ${applicationId}`,
  );

/** Ends those of applications that the organization does not allow any more, by its policy and its decisions. */
export const endInvitationsOfClosed = (
  tx: Transaction,
  actor: Actor,
  organizationId: string,
): Promise<void> =>
  end(tx, actor, 'application_closed', (columns) => {
    const act = { organizationId: columns.organizationId, authorizedAt: sql`'infinity'::timestamptz` };
    return sql`${columns.organizationId} = ${organizationId} AND ${columns.clientId} IS NOT NULL AND NOT EXISTS (
      SELECT FROM ${tables.clients.from} WHERE c.id = ${columns.clientId} AND ${allowsApplication(tables.clients, act)})`;
  });
