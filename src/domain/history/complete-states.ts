import type { Database, Reader, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { recordEvents, serverActor } from '../kernel/audit.ts';
import { changedStates, IN_UTC } from '../kernel/record/state-write.ts';

/** Items compared in one statement. */
const SLICE = 1_000;

/**
 * Records the states of organizations that lack some: what was there before the server recorded states, or was changed by an
 * earlier version of it. Their past is available from then on. Returns the number of organizations that were completed; one that an
 * earlier version still writes to is left to the next run.
 */
export async function completeStates(db: Database, slice = SLICE): Promise<number> {
  const organizations = await db.query<{ id: string }>(sql`SELECT h.organization_id AS id FROM event_heads h
    WHERE h.states_since IS NULL OR h.states_until < h.sequence ORDER BY h.organization_id`);
  let completed = 0;
  for (const { id } of organizations) {
    await recordMissing(db, id, slice);
    if (await inTransaction(db, (tx) => close(tx, id, slice))) completed++;
  }
  return completed;
}

/** In transactions of their own, so that writers wait for a slice only. */
async function recordMissing(db: Database, organizationId: string, slice: number): Promise<void> {
  for await (const ids of itemsOf(db, organizationId, slice))
    await inTransaction(db, async (tx) => {
      await tx.query(sql`SELECT ${IN_UTC}`);
      const touched = (await changedStates(tx, organizationId, ids)).map(({ subjectId }) => subjectId);
      if (touched.length === 0) return;
      await recordEvents(serverActor('states'), tx, [
        {
          ...{ organizationId, subjectId: organizationId, kind: 'organization.statesRecorded' },
          ...{ data: { after: { items: touched.length } }, touched },
        },
      ]);
    });
}

/** True if no item differs from its state while nobody can write; then states are complete from the last event on. */
async function close(tx: Transaction, organizationId: string, slice: number): Promise<boolean> {
  await tx.query(sql`SELECT ${IN_UTC} FROM event_heads WHERE organization_id = ${organizationId} FOR UPDATE`);
  for await (const ids of itemsOf(tx, organizationId, slice))
    if ((await changedStates(tx, organizationId, ids)).length > 0) return false;
  await tx.query(sql`UPDATE event_heads SET states_since = sequence, states_until = sequence
    WHERE organization_id = ${organizationId}`);
  return true;
}

/** The ids of the items of an organization, and of those that only states have, in slices. */
async function* itemsOf(reader: Reader, organizationId: string, slice: number): AsyncGenerator<string[]> {
  for (let after = ''; ; ) {
    const page = (table: string, id = 'id') => sql`(SELECT ${sql.raw(id)} AS id FROM ${sql.raw(table)}
      WHERE organization_id = ${organizationId} AND ${sql.raw(id)} > ${after} ORDER BY 1 LIMIT ${slice})`;
    const rows = await reader.query<{
      id: string;
    }>(sql`SELECT id FROM (${page('projects')} UNION ${page('folders')}
      UNION ${page('documents')} UNION ${page('fields')} UNION ${page('states', 'subject_id')}) i ORDER BY id LIMIT ${slice}`);
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) yield ids;
    if (ids.length < slice) return;
    after = ids.at(-1) as string;
  }
}
