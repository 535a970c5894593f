import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { tables } from '../kernel/tables.ts';
import { provesSeal } from '../redaction/redaction.ts';
import { type ErasedEvents, erasedContent, isOwnComment } from './event-content.ts';
import type { Person } from './holding.ts';
import { isTheirs, organizationsOfPerson } from './person-events.ts';

/** Events of a person. */
export interface EventCounts {
  /** Their content is removed. */
  redacted: number;
  /** They hold what would be removed, and prove a seal. */
  proofs: number;
  /** Comments that their organizations keep. */
  comments: number;
  /** Who acted, when and with what stays of each. */
  acted: number;
}

const eventsOf = (organizationId: string): Sql =>
  sql`${tables.events.from} JOIN organizations o ON o.id = e.organization_id WHERE e.organization_id = ${organizationId}`;

const isKeptComment = (person: Person): Sql =>
  sql`(${isOwnComment(tables.events, person)} AND e.redacted_by_id IS NULL AND o.erased_comments = 'KEEP')`;

/** What an erasure would do with the events by and about a person. What others recorded about their address is found then. */
export async function countPersonEvents(reader: Reader, person: ErasedEvents): Promise<EventCounts> {
  const sum: EventCounts = { redacted: 0, proofs: 0, comments: 0, acted: 0 };
  for (const id of await organizationsOfPerson(reader, person)) {
    const isErased = await erasedContent(reader, { id, isOwn: true }, person);
    const isProof = provesSeal(tables.events);
    const [counts] = await reader.query<EventCounts>(sql`SELECT
        count(*) FILTER (WHERE ${isErased} AND NOT ${isProof})::int AS redacted,
        count(*) FILTER (WHERE ${isErased} AND ${isProof})::int AS proofs,
        count(*) FILTER (WHERE ${isKeptComment(person)} AND NOT ${isErased})::int AS comments,
        count(*) FILTER (WHERE e.actor_id = ${person.userId})::int AS acted
      FROM ${eventsOf(id)} AND ${isTheirs(tables.events, person)}`);
    if (counts) addCounts(sum, counts);
  }
  return sum;
}

/** Events by the person, and those comments of theirs that stay. */
export async function countActs(
  reader: Reader,
  organizationId: string,
  person: Person,
): Promise<Pick<EventCounts, 'acted' | 'comments'>> {
  const [counts] = await reader.query<Pick<EventCounts, 'acted' | 'comments'>>(
    sql`SELECT count(*)::int AS acted, count(*) FILTER (WHERE ${isKeptComment(person)})::int AS comments
      FROM ${eventsOf(organizationId)} AND e.actor_id = ${person.userId}`,
  );
  return counts ?? { acted: 0, comments: 0 };
}

export function addCounts(sum: EventCounts, counts: Partial<EventCounts>): void {
  for (const [name, count] of Object.entries(counts)) sum[name as keyof EventCounts] += count;
}
