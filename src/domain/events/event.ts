import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import type { Event as EventRow } from '../../generated/prisma/client.ts';
import { visibleEvents } from '../access/access-event.ts';
import type { Context } from '../kernel/context.ts';
import type { Listing } from '../kernel/listing.ts';
import { type Sort, sortBy } from '../kernel/page.ts';
import { tables } from '../kernel/tables.ts';

/** A recorded event; `data` is what the command wrote, and empty once it is redacted. */
export type Event = Pick<
  EventRow,
  | 'id'
  | 'organizationId'
  | 'projectId'
  | 'subjectId'
  | 'sequence'
  | 'kind'
  | 'actorId'
  | 'credentialId'
  | 'clientId'
  | 'via'
  | 'createdAt'
  | 'redactedById'
> & {
  data: { before?: Record<string, unknown>; after?: Record<string, unknown>; text?: string };
};

/** The order of events, and of rows derived from them, by sequence. */
export const byAge = <Row extends Pick<Event, 'id' | 'sequence'>>(
  events: Rows<'events'>,
): Record<'CREATED_AT', Sort<Row>> => ({
  CREATED_AT: {
    ...sortBy<Row>(sql`${events}.id`, sql`${events}.sequence`, 'bigint', (row) => row.sequence),
    unique: true,
  },
});

/** The events of a document or task. */
export const eventsOfSubject: Listing<Event, object, 'CREATED_AT'> = {
  name: 'eventsOfSubject',
  select: () => sql`e.*`,
  from: tables.events.from,
  where: () => sql`e.organization_id = k.organization_id AND e.subject_id = k.id`,
  sorts: byAge<Event>(tables.events),
};

/** Reads the visible events among the ids. */
export const findEvents = ({ db, viewer }: Context, ids: readonly string[], reader: Reader = db) =>
  reader.query<Event>(
    sql`SELECT e.* FROM ${tables.events.from} WHERE e.id ${sql.any(ids)} AND ${visibleEvents(viewer, tables.events)}`,
  );

/** The members that an event changed, with their values before and after; null where absent. */
export function changesOf({ data: { before = {}, after = {} } }: Event) {
  const members = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return members.map((member) => ({ member, before: before[member] ?? null, after: after[member] ?? null }));
}
