import { sql } from '../../db/sql/sql.ts';
import type { State } from '../../generated/prisma/client.ts';
import type { StateKind } from '../../generated/prisma/enums.ts';
import type { Context } from '../kernel/context.ts';
import { organizationsOf } from '../kernel/viewer.ts';

/** A state of an item, with what proves it. */
export interface RecordedState
  extends Pick<State, 'organizationId' | 'subjectId' | 'fromSequence' | 'salt' | 'hash'> {
  kind: StateKind;
  /** Null while it is current. */
  toSequence: bigint | null;
  /** The item as JSON. */
  content: string;
  /** The hashes of all states that the transaction wrote, in order of the ids of their subjects. */
  hashes: Uint8Array[];
  /** The id of the event that commits to the state. */
  eventId: string | null;
}

/** After all events. */
const LAST = 9_223_372_036_854_775_807n;

/** Reads the state of each of these items, which the viewer sees, at the moment of the context. Null before the first one. */
export async function findRecordedStates(
  { db, past }: Context,
  items: readonly { organizationId: string; id: string }[],
): Promise<(RecordedState | null)[]> {
  const rows = await db.query<RecordedState & { index: number }>(sql`
    SELECT k.index::int, s.organization_id, s.subject_id, s.from_sequence, t.to_sequence,
      s.kind::text, s.body::text AS content, s.salt, s.hash, e.id AS event_id,
      ARRAY(SELECT o.hash FROM states o WHERE o.organization_id = s.organization_id
        AND o.from_sequence = s.from_sequence AND o.hash IS NOT NULL ORDER BY o.subject_id) AS hashes
    FROM unnest(${sql.texts(items.map(({ organizationId }) => organizationId))}, ${sql.texts(items.map(({ id }) => id))})
      WITH ORDINALITY AS k(organization_id, id, index)
    CROSS JOIN LATERAL (SELECT s.* FROM states s WHERE s.organization_id = k.organization_id AND s.subject_id = k.id
      AND s.from_sequence <= ${past?.sequence ?? LAST} ORDER BY s.from_sequence DESC LIMIT 1) s
    CROSS JOIN LATERAL (SELECT min(n.from_sequence) AS to_sequence FROM states n WHERE n.organization_id = s.organization_id
      AND n.subject_id = s.subject_id AND n.from_sequence > s.from_sequence) t
    LEFT JOIN events e ON e.organization_id = s.organization_id AND e.sequence = s.from_sequence AND s.hash IS NOT NULL
    WHERE s.body IS NOT NULL`);
  const byIndex = new Map(rows.map((row) => [row.index, row]));
  return items.map((_, index) => byIndex.get(index + 1) ?? null);
}

/** The organizations, of those of the viewer, that have states of these items. */
export const findStateOrganizations = ({ db, viewer }: Context, ids: readonly string[]) =>
  db.query<{
    id: string;
    organizationId: string;
  }>(sql`SELECT DISTINCT s.subject_id AS id, s.organization_id FROM states s
    WHERE s.organization_id = ANY(${organizationsOf(viewer)}) AND s.subject_id ${sql.any(ids)}`);
