import { sql } from '../../db/sql/sql.ts';
import { newSecret } from '../../lib/secret.ts';
import {
  visibleDescriptors,
  visibleFoldersOf,
  visibleProcesses,
  visibleSignatureTemplates,
} from '../access/access.ts';
import { visibleFormTemplates } from '../access/access-form.ts';
import type { NewEvent } from '../kernel/audit.ts';
import { newSealedLink } from '../kernel/sealed-link.ts';
import { tables } from '../kernel/tables.ts';
import {
  COPY_IDS,
  type CopiedRow,
  type CopyRun,
  copyIds,
  creationEvents,
  inSource,
  insertCopies,
  isCopyOf,
  type NewCopy,
  newCopies,
  sourceIds,
} from './copy-items.ts';

/** What a batch copied: how many items, and their events. */
export interface CopiedBatch {
  copied: number;
  events: NewEvent[];
}

/**
 * Copies folders, fields, tags, forms, processes and signature templates. Assignments, shares and links of forms, and
 * archived processes are not copied; folders and form fields get new links.
 */
export async function copyStructure(run: CopyRun): Promise<CopiedBatch> {
  const events: NewEvent[] = [];
  const created = (kind: string, rows: CopiedRow[]) => void events.push(...creationEvents(run, kind, rows));
  created('folder.created', await copyFolders(run));
  created('field.created', await copyFields(run));
  const tags = await copyTags(run);
  created('form.created', await copyForms(run));
  created('process.created', await copyProcesses(run));
  created('signatureTemplate.created', await copySignatureTemplates(run));
  return { copied: events.length + tags.length, events };
}

async function copyFolders(run: CopyRun): Promise<CopiedRow[]> {
  const { viewer, organizationId, sourceId, projectId } = run;
  const copies = await newCopies(
    run,
    'Folder',
    sql`SELECT f.id FROM ${tables.folders.from} WHERE ${inSource(sql`f`, run)}
      AND ${visibleFoldersOf(viewer, tables.folders, sql`${organizationId}`, sql`${sourceId}`)}`,
  );
  const links = copyIds(copies).map((id) => newSealedLink(run.vault, id));
  return insertCopies<CopiedRow>(run, {
    table: 'folders',
    copies,
    columns: 'name, name_key, hex_color',
    values: {
      project_id: projectId,
      created_by_id: viewer.userId,
      parent_id: sql`parent.copy_id`,
      ancestor_ids: sql`ARRAY(SELECT a.copy_id FROM unnest(s.ancestor_ids) WITH ORDINALITY AS x(id, position)
        JOIN project_copy_items a ON ${isCopyOf(sql`a`, run, sql`x.id`)} ORDER BY x.position)`,
      link_sealed: sql`link.sealed`,
    },
    joins: sql`LEFT JOIN project_copy_items parent ON ${isCopyOf(sql`parent`, run, sql`s.parent_id`)}
      JOIN unnest(${sql.texts(copyIds(copies))}, ${sql.texts(links)}) AS link(id, sealed) ON link.id = ${COPY_IDS}.copy_id`,
    returning: 'id, name, parent_id',
  });
}

async function copyFields(run: CopyRun): Promise<CopiedRow[]> {
  const fields = await newCopies(
    run,
    'Field',
    sql`SELECT c.id FROM ${tables.fields.from} WHERE ${inSource(sql`c`, run)} AND ${visibleDescriptors(run.viewer, tables.fields)}`,
  );
  const rows = await insertCopies<CopiedRow>(run, {
    table: 'fields',
    copies: fields,
    columns: `name, name_key, label, type, rank, required, sensitive, multiple_values, multiple_lines, rows, choices,
      choices_depend_on_parent, new_choices_allowed, new_choices_saved, decimal_places, mask, uses_creation_date,
      text_match_type, on_documents, label_hidden`,
    values: {
      project_id: run.projectId,
      created_by_id: run.viewer.userId,
      parent_id: sql`parent.copy_id`,
    },
    joins: sql`LEFT JOIN project_copy_items parent ON ${isCopyOf(sql`parent`, run, sql`s.parent_id`)}`,
    returning: 'id, name, type',
  });
  await copyParts(run, fields, {
    type: 'FieldListItem',
    table: 'field_list_items',
    parentColumn: 'field_id',
    columns: 'parent_value, value, rank',
  });
  return rows;
}

async function copyTags(run: CopyRun): Promise<{ id: string }[]> {
  const copies = await newCopies(
    run,
    'Tag',
    sql`SELECT c.id FROM ${tables.tags.from} WHERE ${inSource(sql`c`, run)} AND ${visibleDescriptors(run.viewer, tables.tags)}`,
  );
  return insertCopies(run, {
    table: 'tags',
    copies,
    columns: 'text, text_key',
    values: { project_id: run.projectId },
  });
}

async function copyForms(run: CopyRun): Promise<CopiedRow[]> {
  const forms = await newCopies(
    run,
    'FormTemplate',
    sql`SELECT t.id FROM ${tables.formTemplates.from} WHERE ${inSource(sql`t`, run)} AND ${visibleFormTemplates(run.viewer, tables.formTemplates)}`,
  );
  const rows = await insertCopies<CopiedRow>(run, {
    table: 'form_templates',
    copies: forms,
    columns: 'name, name_key, blob_id, page_count, aspect',
    values: { project_id: run.projectId, created_by_id: run.viewer.userId },
    returning: 'id, name',
  });
  await copyFormFields(run, forms);
  return rows;
}

async function copyFormFields(run: CopyRun, forms: readonly NewCopy[]): Promise<void> {
  const copies = await newCopies(
    run,
    'FormField',
    sql`SELECT b.id FROM form_fields b WHERE b.organization_id = ${run.organizationId}
      AND b.form_template_id = ANY(${sourceIds(forms)})`,
  );
  const links = copies.map(() => newSecret('dgl_'));
  await insertCopies(run, {
    table: 'form_fields',
    copies,
    columns: `type, rank, required, minimum, maximum, page_index, x, y, width, font_size, column_layout, default_values,
      possible_values`,
    values: {
      form_template_id: sql`form.copy_id`,
      field_id: sql`field.copy_id`,
      link_id: sql`link.secret`,
    },
    joins: sql`JOIN project_copy_items form ON ${isCopyOf(sql`form`, run, sql`s.form_template_id`)}
      JOIN project_copy_items field ON ${isCopyOf(sql`field`, run, sql`s.field_id`)}
      JOIN unnest(${sql.texts(copyIds(copies))}, ${sql.texts(links)}) AS link(id, secret) ON link.id = ${COPY_IDS}.copy_id`,
  });
}

async function copyProcesses(run: CopyRun): Promise<CopiedRow[]> {
  const processes = await newCopies(
    run,
    'Process',
    sql`SELECT c.id FROM ${tables.processes.from} WHERE ${inSource(sql`c`, run)} AND c.archived_at IS NULL
      AND ${visibleProcesses(run.viewer, tables.processes)}`,
  );
  const rows = await insertCopies<CopiedRow>(run, {
    table: 'processes',
    copies: processes,
    columns: 'name, name_key',
    values: { project_id: run.projectId, created_by_id: run.viewer.userId },
    returning: 'id, name',
  });
  const steps = await copyParts(run, processes, {
    type: 'ProcessStep',
    table: 'process_steps',
    parentColumn: 'process_id',
    columns:
      'rank, name, rule, need, veto, exclude_requester, distinct_from_earlier, due_after_days, on_overdue, escalate_group_id',
  });
  for (const people of [sql`process_step_approvers`, sql`process_step_escalations`])
    await run.tx.query(sql`INSERT INTO ${people} (organization_id, step_id, user_id)
      SELECT y.organization_id, step.copy_id, y.user_id FROM ${people} y
      JOIN project_copy_items step ON ${isCopyOf(sql`step`, run, sql`y.step_id`)}
      JOIN memberships m ON m.organization_id = y.organization_id AND m.user_id = y.user_id
      WHERE y.organization_id = ${run.organizationId} AND y.step_id = ANY(${sourceIds(steps)})`);
  await run.tx.query(sql`INSERT INTO process_step_groups (organization_id, step_id, group_id)
    SELECT y.organization_id, step.copy_id, y.group_id FROM process_step_groups y
    JOIN project_copy_items step ON ${isCopyOf(sql`step`, run, sql`y.step_id`)}
    WHERE y.organization_id = ${run.organizationId} AND y.step_id = ANY(${sourceIds(steps)})`);
  return rows;
}

async function copySignatureTemplates(run: CopyRun): Promise<CopiedRow[]> {
  const templates = await newCopies(
    run,
    'SignatureFormTemplate',
    sql`SELECT c.id FROM ${tables.signatureTemplates.from} WHERE ${inSource(sql`c`, run)}
      AND ${visibleSignatureTemplates(run.viewer, tables.signatureTemplates)}`,
  );
  const rows = await insertCopies<CopiedRow>(run, {
    table: 'signature_form_templates',
    copies: templates,
    columns: 'name, name_key',
    values: { project_id: run.projectId, created_by_id: run.viewer.userId },
    returning: 'id, name',
  });
  await copyParts(run, templates, {
    type: 'SignatureTemplateField',
    table: 'signature_template_fields',
    parentColumn: 'template_id',
    columns: 'type, recipient_rank, label, rank, page_index, x, y, width_percent',
  });
  return rows;
}

interface Parts {
  type: 'FieldListItem' | 'ProcessStep' | 'SignatureTemplateField';
  table: string;
  parentColumn: string;
  columns: string;
}

/** Copies rows that belong to copied rows, and are visible with them. */
async function copyParts(
  run: CopyRun,
  parents: readonly NewCopy[],
  { type, table, parentColumn, columns }: Parts,
): Promise<NewCopy[]> {
  const parentId = sql`s.${sql.raw(parentColumn)}`;
  const copies = await newCopies(
    run,
    type,
    sql`SELECT s.id FROM ${sql.raw(table)} s WHERE s.organization_id = ${run.organizationId}
      AND ${parentId} = ANY(${sourceIds(parents)})`,
  );
  await insertCopies(run, {
    table,
    copies,
    columns,
    values: { [parentColumn]: sql`parent.copy_id` },
    joins: sql`JOIN project_copy_items parent ON ${isCopyOf(sql`parent`, run, parentId)}`,
  });
  return copies;
}
