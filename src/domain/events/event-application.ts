import { sql } from '../../db/sql/sql.ts';
import type { Context } from '../kernel/context.ts';

/** The application that acted, as it is called now: shown to everyone who sees the event. */
export interface EventApplication {
  id: string;
  name: string;
}

/** Clients are never removed, only marked as deleted, so each of the ids has one. */
export const findApplications = ({ db }: Context, ids: readonly string[]) =>
  db.query<EventApplication>(sql`SELECT c.id, c.name FROM clients c WHERE c.id = ANY(${ids})`);

/** By their grants: for events from before these named the client. None once the grant is swept. */
export const findApplicationsOfGrants = ({ db }: Context, ids: readonly string[]) =>
  db.query<EventApplication & { grantId: string }>(sql`SELECT c.id, c.name, g.id AS grant_id
    FROM grants g JOIN clients c ON c.id = g.client_id WHERE g.id = ANY(${ids})`);
