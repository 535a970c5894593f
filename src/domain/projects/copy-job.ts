import { nowPlus } from '../../db/clock.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { ProjectCopy } from '../../generated/prisma/client.ts';
import { SECOND } from '../../lib/time.ts';
import { claimRoundRobin } from '../due-work/round-robin.ts';
import { continuationOf, recordEvents } from '../kernel/audit.ts';
import type { Storage } from '../kernel/context.ts';
import { findCopier } from './copier.ts';
import { copyStep, lockSources } from './copy-run.ts';
import { completeCopy, failCopy } from './copy-state.ts';

/** Milliseconds to the second attempt of a batch; doubled after each failure, about an hour in total. */
const FIRST_BACK_OFF = 5 * SECOND;
const MAX_ATTEMPTS = 10;

/** A running copy whose next batch is due, locked. */
type DueCopy = Pick<
  ProjectCopy,
  'organizationId' | 'projectId' | 'cursor' | 'attempts' | 'credentialId' | 'clientId' | 'requestId'
> & { sourceId: string | null; copyContent: boolean; userId: string };

/**
 * Copies the batch that is due next, taking turns between organizations; false when none is due. The row stays locked, so
 * that one process copies it; if that dies, the batch is rolled back and due again. Rethrows unexpected errors.
 */
export async function copyNextBatch(ctx: { db: Database; storage: Storage }): Promise<boolean> {
  let due: DueCopy | undefined;
  try {
    const copied = await claimRoundRobin(ctx.db, 'copyProject', (condition) =>
      inTransaction(ctx.db, async (tx) => {
        due = await lockDue(tx, condition);
        if (due) await copyBatch(ctx.storage, tx, due);
        return due;
      }),
    );
    return copied !== undefined;
  } catch (error) {
    if (due) await postpone(ctx.db, due);
    throw error;
  }
}

/** Copies into deleted projects wait: a restored project is filled further. */
async function lockDue(tx: Transaction, condition: Sql): Promise<DueCopy | undefined> {
  const [due] =
    await tx.query<DueCopy>(sql`SELECT c.organization_id, c.project_id, c.cursor, c.attempts, c.credential_id,
      c.client_id, c.request_id, p.source_id, p.source_content_copied AS copy_content, p.created_by_id AS user_id
    FROM project_copies c JOIN projects p ON p.organization_id = c.organization_id AND p.id = c.project_id
    WHERE c.state = 'RUNNING' AND c.next_at <= now() AND p.purge_marked_at IS NULL AND c.organization_id ${condition}
    ORDER BY c.organization_id, c.next_at LIMIT 1 FOR UPDATE OF c SKIP LOCKED`);
  return due;
}

async function copyBatch({ vault }: Storage, tx: Transaction, due: DueCopy): Promise<void> {
  const viewer = await findCopier(tx, due);
  if (!viewer)
    return fail(
      tx,
      due,
      'Whoever started the copy may not create projects any more, or revoked the credential that did.',
    );
  const [source] = due.sourceId ? await lockSources(tx, [due.sourceId]) : [];
  if (!source) return fail(tx, due, 'The source project was deleted.');
  const run = { ...due, sourceId: source.id, tx, viewer, vault };
  const { events, next } = await copyStep(run, due.cursor, due.copyContent);
  if (next === null) events.push(await completeCopy(run));
  if (events.length > 0) await recordEvents(continuationOf(due), tx, events);
}

const fail = async (tx: Transaction, due: DueCopy, error: string): Promise<void> =>
  void (await recordEvents(continuationOf(due), tx, [await failCopy({ ...due, tx }, error)]));

/** Schedules the batch again after an unexpected error; after the last attempt the copy has failed. */
const postpone = (db: Database, due: DueCopy): Promise<void> =>
  inTransaction(db, async (tx) => {
    const attempts = due.attempts + 1;
    const [postponed] = await tx.query(sql`UPDATE project_copies SET attempts = ${attempts}::int,
        next_at = ${nowPlus(FIRST_BACK_OFF * 2 ** due.attempts)}
      WHERE organization_id = ${due.organizationId} AND project_id = ${due.projectId} AND state = 'RUNNING'
      AND attempts = ${due.attempts}::int RETURNING project_id`);
    if (postponed && attempts >= MAX_ATTEMPTS) await fail(tx, due, 'An internal error stopped the copy.');
  });
