import { z } from 'zod';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { MINUTE } from '../../lib/time.ts';
import { seesAllContent, visibleProjects, visibleSearchTemplates } from '../access/access.ts';
import { visibleEvents } from '../access/access-event.ts';
import {
  involvedEventSubjectIds,
  partialOrganizations,
  seesAllOfProject,
  visibleProjectRows,
} from '../access/access-involved.ts';
import type { Context } from '../kernel/context.ts';
import { parse } from '../kernel/input.ts';
import { alignToParents, type Listing, type ParentIndexed } from '../kernel/listing.ts';
import type { Sort } from '../kernel/page.ts';
import { tables } from '../kernel/tables.ts';
import { organizationsWith } from '../kernel/viewer.ts';
import { byAge, type Event } from './event.ts';

/** Which events to read; all members that are present must match. */
export interface EventFilter {
  /** `task.completed`, or `task.*` for all events of tasks. */
  kinds?: readonly string[] | null;
  projectId?: string | null;
}

/** Which events of an organization to list: also by who acted, and by time. */
interface EventListFilter extends EventFilter {
  actorId?: string | null;
  /** Of what this application did; without events of versions that did not store the application. */
  clientId?: string | null;
  /** From this time on. */
  since?: Date | null;
  /** Before this time. */
  until?: Date | null;
}

/** The project of an event, or else its subject; an index has the events of each in order. */
const feedKey = (events: Rows<'events'>): Sql => sql`coalesce(${events}.project_id, ${events}.subject_id)`;

const row = tables.events;

/** The expression of the index that has the events of each kind in order; conditions must use it literally. */
const kindKey = sql`(${row}.organization_id || ' ' || ${row}.kind)`;

const KIND = /^[a-zA-Z_]{1,40}\.(?:\*|[a-zA-Z_]{1,40})$/;

export const kinds = z
  .array(z.string().regex(KIND, 'must be a kind such as task.completed, or task.* for all of a noun'))
  .max(50, 'at most 50');

/** Splits kinds into complete ones, and nouns of `noun.*`. Throws BAD_USER_INPUT for an invalid kind. */
function parseKinds(filter: EventFilter) {
  const exact = parse(kinds, filter.kinds ?? [], 'kinds');
  const nouns = exact.filter((kind) => kind.endsWith('.*')).map((kind) => kind.slice(0, -2));
  return { exact, nouns };
}

const inProject = ({ projectId }: EventFilter, events: Rows<'events'>) =>
  projectId && sql`${events}.project_id = ${projectId} AND ${feedKey(events)} = ${projectId}`;

/** The conditions of the filter on events. Throws BAD_USER_INPUT for an invalid kind. */
export function matchesFilter(filter: EventFilter, events: Rows<'events'>): Sql {
  const { exact, nouns } = parseKinds(filter);
  return sql.all([
    filter.kinds &&
      sql`(${events}.kind = ANY(${exact}) OR split_part(${events}.kind, '.', 1) = ANY(${nouns}))`,
    inProject(filter, events),
  ]);
}

type EventListing = Listing<Event, EventListFilter, 'SEQUENCE'>;

/**
 * The last sequence of the organization `k` before a time; 0 if there is none. A binary search over the key, as times rise
 * with sequences but for the difference of the clocks of servers.
 */
const sequenceBefore = (time: Date): Sql => sql`(WITH RECURSIVE s(low, high) AS (
    SELECT 0::bigint, h.sequence + 1 FROM event_heads h WHERE h.organization_id = k.id
    UNION ALL SELECT CASE WHEN m.created_at < ${time} THEN m.sequence ELSE s.low END,
      CASE WHEN m.created_at < ${time} THEN s.high ELSE m.sequence END
    FROM s JOIN events m ON m.organization_id = k.id AND m.sequence = (s.low + s.high) / 2 WHERE s.high - s.low > 1)
  SELECT coalesce(max(s.low), 0) FROM s)`;

/** How far clocks of servers may differ, in ms. */
const CLOCK_SKEW = MINUTE;

const shifted = (time: Date, ms: number): Date => new Date(time.getTime() + ms);

/** The conditions of a list's filter on events of the organization `k`. Throws BAD_USER_INPUT for an invalid kind. */
const inList = ({ actorId, clientId, since, until, ...filter }: EventListFilter): Sql =>
  sql.all([
    matchesFilter(filter, row),
    actorId && sql`${row}.actor_id = ${actorId}`,
    clientId && sql`${row}.client_id = ${clientId}`,
    since &&
      sql`${row}.created_at >= ${since} AND ${row}.sequence > ${sequenceBefore(shifted(since, -CLOCK_SKEW))}`,
    until &&
      sql`${row}.created_at < ${until} AND ${row}.sequence <= ${sequenceBefore(shifted(until, CLOCK_SKEW))}`,
  ]);

const common = {
  select: () => sql`${row}.*`,
  from: row.from,
  sorts: { SEQUENCE: { ...byAge<Event>(row).CREATED_AT, cursorIsValue: true } satisfies Sort<Event> },
};

/** Events of subjects that involve the viewer, in projects that they see in part. One part per subject. */
const eventsInvolvingViewer = ({ viewer }: Context): EventListing => ({
  ...common,
  name: 'eventsOfOwn',
  parts: { from: () => sql`(${involvedEventSubjectIds(viewer, sql`k.id`)}) o(id)`, row },
  where: (_, filter) => sql`e.organization_id = k.id AND e.subject_id = o.id AND ${inList(filter)}
    AND ${visibleEvents(viewer, tables.events)} AND NOT ${seesAllOfProject(viewer, sql`k.id`, sql`e.project_id`)}`,
});

/** Events by feed key: of the organization, of projects seen in full, of saved searches; and those that involve the viewer. */
const eventsByProject = (ctx: Context): EventListing => ({
  ...common,
  name: 'eventsOfPlaces',
  parts: {
    from: ({ viewer }) => sql`(SELECT k.id UNION ALL
      SELECT ${tables.projects}.id FROM ${visibleProjectRows(viewer)}
      WHERE ${tables.projects}.organization_id = k.id AND ${visibleProjects(viewer, tables.projects)} AND ${seesAllContent(viewer, tables.projects)} UNION ALL
      SELECT s.id FROM ${tables.searchTemplates.from} WHERE s.organization_id = k.id AND s.project_id IS NULL AND ${visibleSearchTemplates(viewer, tables.searchTemplates)}
      ) o(id)`,
    row,
  },
  where: ({ viewer }, filter) => sql`e.organization_id = k.id AND ${feedKey(row)} = o.id
    AND ${inList(filter)} AND ${visibleEvents(viewer, tables.events)}`,
  union: { listing: eventsInvolvingViewer(ctx), row },
});

/** Events by kind, one part each. The kinds of a noun are read from the index by a recursive skip scan. */
const eventsByKind = (filter: EventListFilter): EventListing => {
  const { exact, nouns } = parseKinds(filter);
  const next = (after: Sql, noun: Sql) => sql`(SELECT min(${kindKey}) FROM ${tables.events.from}
    WHERE ${kindKey} > ${after} AND ${kindKey} < k.id || ' ' || ${noun} || '/')`;
  return {
    ...common,
    name: 'eventsOfKinds',
    parts: {
      from: () => sql`(WITH RECURSIVE n(noun, key) AS (
          SELECT w.noun, ${next(sql`k.id || ' ' || w.noun || '.'`, sql`w.noun`)} FROM unnest(${sql.texts(nouns)}) w(noun)
          UNION ALL SELECT n.noun, ${next(sql`n.key`, sql`n.noun`)} FROM n WHERE n.key IS NOT NULL)
        SELECT key FROM n WHERE key IS NOT NULL UNION SELECT k.id || ' ' || unnest(${sql.texts(exact)})) o(key)`,
      row,
    },
    where: ({ viewer }, filter) =>
      sql.all([
        sql`${kindKey} = o.key`,
        inList({ ...filter, kinds: null }),
        visibleEvents(viewer, tables.events),
      ]),
  };
};

/**
 * The visible events of an organization in order of sequence, which is also their cursor. Members see most events, so the
 * feed is scanned; guests see few, so it is read by project and subject.
 */
export function eventsOfOrganization(ctx: Context, id: string): EventListing {
  const { viewer } = ctx;
  if (organizationsWith(viewer, 'GUEST').includes(id)) return eventsByProject(ctx);
  const inPart = partialOrganizations(viewer).includes(id);
  return {
    ...common,
    // Lists of one name are batched, and a viewer may be an admin of one organization and a member of another.
    name: inPart ? 'eventsOfMembers' : 'eventsOfAll',
    where: (_, filter) =>
      sql`e.organization_id = k.id AND ${inList(filter)} AND ${visibleEvents(viewer, tables.events)}`,
    sparse: (_, filter) => {
      const fallback = () => (filter.kinds ? eventsByKind(filter) : eventsByProject(ctx));
      const indexCondition = sql.all([sql`e.organization_id = k.id`, inProject(filter, row)]);
      const rowCondition = sql`${inList(filter)} AND ${visibleEvents(viewer, tables.events)}`;
      return filter.kinds || inPart
        ? { firstAttempt: { row, indexCondition: () => indexCondition, rowCondition }, fallback }
        : undefined;
    },
  };
}

/** Reads events by organization and sequence; null for those that the viewer does not see. */
export async function findEvents(
  { db, viewer }: Context,
  positions: readonly Pick<Event, 'organizationId' | 'sequence'>[],
): Promise<(Event | null)[]> {
  const rows = await db.query<Event & ParentIndexed>(sql`SELECT k.index::int AS parent_index, e.*
    FROM unnest(${sql.texts(positions.map(({ organizationId }) => organizationId))},
      ${positions.map(({ sequence }) => sequence)}::bigint[]) WITH ORDINALITY AS k(organization_id, sequence, index)
    JOIN ${tables.events.from} ON e.organization_id = k.organization_id AND e.sequence = k.sequence WHERE ${visibleEvents(viewer, tables.events)}`);
  return alignToParents(positions.length, rows);
}
