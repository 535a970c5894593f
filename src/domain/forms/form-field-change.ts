import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Field } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { newSecret } from '../../lib/secret.ts';
import { recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { badInput, conflict, notFound } from '../kernel/errors.ts';
import { parse, requireBatchSize } from '../kernel/input.ts';
import { inOrderOf } from '../projects/project.ts';
import type { FormTemplate } from './form.ts';
import { newEvent, requireForms, touchForm } from './form-change.ts';
import { type FormField, findFormFields } from './form-field.ts';
import { fieldProperties, NO_RULES, toFieldColumns } from './form-field-rules.ts';

/** A form that asks more is filled in by nobody. */
const MOST = 100;

const place = {
  organizationId: z.string().nullish(),
  projectId: z.string().nullish(),
  formTemplateId: z.string(),
};

const creation = z.strictObject({
  ...place,
  fields: z.array(z.strictObject({ fieldId: z.string(), ...fieldProperties })),
});

/**
 * Adds fields behind those that the form has, in the order given, all or none. Each asks for a field of the project;
 * CONFLICT for one that the form asks for already. Takes the role EDITOR in the project.
 */
export function createFormFields(ctx: Context, input: z.input<typeof creation>): Promise<FormField[]> {
  const { formTemplateId, fields: given, ...within } = parse(creation, input);
  requireBatchSize(given, MOST, 'fields');
  return inTransaction(ctx.db, async (tx) => {
    const [form] = (await requireForms(ctx, tx, [formTemplateId], within, 'EDITOR')) as [FormTemplate];
    const there = await tx.prisma.formField.findMany({ where: { formTemplateId } });
    if (there.length + given.length > MOST) throw badInput(`fields: a form has at most ${MOST}`, 'fields');
    requireNew(
      given.map(({ fieldId }) => fieldId),
      there.map(({ fieldId }) => fieldId),
    );
    const asked = await heldFields(
      tx,
      form,
      given.map(({ fieldId }) => fieldId),
    );
    const next = Math.max(-1, ...there.map(({ rank }) => rank)) + 1;
    const rows = given.map(({ fieldId, ...each }, index) => {
      const field = asked.get(fieldId);
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
    return finish(ctx, tx, form, 'form.fields_created', rows);
  });
}

function requireNew(fieldIds: string[], there: string[]): void {
  const again = fieldIds.findIndex((id, index) => there.includes(id) || fieldIds.indexOf(id) < index);
  if (again >= 0) throw conflict('The form asks for this field already.', `fields.${again}.fieldId`);
}

/** Fields of the form's project, which nobody deletes meanwhile. */
async function heldFields(
  tx: Transaction,
  { organizationId, projectId }: FormTemplate,
  ids: string[],
): Promise<Map<string, Field>> {
  const fields = await tx.query<Field>(sql`SELECT c.* FROM fields c
    WHERE c.organization_id = ${organizationId} AND c.project_id = ${projectId} AND c.id = ANY(${ids})
    ORDER BY c.id FOR KEY SHARE`);
  return new Map(fields.map((field) => [field.id, field]));
}

const update = z.strictObject({
  ...place,
  fields: z.array(z.strictObject({ formFieldId: z.string(), ...fieldProperties })),
});

/** Members left out, or null, stay as they are. All or nothing. Takes the role EDITOR in the project. */
export function updateFormFields(ctx: Context, input: z.input<typeof update>): Promise<FormField[]> {
  const { formTemplateId, fields: given, ...within } = parse(update, input);
  requireBatchSize(given, MOST, 'fields');
  const ids = given.map(({ formFieldId }) => formFieldId);
  if (new Set(ids).size < ids.length) throw badInput('fields: a field is named twice', 'fields');
  return inTransaction(ctx.db, async (tx) => {
    const [form] = (await requireForms(ctx, tx, [formTemplateId], within, 'EDITOR')) as [FormTemplate];
    const found = await tx.prisma.formField.findMany({
      where: { formTemplateId, id: { in: ids } },
      include: { field: true },
    });
    for (const [index, { formFieldId: id, ...each }] of given.entries()) {
      const before = found.find((row) => row.id === id);
      if (!before) throw notFound('Form field', `fields.${index}.formFieldId`);
      await tx.prisma.formField.update({
        where: { id },
        data: toFieldColumns(before.field, before, each, `fields.${index}`),
      });
    }
    return finish(
      ctx,
      tx,
      form,
      'form.fields_updated',
      ids.map((id) => ({ id })),
    );
  });
}

const order = z.strictObject({ ...place, formFieldIds: z.array(z.string()) });

/** Puts the fields of a form in a new order; all of them have to be named, each once. Takes the role EDITOR. */
export function reorderFormFields(ctx: Context, input: z.input<typeof order>): Promise<FormField[]> {
  const { formTemplateId, formFieldIds: ids, ...within } = parse(order, input);
  requireBatchSize(ids, MOST, 'formFieldIds');
  return inTransaction(ctx.db, async (tx) => {
    const [form] = (await requireForms(ctx, tx, [formTemplateId], within, 'EDITOR')) as [FormTemplate];
    const there = await tx.prisma.formField.findMany({ where: { formTemplateId }, select: { id: true } });
    if (new Set(ids).size !== there.length || ids.length !== there.length)
      throw badInput('formFieldIds: names each field of the form once', 'formFieldIds');
    if (there.some(({ id }) => !ids.includes(id))) throw notFound('Form field', 'formFieldIds');
    await tx.query(sql`UPDATE form_fields b SET rank = o.place - 1
      FROM unnest(${ids}::text[]) WITH ORDINALITY AS o(id, place) WHERE b.id = o.id`);
    return finish(
      ctx,
      tx,
      form,
      'form.fields_reordered',
      ids.map((id) => ({ id })),
    );
  });
}

const deletion = z.strictObject({
  ...place,
  formFieldIds: z.array(z.string()),
  withAnswers: z.boolean().nullish(),
});

/**
 * Takes fields off a form, all or none. CONFLICT where something was answered already, unless withAnswers says that the
 * answers go as well: that takes the role ADMIN in the project, and the rest EDITOR.
 */
export function deleteFormFields(ctx: Context, input: z.input<typeof deletion>): Promise<string[]> {
  const { formTemplateId, formFieldIds, withAnswers, ...within } = parse(deletion, input);
  requireBatchSize(formFieldIds, MOST, 'formFieldIds');
  const ids = [...new Set(formFieldIds)];
  return inTransaction(ctx.db, async (tx) => {
    const least = withAnswers ? 'ADMIN' : 'EDITOR';
    const [form] = (await requireForms(ctx, tx, [formTemplateId], within, least)) as [FormTemplate];
    const { organizationId } = form;
    const there = await tx.prisma.formField.count({ where: { formTemplateId, id: { in: ids } } });
    if (there < ids.length) throw notFound('Form field', 'formFieldIds');
    const answers = await tx.prisma.formSubmissionValue.count({
      where: { organizationId, formFieldId: { in: ids }, submission: { formTemplateId } },
    });
    if (answers > 0 && !withAnswers)
      throw conflict('What was answered to a field would be lost.', 'formFieldIds');
    await tx.prisma.formField.deleteMany({ where: { id: { in: ids } } });
    await touchForm(ctx, tx, form);
    await recordEvents(ctx, tx, [
      newEvent(form, 'form.fields_deleted', { before: { formFieldIds: ids, answers } }),
    ]);
    return ids;
  });
}

async function finish(
  ctx: Context,
  tx: Transaction,
  form: FormTemplate,
  kind: string,
  fields: { id: string }[],
): Promise<FormField[]> {
  const ids = fields.map(({ id }) => id);
  await touchForm(ctx, tx, form);
  await recordEvents(ctx, tx, [newEvent(form, kind, { after: { formFieldIds: ids } })]);
  return inOrderOf(await findFormFields(ctx, ids, tx), fields);
}
