import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { toHex } from '../../lib/text/hex.ts';
import { tables } from '../kernel/tables.ts';
import type { AnchorProof } from './anchor-proof.ts';
import { ANCHORS, type AnchorRow, anchorColumns, proofOf, tokenColumn } from './anchor-row.ts';
import { loadLogTree } from './log-tree.ts';
import { inclusionPath } from './merkle-tree.ts';

/** The hashes that lead from an event to the root of an anchor, which is named by its index. */
interface AnchoredEvent {
  anchor: number;
  path: string[];
}

export interface ProvenEvents {
  /** In order of size. */
  anchors: AnchorProof[];
  /** By sequence; without those that are not stamped yet. */
  events: Map<number, AnchoredEvent>;
}

/**
 * Proves that events are in a state of their organization's log that was stamped: the first one that has an event of
 * `marked`, and for later ones the newest.
 */
export async function proveEvents(
  db: Reader,
  organizationId: string,
  sequences: readonly number[],
  marked: readonly number[],
): Promise<ProvenEvents> {
  const anchors = await anchorsFor(db, organizationId, marked);
  const events = new Map<number, AnchoredEvent>();
  for (const [anchor, { size }] of anchors.entries()) {
    const within = sequences.filter((sequence) => sequence <= size && !events.has(sequence));
    if (within.length === 0) continue;
    const indexes = within.map((sequence) => sequence - 1);
    const hashOf = await loadLogTree(db, organizationId, size, indexes);
    for (const index of indexes)
      events.set(index + 1, { anchor, path: inclusionPath(hashOf, index, size).map(toHex) });
  }
  return { anchors, events };
}

async function anchorsFor(
  db: Reader,
  organizationId: string,
  marked: readonly number[],
): Promise<AnchorProof[]> {
  const rows = await db.query<AnchorRow>(sql`SELECT ${anchorColumns}, ${tokenColumn} FROM ${ANCHORS}
    WHERE ${tables.logAnchors}.organization_id = ${organizationId} AND ${tables.logAnchors}.size IN (
      SELECT max(a.size) FROM log_anchors a WHERE a.organization_id = ${organizationId}
      UNION SELECT (SELECT min(a.size) FROM log_anchors a WHERE a.organization_id = ${organizationId} AND a.size >= x.sequence)
        FROM unnest(${[...marked]}::bigint[]) x(sequence))
    ORDER BY ${tables.logAnchors}.size`);
  return rows.map(proofOf);
}
