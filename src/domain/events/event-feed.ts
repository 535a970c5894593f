import { z } from 'zod';
import { type Sql, sql } from '../../db/sql/sql.ts';
import {
  guestOrganizations,
  seesAllContent,
  visibleProjects,
  visibleSearchTemplates,
} from '../access/access.ts';
import { visibleFeedEvents } from '../access/access-event.ts';
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
import { byAge, type Event } from './event.ts';

/** What a reader of events wants of them; all that is given has to hold. */
export interface EventFilter {
  /** `task.completed`, or `task.*` for all that happens to tasks. */
  kinds?: readonly string[] | null;
  projectId?: string | null;
}

/** The project of an event, or else what it happened to: an index has the events of each in order. */
const feedKey = sql`coalesce(e.project_id, e.subject_id)`;

/** An index has the events of each kind in order; of no other will PostgreSQL think that it serves. */
const kindKey = sql`(e.organization_id || ' ' || e.kind)`;

const KIND = /^[a-zA-Z_]{1,40}\.(?:\*|[a-zA-Z_]{1,40})$/;

export const kinds = z
  .array(z.string().regex(KIND, 'must be a kind such as task.completed, or task.* for all of a noun'))
  .max(50, 'at most 50');

/** The kinds that are named as such, and the nouns of which all are. Throws BAD_USER_INPUT for what can be no kind. */
function parseKinds({ kinds: given }: EventFilter) {
  const wanted = parse(kinds, given ?? [], 'kinds');
  const nouns = wanted.filter((kind) => kind.endsWith('.*')).map((kind) => kind.slice(0, -2));
  return { wanted, nouns };
}

const inProject = ({ projectId }: EventFilter) =>
  projectId && sql`e.project_id = ${projectId} AND ${feedKey} = ${projectId}`;

/** A condition for each member that is given, on events as `e`. Throws BAD_USER_INPUT. */
export function matchesFilter(filter: EventFilter): Sql {
  const { wanted, nouns } = parseKinds(filter);
  return sql.all([
    filter.kinds && sql`(e.kind = ANY(${wanted}) OR split_part(e.kind, '.', 1) = ANY(${nouns}))`,
    inProject(filter),
  ]);
}

type EventListing = Listing<Event, EventFilter, 'SEQUENCE'>;

const common = {
  select: () => sql`e.*`,
  from: sql`events e`,
  sorts: { SEQUENCE: { ...byAge<Event>().CREATED_AT, cursorIsValue: true } satisfies Sort<Event> },
};

const row = sql`e`;

/** Of the viewer's own, thing by thing, in projects of which they do not see all. */
const eventsInvolvingViewer = ({ viewer }: Context): EventListing => ({
  ...common,
  name: 'eventsOfOwn',
  parts: { from: () => sql`(${involvedEventSubjectIds(viewer, sql`k.id`)}) o(id)`, row },
  where: (_, filter) => sql`e.organization_id = k.id AND e.subject_id = o.id AND ${matchesFilter(filter)}
    AND ${visibleFeedEvents(viewer)} AND NOT ${seesAllOfProject(viewer, sql`k.id`, sql`e.project_id`)}`,
});

/** Of the organization itself, of projects of which the viewer sees all, and of searches that they saved for all of it; and of their own. */
const eventsByProject = (ctx: Context): EventListing => ({
  ...common,
  name: 'eventsOfPlaces',
  parts: {
    from: ({ viewer }) => sql`(SELECT k.id UNION ALL
      SELECT p.id FROM ${visibleProjectRows(viewer)}
      WHERE p.organization_id = k.id AND ${visibleProjects(viewer)} AND ${seesAllContent(viewer)} UNION ALL
      SELECT s.id FROM search_templates s WHERE s.organization_id = k.id AND s.project_id IS NULL AND ${visibleSearchTemplates(viewer)}
      ) o(id)`,
    row,
  },
  where: ({ viewer }, filter) => sql`e.organization_id = k.id AND ${feedKey} = o.id
    AND ${matchesFilter(filter)} AND ${visibleFeedEvents(viewer)}`,
  union: { listing: eventsInvolvingViewer(ctx), row },
});

/** Kind by kind; those of a noun are as many as ever happened, which the index tells one after the other. */
const eventsByKind = (filter: EventFilter): EventListing => {
  const { wanted, nouns } = parseKinds(filter);
  const next = (after: Sql, noun: Sql) => sql`(SELECT min(${kindKey}) FROM events e
    WHERE ${kindKey} > ${after} AND ${kindKey} < k.id || ' ' || ${noun} || '/')`;
  return {
    ...common,
    name: 'eventsOfKinds',
    parts: {
      from: () => sql`(WITH RECURSIVE n(noun, key) AS (
          SELECT w.noun, ${next(sql`k.id || ' ' || w.noun || '.'`, sql`w.noun`)} FROM unnest(${nouns}::text[]) w(noun)
          UNION ALL SELECT n.noun, ${next(sql`n.key`, sql`n.noun`)} FROM n WHERE n.key IS NOT NULL)
        SELECT key FROM n WHERE key IS NOT NULL UNION SELECT k.id || ' ' || unnest(${wanted}::text[])) o(key)`,
      row,
    },
    where: ({ viewer }, given) =>
      sql.all([sql`${kindKey} = o.key`, inProject(given), visibleFeedEvents(viewer)]),
  };
};

/**
 * All that happened in an organization and that the viewer may see, in order; the cursor of an event is its sequence.
 * Members see most of what is there; a guest sees little of it, and is better served place by place.
 */
export function eventsOfOrganization(ctx: Context, id: string): EventListing {
  const { viewer } = ctx;
  if (guestOrganizations(viewer).includes(id)) return eventsByProject(ctx);
  const partly = partialOrganizations(viewer).includes(id);
  return {
    ...common,
    // Loads of one name are batched, and someone may manage one organization and be a member of another.
    name: partly ? 'eventsOfMembers' : 'eventsOfAll',
    where: (_, filter) =>
      sql`e.organization_id = k.id AND ${matchesFilter(filter)} AND ${visibleFeedEvents(viewer)}`,
    sparse: (_, filter) => {
      const listing = () => (filter.kinds ? eventsByKind(filter) : eventsByProject(ctx));
      const within = sql.all([sql`e.organization_id = k.id`, inProject(filter)]);
      const beside = sql`${matchesFilter(filter)} AND ${visibleFeedEvents(viewer)}`;
      return filter.kinds || partly
        ? { firstAttempt: { row, indexCondition: () => within, rowCondition: beside }, fallback: listing }
        : undefined;
    },
  };
}

/** The event at each of these places, null where the viewer does not see it. */
export async function findEvents(
  { db, viewer }: Context,
  places: readonly Pick<Event, 'organizationId' | 'sequence'>[],
): Promise<(Event | null)[]> {
  const rows = await db.query<Event & ParentIndexed>(sql`SELECT k.index::int AS parent_index, e.*
    FROM unnest(${places.map(({ organizationId }) => organizationId)}::text[],
      ${places.map(({ sequence }) => sequence)}::bigint[]) WITH ORDINALITY AS k(organization_id, sequence, index)
    JOIN events e ON e.organization_id = k.organization_id AND e.sequence = k.sequence WHERE ${visibleFeedEvents(viewer)}`);
  return alignToParents(places.length, rows);
}
