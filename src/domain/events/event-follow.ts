import { sql } from '../../db/sql/sql.ts';
import { visibleEvents } from '../access/access-event.ts';
import { readShared, rightsKey } from '../access/shared-read.ts';
import type { Context } from '../kernel/context.ts';
import { badValue, notFound } from '../kernel/errors.ts';
import {
  awake,
  type Follower,
  RECHECK_INTERVAL,
  type WakeUp,
  watchOrganization,
} from '../kernel/follower.ts';
import { tables } from '../kernel/tables.ts';
import { findOrganizations } from '../organizations/organization.ts';
import { requireProjectOf } from '../projects/project.ts';
import type { Event } from './event.ts';
import { type EventFilter, matchesFilter } from './event-feed.ts';

export interface FeedInput extends EventFilter {
  organizationId: string;
  /** The sequence of the last event received; by default only new events follow. */
  after?: bigint | null;
}

const PAGE = 50;

/**
 * Resolves when the position is known from which events follow, so that none of what happens later is missed: the sequence
 * `position`, and visible events after it, then new ones as they happen, with the caller's current rights. Past and new
 * events are read from the same table by sequence, so none is lost. Throws BAD_USER_INPUT for an invalid position,
 * UNAUTHENTICATED when the credential ends, NOT_FOUND when the organization or project becomes invisible.
 */
export async function followEvents(follower: Follower, { after, ...feed }: FeedInput) {
  const ctx = await renewContext(follower.renew, feed, awake());
  const position = await startSequence(ctx, feed.organizationId, after);
  return { position, events: eventsAfter(follower, feed, ctx, position) };
}

async function* eventsAfter(
  { renew, signal }: Follower,
  { organizationId, ...filter }: Omit<FeedInput, 'after'>,
  start: Context,
  position: bigint,
): AsyncGenerator<{ ctx: Context; event: Event }> {
  const path = { organizationId, projectId: filter.projectId };
  const key = [organizationId, JSON.stringify(filter)];
  let woken = awake();
  let ctx = start;
  let cursor = position;
  const changes = watchOrganization(ctx, organizationId, signal);
  try {
    while (!signal.aborted) {
      const from = cursor;
      const reader = ctx;
      const { events, through, more, end } = await readShared(
        reader,
        ['events', ...key, `${from}`],
        woken.since,
        () => readEventsAfter(reader, organizationId, filter, from),
      );
      // Rights that ended while it was read, such as by one of these events, must not show them.
      ctx = await renewContext(renew, path, { at: end, since: end });
      if (rightsKey(ctx.viewer) !== rightsKey(reader.viewer)) {
        woken = awake();
        continue;
      }
      const readAt = Date.now();
      for (const event of events) {
        // A slow reader must not receive events that it may no longer see.
        if (Date.now() - readAt > RECHECK_INTERVAL) break;
        yield { ctx, event };
        cursor = event.sequence;
      }
      if (!more && cursor === (events.at(-1)?.sequence ?? cursor)) {
        cursor = through;
        woken = await changes.waitForChange();
      } else woken = awake();
    }
  } finally {
    changes.end();
  }
}

interface FeedPath {
  organizationId: string;
  projectId?: string | null;
}

async function renewContext(
  renew: Follower['renew'],
  path: FeedPath,
  { at, since }: WakeUp,
): Promise<Context> {
  const ctx = await renew(at);
  const { organizationId, projectId } = path;
  await readShared(ctx, ['path', organizationId, projectId], since, () => requireFeedPath(ctx, path));
  return ctx;
}

/** Throws BAD_USER_INPUT for a sequence that is not reached yet: the caller would miss the events before it. */
async function startSequence(
  ctx: Context,
  organizationId: string,
  after: FeedInput['after'],
): Promise<bigint> {
  const head = await lastSequence(ctx, organizationId);
  if (after == null) return head;
  if (after < 0n || after > head) throw badValue('after', 'is not a position of this feed');
  return after;
}

async function lastSequence({ db }: Context, organizationId: string): Promise<bigint> {
  const [head] = await db.query<{ sequence: bigint }>(
    sql`SELECT sequence FROM event_heads WHERE organization_id = ${organizationId}`,
  );
  return head?.sequence ?? 0n;
}

/** Reads a page, and up to which sequence: without `more`, the organization's last event in the same snapshot. `end`: by performance.now(). */
export async function readEventsAfter(
  { db, viewer }: Context,
  organizationId: string,
  filter: EventFilter,
  cursor: bigint,
) {
  const rows = await db.query<Event & { through: bigint }>(sql`
    SELECT h.sequence AS through, x.* FROM event_heads h LEFT JOIN LATERAL (
      SELECT e.* FROM ${tables.events.from} WHERE e.organization_id = h.organization_id AND e.sequence > ${cursor}
      AND ${matchesFilter(filter, tables.events)} AND ${visibleEvents(viewer, tables.events)} ORDER BY e.sequence LIMIT ${sql.raw(String(PAGE))}
    ) x ON true WHERE h.organization_id = ${organizationId} ORDER BY x.sequence`);
  const [first] = rows;
  const through = first && first.through > cursor ? first.through : cursor;
  const events: Event[] = rows.filter(({ id }) => id !== null);
  const more = events.length === PAGE;
  const end = performance.now();
  return { events, more, end, through: more ? (events.at(-1) as Event).sequence : through };
}

async function requireFeedPath(ctx: Context, { organizationId, projectId }: FeedPath): Promise<void> {
  if (projectId) return requireProjectOf(ctx, ctx.db, organizationId, projectId, 'projectId');
  const [organization] = await findOrganizations(ctx, [organizationId]);
  if (!organization) throw notFound('Organization', 'organizationId');
}
