import { createFields } from '../../src/domain/fields/field-change.ts';
import { addFieldChoices } from '../../src/domain/fields/field-choice.ts';
import type { FormTemplate } from '../../src/domain/forms/form.ts';
import { createFormTemplates } from '../../src/domain/forms/form-change.ts';
import { createFormFields } from '../../src/domain/forms/form-field-change.ts';
import type { Context } from '../../src/domain/kernel/context.ts';
import { newWorld } from './world.ts';

type FieldSpec = Parameters<typeof createFields>[1]['fields'][number] & {
  /** What it offers, by the value of the parent field. */
  offered?: Record<string, string[]>;
  /** What the form says of it. */
  rules?: Omit<Parameters<typeof createFormFields>[1]['fields'][number], 'fieldId'>;
};

/** A private form of the project that asks for these new fields; gives the ids of its fields by their names. */
export async function newForm(
  ctx: Context,
  projectId: string,
  specs: FieldSpec[],
  name = 'Visit',
): Promise<{ id: string; ids: Record<string, string>; fieldIds: string[] }> {
  const [form] = await createFormTemplates(ctx, { projectId, formTemplates: [{ name }] });
  const { id } = form as FormTemplate;
  if (specs.length === 0) return { id, ids: {}, fieldIds: [] };
  const fields = await createFields(ctx, {
    projectId,
    fields: specs.map(({ offered: _, rules: __, ...field }) => field),
  });
  for (const [index, { offered }] of specs.entries())
    for (const [parentValue, values] of Object.entries(offered ?? {}))
      await addFieldChoices(ctx, {
        fieldId: fields[index]?.id as string,
        choices: values.map((value) => ({ value, parentValue })),
      });
  const created = await createFormFields(ctx, {
    formTemplateId: id,
    fields: fields.map((field, index) => ({ fieldId: field.id, ...specs[index]?.rules })),
  });
  const ids = Object.fromEntries(created.map((field, index) => [specs[index]?.name as string, field.id]));
  return { id, ids, fieldIds: fields.map((field) => field.id) };
}

/** A world with such a form. */
export async function newFormWorld(...specs: FieldSpec[]) {
  const world = await newWorld();
  const ctx = await world.owner.context();
  return { ...world, ctx, form: await newForm(ctx, world.project.id, specs) };
}

/** Answers by the names of the fields. */
export const answers = (ids: Record<string, string>, given: Record<string, string[]>) =>
  Object.entries(given).map(([name, values]) => ({ formFieldId: ids[name] as string, values }));
