import { sql } from '../../db/sql/sql.ts';
import { visibleFeedEvents } from '../access/access-event.ts';
import { readShared } from '../access/shared-read.ts';
import type { Context } from '../kernel/context.ts';
import { badInput, notFound } from '../kernel/errors.ts';
import { type Follower, RECHECK_INTERVAL, watchOrganization } from '../kernel/follower.ts';
import { findOrganizations } from '../organizations/organization.ts';
import { requireProjectOf } from '../projects/project.ts';
import type { Event } from './event.ts';
import { type EventFilter, matchesFilter } from './event-feed.ts';

export interface FeedInput extends EventFilter {
  organizationId: string;
  /** The sequence of the last event that was read; from now on when it is left out. */
  after?: bigint | null;
}

const PAGE = 50;

/**
 * The events that the caller may see, each as soon as it is there, with the rights of that moment; without loss between
 * those of the past and those to come, as both are read from the same table by their sequence. Nothing is kept here but
 * one page. Ends by throwing: BAD_USER_INPUT for a position that does not exist, UNAUTHENTICATED with the credential, NOT_FOUND with the organization or the project.
 */
export async function* followEvents(
  { renew, signal }: Follower,
  { organizationId, after, ...filter }: FeedInput,
): AsyncGenerator<{ ctx: Context; event: Event }> {
  const place = { organizationId, projectId: filter.projectId };
  const wanted = [organizationId, JSON.stringify(filter)];
  let since = performance.now();
  let ctx = await renewContext(renew, place, since);
  let cursor = await startSequence(ctx, organizationId, after);
  const news = watchOrganization(ctx, organizationId, signal);
  try {
    while (!signal.aborted) {
      const from = cursor;
      const { events, through, more } = await readShared(ctx, ['events', ...wanted, `${from}`], since, () =>
        readEventsAfter(ctx, organizationId, filter, from),
      );
      const read = Date.now();
      for (const event of events) {
        // A reader that takes its time must not be given what it may no longer see.
        if (Date.now() - read > RECHECK_INTERVAL) break;
        yield { ctx, event };
        cursor = event.sequence;
      }
      if (!more && cursor === (events.at(-1)?.sequence ?? cursor)) {
        cursor = through;
        since = await news.waitForChange();
      } else since = performance.now();
      ctx = await renewContext(renew, place, since);
    }
  } finally {
    news.end();
  }
}

interface FeedPath {
  organizationId: string;
  projectId?: string | null;
}

async function renewContext(renew: Follower['renew'], place: FeedPath, since: number): Promise<Context> {
  const ctx = await renew();
  const { organizationId, projectId } = place;
  await readShared(ctx, ['place', organizationId, projectId], since, () => requireFeedPath(ctx, place));
  return ctx;
}

/** Throws BAD_USER_INPUT for a sequence that the organization has not reached: whoever waited for it would miss what comes first. */
async function startSequence(
  ctx: Context,
  organizationId: string,
  after: FeedInput['after'],
): Promise<bigint> {
  const head = await lastSequence(ctx, organizationId);
  if (after == null) return head;
  if (after < 0n || after > head) throw badInput('after: is not a position of this feed', 'after');
  return after;
}

async function lastSequence({ db }: Context, organizationId: string): Promise<bigint> {
  const [head] = await db.query<{ sequence: bigint }>(
    sql`SELECT sequence FROM event_heads WHERE organization_id = ${organizationId}`,
  );
  return head?.sequence ?? 0n;
}

/** A page, and how far it has read: the last event of the organization in the same view of the database, if there is no `more`. */
export async function readEventsAfter(
  { db, viewer }: Context,
  organizationId: string,
  filter: EventFilter,
  cursor: bigint,
) {
  const rows = await db.query<Event & { through: bigint }>(sql`
    SELECT h.sequence AS through, x.* FROM event_heads h LEFT JOIN LATERAL (
      SELECT e.* FROM events e WHERE e.organization_id = h.organization_id AND e.sequence > ${cursor}
      AND ${matchesFilter(filter)} AND ${visibleFeedEvents(viewer)} ORDER BY e.sequence LIMIT ${sql.raw(String(PAGE))}
    ) x ON true WHERE h.organization_id = ${organizationId} ORDER BY x.sequence`);
  const [first] = rows;
  const through = first && first.through > cursor ? first.through : cursor;
  const events: Event[] = rows.filter(({ id }) => id !== null);
  const more = events.length === PAGE;
  return { events, more, through: more ? (events.at(-1) as Event).sequence : through };
}

async function requireFeedPath(ctx: Context, { organizationId, projectId }: FeedPath): Promise<void> {
  if (projectId) return requireProjectOf(ctx, ctx.db, organizationId, projectId, 'projectId');
  const [organization] = await findOrganizations(ctx, [organizationId]);
  if (!organization) throw notFound('Organization', 'organizationId');
}
