import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { dueNow } from '../due-work/round-robin.ts';
import type { NewEvent } from '../kernel/audit.ts';
import type { PathOf } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { tables } from '../kernel/tables.ts';
import { copiedDocuments, copiedTasks, copyDocuments, copyTasks } from './copy-content.ts';
import type { CopyRun } from './copy-items.ts';
import { completeCopy, requireNotCopying } from './copy-state.ts';
import { copyStructure } from './copy-structure.ts';

/** Items up to which the projects of one request are filled in its transaction. Others are filled by a job. */
const MAX_AT_ONCE = 500;

/** A new project, and what it is a copy of. */
export interface NewProjectCopy {
  organizationId: string;
  projectId: string;
  sourceId: string;
  copyContent: boolean;
}

/** The paths of the sources in the input. */
export const sourcePath =
  (sourceIds: readonly (string | null | undefined)[]): PathOf =>
  (id) =>
    `projects.${sourceIds.indexOf(id)}.source.projectId`;

/**
 * Fills new projects, all in the transaction of their creation or, beyond MAX_AT_ONCE items, as due work: the project is
 * disabled until it is filled. Returns the events. The caller has locked the sources, and checked
 * that they are visible. Throws CONFLICT for a source that is being filled itself, with its path.
 */
export async function startCopies(
  ctx: Context,
  tx: Transaction,
  copies: readonly NewProjectCopy[],
  pathOf: PathOf,
): Promise<NewEvent[]> {
  const sourceIds = [...new Set(copies.map(({ sourceId }) => sourceId))];
  if (sourceIds.length === 0) return [];
  await requireNotCopying(tx, sourceIds, pathOf);
  const events: NewEvent[] = [];
  let budget = MAX_AT_ONCE;
  for (const copy of copies) {
    const run = { ...copy, tx, viewer: ctx.viewer, vault: ctx.storage.vault };
    const total = await countItems(run, copy.copyContent);
    const atOnce = total <= budget;
    await insertCopy(ctx, tx, copy, total, atOnce);
    if (!atOnce) continue;
    budget -= total;
    events.push(...(await copyAll(run, copy.copyContent)));
  }
  return events;
}

/** Locks the projects: their folders do not move, and they are not deleted, until the transaction ends. */
export const lockSources = (tx: Transaction, ids: readonly string[]): Promise<{ id: string }[]> =>
  tx.query(
    sql`SELECT p.id FROM projects p WHERE p.id ${sql.any(ids)} AND p.purge_marked_at IS NULL ORDER BY p.id FOR SHARE`,
  );

async function insertCopy(
  { viewer, requestId }: Context,
  tx: Transaction,
  { organizationId, projectId }: NewProjectCopy,
  total: number,
  atOnce: boolean,
): Promise<void> {
  await tx.query(sql`INSERT INTO project_copies
      (organization_id, project_id, total, credential_id, client_id, request_id, next_at)
    VALUES (${organizationId}, ${projectId}, ${total}, ${viewer.credentialId || null}, ${viewer.clientId ?? null}, ${requestId},
      ${atOnce ? null : dueNow})`);
  if (atOnce) return;
  await tx.query(sql`UPDATE projects SET disabled_at = now() WHERE id = ${projectId}`);
  tx.wake('copyProject');
}

async function copyAll(run: CopyRun, copyContent: boolean): Promise<NewEvent[]> {
  const events: NewEvent[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const batch: StepResult = await copyStep(run, cursor, copyContent);
    events.push(...batch.events);
    cursor = batch.next;
  }
  return [...events, await completeCopy(run)];
}

/** The events of a batch; `next` is the cursor of the following one, null if nothing is left. */
export interface StepResult {
  events: NewEvent[];
  next: string | null;
}

/** Ids of documents sort before those of tasks, so that one id tells where to continue. */
const DOCUMENTS = 'doc_';
const TASKS = 'tsk_';

/** Copies the structure (cursor ''), or the documents or tasks after the cursor, and counts what it copied. */
export async function copyStep(run: CopyRun, cursor: string, copyContent: boolean): Promise<StepResult> {
  const { events, copied, next } = await copyFrom(run, cursor, copyContent);
  await run.tx.query(sql`UPDATE project_copies SET copied = copied + ${copied}::int, attempts = 0,
      total = greatest(total, copied + ${copied}::int), cursor = ${next ?? cursor},
      next_at = CASE WHEN next_at IS NOT NULL THEN ${dueNow} END
    WHERE organization_id = ${run.organizationId} AND project_id = ${run.projectId}`);
  return { events, next };
}

async function copyFrom(run: CopyRun, cursor: string, copyContent: boolean) {
  if (cursor === '') return { ...(await copyStructure(run)), next: copyContent ? DOCUMENTS : null };
  if (cursor >= TASKS) return copyTasks(run, cursor);
  const batch = await copyDocuments(run, cursor);
  return { ...batch, next: batch.next ?? TASKS };
}

const STRUCTURE = ['folders', 'fields', 'tags', 'form_templates', 'processes', 'signature_form_templates'];

/** The number of items to copy; rows that belong to an item are not counted. */
async function countItems(run: CopyRun, copyContent: boolean): Promise<number> {
  const counts = STRUCTURE.map(
    (table) => sql`SELECT count(*) AS items FROM ${sql.raw(table)} s
      WHERE s.organization_id = ${run.organizationId} AND s.project_id = ${run.sourceId}`,
  );
  if (copyContent)
    counts.push(
      sql`SELECT count(*) FROM ${tables.documents.from} WHERE ${copiedDocuments(run, tables.documents)}`,
      sql`SELECT count(*) FROM ${tables.tasks.from} WHERE ${copiedTasks(run, tables.tasks)}`,
    );
  const [row] = await run.tx.query<{ total: number }>(
    sql`SELECT sum(items)::int AS total FROM (${sql.join(counts, ' UNION ALL ')}) c`,
  );
  return row?.total ?? 0;
}
