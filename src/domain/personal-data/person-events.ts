import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { tables } from '../kernel/tables.ts';
import type { Person } from './holding.ts';

/** On events: the person acted, or it is about them as a member. */
export const isTheirs = (e: Rows<'events'>, { userId }: Person): Sql =>
  sql`(${e}.actor_id = ${userId} OR ${e}.subject_id = ${userId})`;

/** Ids of the organizations in which a person acted, or of which they are or were a member. */
export async function organizationsOfPerson(reader: Reader, person: Person): Promise<string[]> {
  const { userId } = person;
  const rows = await reader.query<{
    id: string;
  }>(sql`SELECT o.id FROM organizations o WHERE EXISTS (SELECT FROM memberships m WHERE m.organization_id = o.id AND m.user_id = ${userId})
    OR EXISTS (SELECT FROM ${tables.events.from} WHERE e.organization_id = o.id AND e.actor_id = ${userId})
    OR EXISTS (SELECT FROM ${tables.events.from} WHERE e.organization_id = o.id AND e.subject_id = ${userId}) ORDER BY o.id`);
  return rows.map(({ id }) => id);
}

/** An event as it is exported. */
export interface ExportedEvent {
  sequence: bigint;
  data: Record<string, unknown>;
}

/** The next events by a person, or about them as a member of the organization, at most `limit`. */
export const listPersonEvents = (
  reader: Reader,
  organizationId: string,
  person: Person,
  { after, limit }: { after: bigint; limit: number },
): Promise<ExportedEvent[]> =>
  reader.query<ExportedEvent>(sql`SELECT e.sequence, jsonb_build_object('organizationId', e.organization_id, 'sequence', e.sequence::text,
      'id', e.id, 'projectId', e.project_id, 'subjectId', e.subject_id, 'kind', e.kind, 'actorId', e.actor_id,
      'credentialId', e.credential_id, 'clientId', e.client_id, 'requestId', e.request_id, 'via', e.via, 'data', e.data,
      'createdAt', e.created_at, 'redactedById', e.redacted_by_id) AS data FROM ${tables.events.from}
    WHERE e.organization_id = ${organizationId} AND e.sequence > ${after} AND ${isTheirs(tables.events, person)}
    ORDER BY e.sequence LIMIT ${limit}`);
