import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Field, Prisma } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { newSecret } from '../../lib/secret.ts';
import { changes, recordEvents, subjectEvent } from '../kernel/audit.ts';
import { positionIn, requireDistinct, requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { badValue, conflict, notFound } from '../kernel/errors.ts';
import { parse, requireBatchSize } from '../kernel/input.ts';
import { projectPath } from '../kernel/project-path.ts';
import { inOrderOf } from '../projects/project.ts';
import type { FormTemplate } from './form.ts';
import { requireForm, touchForm } from './form-change.ts';
import { type FormField, findFormFields } from './form-field.ts';
import { fieldProperties, NO_RULES, toFieldColumns } from './form-field-rules.ts';

/** Fields of a form. */
const MAX_FIELDS = 100;

const formPath = {
  ...projectPath,
  formTemplateId: z.string(),
};

const creation = z.strictObject({
  ...formPath,
  fields: z.array(z.strictObject({ fieldId: z.string(), ...fieldProperties })),
});

/**
 * Appends fields to a form, all or nothing, in input order. Each refers to a field of the project. Requires the role
 * EDITOR. Throws NOT_FOUND, BAD_USER_INPUT above MAX_FIELDS or for inconsistent properties, CONFLICT for a field that
 * the form has already.
 */
export function createFormFields(ctx: Context, input: z.input<typeof creation>): Promise<FormField[]> {
  const { formTemplateId, fields: requested, ...path } = parse(creation, input);
  requireBatchSize(requested, MAX_FIELDS, 'fields');
  return inTransaction(ctx.db, async (tx) => {
    const form = await requireForm(ctx, tx, formTemplateId, path, 'changeForms');
    const existing = await tx.prisma.formField.findMany({ where: { formTemplateId } });
    if (existing.length + requested.length > MAX_FIELDS)
      throw badValue('fields', `a form has at most ${MAX_FIELDS}`);
    requireUnusedFields(
      requested.map(({ fieldId }) => fieldId),
      existing.map(({ fieldId }) => fieldId),
    );
    const fields = await lockFields(
      tx,
      form,
      requested.map(({ fieldId }) => fieldId),
    );
    const next = Math.max(-1, ...existing.map(({ rank }) => rank)) + 1;
    const rows = requested.map(({ fieldId, ...each }, index) => {
      const field = fields.get(fieldId);
      if (!field) throw notFound('Field', `fields.${index}.fieldId`);
      return {
        ...toFieldColumns(field, NO_RULES, each, `fields.${index}`),
        organizationId: form.organizationId,
        id: newId('FormField'),
        formTemplateId,
        fieldId,
        linkId: newSecret('dgl_'),
        type: field.type,
        rank: next + index,
      };
    });
    await tx.prisma.formField.createMany({ data: rows });
    const ids = rows.map(({ id }) => id);
    const data = { after: { formFieldIds: ids } };
    return finishChange(ctx, tx, form, { kind: 'form.fields_created', ids, data });
  });
}

function requireUnusedFields(fieldIds: string[], existingIds: string[]): void {
  const duplicate = fieldIds.findIndex(
    (id, index) => existingIds.includes(id) || fieldIds.indexOf(id) < index,
  );
  if (duplicate >= 0) throw conflict('The form has this field already.', `fields.${duplicate}.fieldId`);
}

/** Returns fields of the form's project by id, locked against deletion. */
async function lockFields(
  tx: Transaction,
  { organizationId, projectId }: FormTemplate,
  ids: string[],
): Promise<Map<string, Field>> {
  const fields = await tx.query<Field>(sql`SELECT c.* FROM fields c
    WHERE c.organization_id = ${organizationId} AND c.project_id = ${projectId} AND c.id ${sql.any(ids)}
    ORDER BY c.id FOR KEY SHARE`);
  return new Map(fields.map((field) => [field.id, field]));
}

const update = z.strictObject({
  ...formPath,
  fields: z.array(z.strictObject({ formFieldId: z.string(), ...fieldProperties })),
});

/**
 * Changes fields of a form, all or nothing. Members that are absent or null keep their value. Requires the role EDITOR.
 */
export function updateFormFields(ctx: Context, input: z.input<typeof update>): Promise<FormField[]> {
  const { formTemplateId, fields: requested, ...path } = parse(update, input);
  requireBatchSize(requested, MAX_FIELDS, 'fields');
  const ids = requested.map(({ formFieldId }) => formFieldId);
  requireDistinct(ids, (index) => `fields.${index}.formFieldId`, 'a field is named twice');
  return inTransaction(ctx.db, async (tx) => {
    const form = await requireForm(ctx, tx, formTemplateId, path, 'changeForms');
    const rows = await tx.prisma.formField.findMany({
      where: { formTemplateId, id: { in: ids } },
      include: { field: true },
    });
    const changed: ReturnType<typeof fieldChanges>[] = [];
    for (const [index, { formFieldId: id, ...each }] of requested.entries()) {
      const before = rows.find((row) => row.id === id);
      if (!before) throw notFound('Form field', `fields.${index}.formFieldId`);
      const after = toFieldColumns(before.field, before, each, `fields.${index}`);
      await tx.prisma.formField.update({ where: { id }, data: after });
      changed.push(fieldChanges(before, after));
    }
    const data = {
      before: { fields: changed.flatMap(({ before }) => before) },
      after: { fields: changed.flatMap(({ after }) => after) },
    };
    return finishChange(ctx, tx, form, { kind: 'form.fields_updated', ids, data });
  });
}

/** The changed members of a field, with its id; none of a field that is given as it was. */
function fieldChanges(row: FormField, columns: ReturnType<typeof toFieldColumns>) {
  const { before, after } = changes(row, columns) as Record<'before' | 'after', Prisma.InputJsonObject>;
  const concerned = (members: Prisma.InputJsonObject) =>
    Object.keys(members).length > 0 ? [{ formFieldId: row.id, ...members }] : [];
  return { before: concerned(before), after: concerned(after) };
}

const order = z.strictObject({ ...formPath, formFieldIds: z.array(z.string()) });

/** Reorders the fields of a form. Throws BAD_USER_INPUT unless each is named once. Requires the role EDITOR. */
export function reorderFormFields(ctx: Context, input: z.input<typeof order>): Promise<FormField[]> {
  const { formTemplateId, formFieldIds: ids, ...path } = parse(order, input);
  requireBatchSize(ids, MAX_FIELDS, 'formFieldIds');
  return inTransaction(ctx.db, async (tx) => {
    const form = await requireForm(ctx, tx, formTemplateId, path, 'changeForms');
    const existing = await tx.prisma.formField.findMany({
      where: { formTemplateId },
      select: { id: true },
      orderBy: [{ rank: 'asc' }, { id: 'asc' }],
    });
    if (new Set(ids).size !== existing.length || ids.length !== existing.length)
      throw badValue('formFieldIds', 'names each field of the form once');
    requireFound('Form field', ids, existing, positionIn('formFieldIds', ids));
    await tx.query(sql`UPDATE form_fields b SET rank = o.position - 1
      FROM unnest(${sql.texts(ids)}) WITH ORDINALITY AS o(id, position) WHERE b.id = o.id`);
    const data = changes({ formFieldIds: existing.map(({ id }) => id) }, { formFieldIds: ids });
    return finishChange(ctx, tx, form, { kind: 'form.fields_reordered', ids, data });
  });
}

const deletion = z.strictObject({
  ...formPath,
  formFieldIds: z.array(z.string()),
  withAnswers: z.boolean().nullish(),
});

/**
 * Deletes fields of a form, all or nothing, and returns their ids. Requires the role EDITOR, and ADMIN to delete
 * answers with them (withAnswers). Throws NOT_FOUND, CONFLICT for a field with answers unless withAnswers is set.
 */
export function deleteFormFields(ctx: Context, input: z.input<typeof deletion>): Promise<string[]> {
  const { formTemplateId, formFieldIds, withAnswers, ...path } = parse(deletion, input);
  requireBatchSize(formFieldIds, MAX_FIELDS, 'formFieldIds');
  const ids = [...new Set(formFieldIds)];
  return inTransaction(ctx.db, async (tx) => {
    const action = withAnswers ? 'deleteAnswers' : 'changeForms';
    const form = await requireForm(ctx, tx, formTemplateId, path, action);
    const { organizationId } = form;
    const existing = await tx.prisma.formField.findMany({ where: { formTemplateId, id: { in: ids } } });
    const pathOf = positionIn('formFieldIds', formFieldIds);
    requireFound('Form field', ids, existing, pathOf);
    const ofFields = { organizationId, formFieldId: { in: ids }, submission: { formTemplateId } };
    const answered = await tx.prisma.formSubmissionValue.findFirst({ where: ofFields });
    if (answered && !withAnswers)
      throw conflict(
        'A field has answers, which would be deleted; set withAnswers to delete them.',
        pathOf(answered.formFieldId),
      );
    const answers = await tx.prisma.formSubmissionValue.count({ where: ofFields });
    await tx.prisma.formField.deleteMany({ where: { id: { in: ids } } });
    await touchForm(ctx, tx, form);
    await recordEvents(ctx, tx, [
      subjectEvent(form, 'form.fields_deleted', { before: { formFieldIds: ids, answers } }),
    ]);
    return ids;
  });
}

/** Updates the form, records the event and returns the fields. */
async function finishChange(
  ctx: Context,
  tx: Transaction,
  form: FormTemplate,
  { kind, ids, data }: { kind: string; ids: string[]; data: Prisma.InputJsonObject },
): Promise<FormField[]> {
  await touchForm(ctx, tx, form);
  await recordEvents(ctx, tx, [subjectEvent(form, kind, data)]);
  return inOrderOf(
    await findFormFields(ctx, ids, tx),
    ids.map((id) => ({ id })),
  );
}
