import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { visibleDocumentsOf, visibleTasksOf } from '../access/access.ts';
import { tables } from '../kernel/tables.ts';
import {
  type CopiedRow,
  type CopyRun,
  creationEvents,
  inSource,
  insertCopies,
  isCopyOf,
  newCopies,
  sourceIds,
} from './copy-items.ts';
import type { CopiedBatch } from './copy-structure.ts';

/** Documents or tasks of a batch. */
const BATCH = 500;

/** The rows of a batch: `next` is the source id after which the following batch starts; null after the last row. */
interface Selection {
  ids: string[];
  next: string | null;
}

/** Existed when the copy was requested: what is added later is not copied, so that the copy ends. */
const existed = (row: Sql, { organizationId, projectId }: CopyRun): Sql =>
  sql`${row}.created_at <= (SELECT c.created_at FROM project_copies c
    WHERE c.organization_id = ${organizationId} AND c.project_id = ${projectId})`;

type Run = Omit<CopyRun, 'tx' | 'vault'>;

/** On documents: those that are copied. */
export const copiedDocuments = (run: Run, documents: Rows<'documents'>): Sql =>
  sql`${inSource(documents, run)} AND ${documents}.state = 'ACTIVE'
    AND ${visibleDocumentsOf(run.viewer, documents, sql`${run.organizationId}`, sql`${run.sourceId}`)}`;

/** On tasks: those that are copied. */
export const copiedTasks = (run: Run, tasks: Rows<'tasks'>): Sql =>
  sql`${inSource(tasks, run)} AND ${visibleTasksOf(run.viewer, tasks, sql`${run.organizationId}`, sql`${run.sourceId}`)}`;

/** Selects a batch, and then locks it: a row that changes meanwhile is copied as it is after that. */
async function select(
  { tx }: CopyRun,
  table: 'documents' | 'tasks',
  alias: 'd' | 't',
  condition: Sql,
  after: string,
): Promise<Selection> {
  const row = sql.raw(alias);
  const from = sql`SELECT ${row}.id FROM ${sql.raw(table)} ${row}`;
  const batch = await tx.query<{ id: string }>(
    sql`${from} WHERE ${condition} AND ${row}.id > ${after} ORDER BY ${row}.id LIMIT ${BATCH}`,
  );
  const ids = batch.map(({ id }) => id);
  const locked = await tx.query<{ id: string }>(
    sql`${from} WHERE ${row}.id ${sql.any(ids)} AND ${condition} ORDER BY ${row}.id FOR SHARE OF ${row}`,
  );
  return { ids: locked.map(({ id }) => id), next: ids.length < BATCH ? null : (ids.at(-1) as string) };
}

/** Copies the documents after the id `after`: current revision, tags, field values. The copies share the stored files. */
export async function copyDocuments(
  run: CopyRun,
  after: string,
): Promise<CopiedBatch & Pick<Selection, 'next'>> {
  const { tx, organizationId } = run;
  const condition = sql`${copiedDocuments(run, tables.documents)} AND ${existed(sql`d`, run)}`;
  const { ids, next } = await select(run, 'documents', 'd', condition, after);
  const copies = await newCopies(
    run,
    'Document',
    sql`SELECT d.id FROM ${tables.documents.from} WHERE d.id ${sql.any(ids)} AND ${inSource(sql`d`, run)}`,
  );
  const rows = await insertCopies<CopiedRow>(run, {
    table: 'documents',
    copies,
    columns: 'name, name_key, content_type, page_count, size',
    values: {
      project_id: run.projectId,
      created_by_id: run.viewer.userId,
      folder_id: sql`folder.copy_id`,
      revision_number: sql`1`,
    },
    joins: sql`LEFT JOIN project_copy_items folder ON ${isCopyOf(sql`folder`, run, sql`s.folder_id`)}`,
    returning: 'id, name, folder_id, revision_number AS revision, content_type, size::float8 AS size',
  });
  await copyRevisions(run, sourceIds(copies));
  const ofBatch = sql`s.organization_id = ${organizationId} AND s.document_id = ANY(${ids})`;
  const toCopy = sql`JOIN project_copy_items doc ON ${isCopyOf(sql`doc`, run, sql`s.document_id`)}`;
  await tx.query(sql`INSERT INTO document_tags (organization_id, document_id, tag_id)
    SELECT s.organization_id, doc.copy_id, tag.copy_id FROM document_tags s ${toCopy}
    JOIN project_copy_items tag ON ${isCopyOf(sql`tag`, run, sql`s.tag_id`)} WHERE ${ofBatch}`);
  await tx.query(sql`INSERT INTO document_field_values (organization_id, document_id, field_id, position, text, text_key, number, date)
    SELECT s.organization_id, doc.copy_id, field.copy_id, s.position, s.text, s.text_key, s.number, s.date
    FROM document_field_values s ${toCopy}
    JOIN project_copy_items field ON ${isCopyOf(sql`field`, run, sql`s.field_id`)} WHERE ${ofBatch}`);
  return { copied: rows.length, events: creationEvents(run, 'document.created', rows), next };
}

/** The current revision of each document becomes revision 1 of its copy. */
async function copyRevisions(run: CopyRun, documentIds: readonly string[]): Promise<void> {
  const copies = await newCopies(
    run,
    'Revision',
    sql`SELECT r.id FROM revisions r JOIN ${tables.documents.from} ON d.organization_id = r.organization_id AND d.id = r.document_id
      AND d.revision_number = r.number
      WHERE r.organization_id = ${run.organizationId} AND r.document_id = ANY(${documentIds})`,
  );
  await insertCopies(run, {
    table: 'revisions',
    copies,
    columns: 'blob_id, name, content_type, page_count, size',
    values: { document_id: sql`doc.copy_id`, number: sql`1`, created_by_id: run.viewer.userId },
    joins: sql`JOIN project_copy_items doc ON ${isCopyOf(sql`doc`, run, sql`s.document_id`)}`,
  });
}

/** Copies the tasks after the id `after`, open and without assignee and stakeholders, with their links to copied documents. */
export async function copyTasks(run: CopyRun, after: string): Promise<CopiedBatch & Pick<Selection, 'next'>> {
  const condition = sql`${copiedTasks(run, tables.tasks)} AND ${existed(sql`t`, run)}`;
  const { ids, next } = await select(run, 'tasks', 't', condition, after);
  const copies = await newCopies(
    run,
    'Task',
    sql`SELECT t.id FROM ${tables.tasks.from} WHERE t.id ${sql.any(ids)} AND ${inSource(sql`t`, run)}`,
  );
  const rows = await insertCopies<CopiedRow>(run, {
    table: 'tasks',
    copies,
    columns: `name, name_key, description, description_html, description_rich_text, priority, duration_amount,
      duration_unit, due_at, remind7_at, remind3_at, remind1_at`,
    values: { project_id: run.projectId, created_by_id: run.viewer.userId },
    returning: 'id, name',
  });
  await copyTaskDocuments(run, ids);
  await run.tx.query(sql`INSERT INTO task_tags (organization_id, task_id, tag_id)
    SELECT s.organization_id, task.copy_id, tag.copy_id
    FROM task_tags s JOIN project_copy_items task ON ${isCopyOf(sql`task`, run, sql`s.task_id`)}
    JOIN project_copy_items tag ON ${isCopyOf(sql`tag`, run, sql`s.tag_id`)}
    WHERE s.organization_id = ${run.organizationId} AND s.task_id = ANY(${ids})`);
  if (next === null) await linkParents(run);
  return { copied: rows.length, events: creationEvents(run, 'task.created', rows), next };
}

/** Positions are renumbered: the first document that was copied is the primary one. */
const copyTaskDocuments = (run: CopyRun, taskIds: readonly string[]): Promise<unknown> =>
  run.tx.query(sql`INSERT INTO task_documents (organization_id, task_id, document_id, project_id, position, created_by_id)
    SELECT s.organization_id, task.copy_id, doc.copy_id, ${run.projectId},
      row_number() OVER (PARTITION BY s.task_id ORDER BY s.position) - 1, ${run.viewer.userId}
    FROM task_documents s JOIN project_copy_items task ON ${isCopyOf(sql`task`, run, sql`s.task_id`)}
    JOIN project_copy_items doc ON ${isCopyOf(sql`doc`, run, sql`s.document_id`)}
    WHERE s.organization_id = ${run.organizationId} AND s.task_id = ANY(${taskIds})`);

/** One statement for all tasks, so that changes of the source between batches cannot create a cycle. */
const linkParents = (run: CopyRun): Promise<unknown> =>
  run.tx.query(sql`UPDATE tasks c SET parent_id = parent.copy_id
    FROM tasks s JOIN project_copy_items i ON ${isCopyOf(sql`i`, run, sql`s.id`)}
    JOIN project_copy_items parent ON ${isCopyOf(sql`parent`, run, sql`s.parent_id`)}
    WHERE ${inSource(sql`s`, run)} AND c.organization_id = ${run.organizationId} AND c.id = i.copy_id`);
