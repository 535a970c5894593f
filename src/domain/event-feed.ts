import { z } from 'zod';
import { type Sql, sql } from '../db/sql.ts';
import { guestOf, visibleProjects, visibleSearchTemplates } from './access.ts';
import { visibleFeed } from './access-event.ts';
import type { Context } from './context.ts';
import { byAge, type Event } from './event.ts';
import { parse } from './input.ts';
import type { Listing, Sort } from './page.ts';

/** What a reader of events wants of them; all that is given has to hold. */
export interface EventFilter {
  /** `task.completed`, or `task.*` for all that happens to tasks. */
  kinds?: readonly string[] | null;
  projectId?: string | null;
}

/** The project of an event, or else what it happened to: an index has the events of each in order. */
const place = sql`coalesce(e.project_id, e.subject_id)`;

const KIND = /^[a-zA-Z_]{1,40}\.(?:\*|[a-zA-Z_]{1,40})$/;

export const kinds = z
  .array(z.string().regex(KIND, 'must be a kind such as task.completed, or task.* for all of a noun'))
  .max(50, 'at most 50');

/** A condition for each member that is given, on events as `e`. Throws BAD_USER_INPUT for what can be no kind. */
export function matchesFilter(filter: EventFilter): Sql {
  const wanted = parse(kinds, filter.kinds ?? [], 'kinds');
  const nouns = wanted.filter((kind) => kind.endsWith('.*')).map((kind) => kind.slice(0, -2));
  return sql.all([
    filter.kinds && sql`(e.kind = ANY(${wanted}) OR split_part(e.kind, '.', 1) = ANY(${nouns}))`,
    filter.projectId && sql`e.project_id = ${filter.projectId} AND ${place} = ${filter.projectId}`,
  ]);
}

const bySequence: Sort<Event> = { ...byAge<Event>().CREATED_AT, alone: true };

const eventsOfAll: Listing<Event, EventFilter, 'SEQUENCE'> = {
  name: 'eventsOfAll',
  select: () => sql`e.*`,
  from: sql`events e`,
  where: ({ viewer }, filter) =>
    sql`e.organization_id = k.id AND ${matchesFilter(filter)} AND ${visibleFeed(viewer)}`,
  sorts: { SEQUENCE: bySequence },
};

/** The same for a guest: of the organization itself, of their projects, and of searches that they saved before they were one. */
const eventsOfPlaces: typeof eventsOfAll = {
  ...eventsOfAll,
  name: 'eventsOfPlaces',
  parts: {
    from: ({ viewer }) => sql`(SELECT k.id UNION ALL
      SELECT p.id FROM projects p WHERE p.organization_id = k.id AND ${visibleProjects(viewer)} UNION ALL
      SELECT s.id FROM search_templates s WHERE s.organization_id = k.id AND s.project_id IS NULL AND ${visibleSearchTemplates(viewer)}
      ) o(id)`,
    row: sql`e`,
  },
  where: ({ viewer }, filter) => sql`e.organization_id = k.id AND ${place} = o.id
    AND ${matchesFilter(filter)} AND ${visibleFeed(viewer)}`,
};

/**
 * All that happened in an organization and that the viewer may see, in order; the cursor of an event is its sequence.
 * Members see most of what is there; a guest sees little of it, and is better served place by place.
 */
export const eventsOfOrganization = ({ viewer }: Context, id: string): typeof eventsOfAll =>
  guestOf(viewer).includes(id) ? eventsOfPlaces : eventsOfAll;

/** Those of the keys, each an organization's id and a sequence, that are visible, in no particular order. */
export const findEvents = ({ db, viewer }: Context, keys: readonly string[]) =>
  db.query<Event>(sql`SELECT e.* FROM unnest(
    ${keys.map((key) => key.split(' ')[0])}::text[], ${keys.map((key) => key.split(' ')[1])}::text[]) AS k(organization_id, sequence)
    JOIN events e ON e.organization_id = k.organization_id AND e.sequence = k.sequence::bigint WHERE ${visibleFeed(viewer)}`);
