import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { toHex } from '../../lib/text/hex.ts';
import { visibleEvents, visibleLogAnchors } from '../access/access-event.ts';
import type { Context } from '../kernel/context.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import { tables } from '../kernel/tables.ts';
import { ANCHORS, type AnchorRow, anchorColumns, tokenColumn } from './anchor-row.ts';
import { proveEvents } from './event-proof.ts';
import { loadLogTree } from './log-tree.ts';
import { consistencyPath } from './merkle-tree.ts';

const columns = sql`${anchorColumns}, ${tokenColumn}`;

/** The time-stamped states of an organization's log. */
export const anchorsOfOrganization: Listing<AnchorRow, object, 'SIZE'> = {
  name: 'anchorsOfOrganization',
  select: () => columns,
  from: ANCHORS,
  where: ({ viewer }) => sql`l.organization_id = k.id AND ${visibleLogAnchors(viewer, tables.logAnchors)}`,
  sorts: { SIZE: { ...sortBy(sql`l.id`, sql`l.size`, 'bigint', (row) => row.size), unique: true } },
};

/** Those of the ids that are visible, in no particular order. */
export const findLogAnchors = ({ db, viewer }: Context, ids: readonly string[], reader: Reader = db) =>
  reader.query<AnchorRow>(sql`SELECT ${columns} FROM ${ANCHORS}
    WHERE l.id ${sql.any(ids)} AND ${visibleLogAnchors(viewer, tables.logAnchors)}`);

/** The proof that an event is in a time-stamped state of the log. Hashes in hex. */
export interface LogInclusion {
  /** The number of events of that state, and its root. */
  size: bigint;
  root: string;
  sequence: bigint;
  /** The hash of the event, and the hashes that lead from it to the root. */
  hash: string;
  path: string[];
}

/** Proves an event by the first time-stamp after it; null if it is not visible, of another organization, or not stamped yet. */
export async function proveInclusion(
  ctx: Context,
  organizationId: string,
  eventId: string,
): Promise<LogInclusion | null> {
  const [event] = await ctx.db.query<{ sequence: bigint; hash: Uint8Array }>(sql`SELECT e.sequence, e.hash
    FROM ${tables.events.from} WHERE e.id = ${eventId} AND e.organization_id = ${organizationId}
      AND ${visibleEvents(ctx.viewer, tables.events)}`);
  if (!event) return null;
  const sequence = Number(event.sequence);
  const { anchors, events } = await proveEvents(ctx.db, organizationId, [sequence], [sequence]);
  const proven = events.get(sequence);
  const anchor = proven && anchors[proven.anchor];
  if (!anchor) return null;
  const { size, root } = anchor;
  return { size: BigInt(size), root, sequence: event.sequence, hash: toHex(event.hash), path: proven.path };
}

/**
 * The hashes which prove that the log of `to` events continues the one of `from` events (RFC 9162 §2.1.4), in hex; null
 * unless both states have a time-stamp that is visible.
 */
export async function proveConsistency(
  { db, viewer }: Context,
  organizationId: string,
  { from, to }: { from: bigint; to: bigint },
): Promise<string[] | null> {
  if (from > to) return null;
  const anchors = await db.query(sql`SELECT l.size FROM ${tables.logAnchors.from}
    WHERE l.organization_id = ${organizationId} AND l.size IN (${from}, ${to}) AND ${visibleLogAnchors(viewer, tables.logAnchors)}`);
  if (anchors.length < (from === to ? 1 : 2)) return null;
  const [older, newer] = [Number(from), Number(to)];
  const hashOf = await loadLogTree(db, organizationId, newer, [older - 1]);
  return consistencyPath(hashOf, older, newer).map(toHex);
}
