import { sql } from '../../db/sql/sql.ts';
import type { Context } from '../kernel/context.ts';

/** The application that acted, with its current name; shown to everyone who sees the event. */
export interface EventApplication {
  id: string;
  name: string;
}

/** Reads applications by id. Clients are never removed, only marked as deleted, so each id is found. */
export const findApplications = ({ db }: Context, ids: readonly string[]) =>
  db.query<EventApplication>(sql`SELECT c.id, c.name FROM clients c WHERE c.id ${sql.any(ids)}`);

/** Reads applications by grant, for events written before they stored the client. None once the grant is deleted. */
export const findApplicationsOfGrants = ({ db }: Context, ids: readonly string[]) =>
  db.query<EventApplication & { grantId: string }>(sql`SELECT c.id, c.name, g.id AS grant_id
    FROM grants g JOIN clients c ON c.id = g.client_id WHERE g.id ${sql.any(ids)}`);
