import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../../../src/db/database.ts';
import { sql } from '../../../src/db/sql/sql.ts';
import { stateBodies } from '../../../src/domain/kernel/record/state-bodies.ts';

type Body = Record<string, unknown> & { values?: { field_id: string }[] };

interface Compared {
  id: string;
  stored: Body | null;
  actual: Body | null;
}

/**
 * Items whose current state is not what the tables have, each with the members that differ. Left out: items without a state, which
 * a test has written by itself; values of deleted fields, which a state keeps until the document changes; and documents of deleted
 * projects, which only a purge reads.
 */
export async function staleStates(db: Database, organizationId: string): Promise<string[]> {
  const latest = await db.query<{ id: string }>(
    sql`SELECT DISTINCT subject_id AS id FROM states WHERE organization_id = ${organizationId}`,
  );
  if (latest.length === 0) return [];
  const rows = await db.query<Compared>(sql`
    WITH latest AS (SELECT DISTINCT ON (s.subject_id) s.subject_id, s.body, s.kind, s.project_id FROM states s
      WHERE s.organization_id = ${organizationId} ORDER BY s.subject_id, s.from_sequence DESC)
    SELECT l.subject_id AS id, l.body AS stored, b.body AS actual FROM latest l
    LEFT JOIN (${stateBodies(
      organizationId,
      latest.map(({ id }) => id),
    )}) b ON b.subject_id = l.subject_id
    LEFT JOIN projects p ON p.organization_id = ${organizationId} AND p.id = b.project_id
    WHERE l.body IS DISTINCT FROM b.body AND (l.kind <> 'DOCUMENT' OR p.purge_marked_at IS NULL) AND p.id IS NOT NULL`);
  const fields = new Set(
    (
      await db.query<{ id: string }>(sql`SELECT id FROM fields WHERE organization_id = ${organizationId}`)
    ).map(({ id }) => id),
  );
  const current = (body: Body | null) =>
    body?.values
      ? { ...body, values: body.values.filter((value) => fields.has(value.field_id)) }
      : (body ?? {});
  return rows.flatMap(({ id, stored, actual }) => {
    const [before, after] = [current(stored), current(actual)] as [Body, Body];
    const names = Object.keys({ ...before, ...after }).filter(
      (name) => !isDeepStrictEqual(before[name], after[name]),
    );
    return names.length > 0
      ? [
          `${id}: ${names.map((name) => `${name} ${JSON.stringify(before[name])} → ${JSON.stringify(after[name])}`).join(', ')}`,
        ]
      : [];
  });
}
