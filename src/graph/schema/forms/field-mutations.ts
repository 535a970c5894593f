import type { InputFieldBuilder } from '@pothos/core';
import type { FormField as FormFieldRow } from '../../../domain/forms/form-field.ts';
import {
  createFormFields,
  deleteFormFields,
  reorderFormFields,
  updateFormFields,
} from '../../../domain/forms/form-field-change.ts';
import { builder } from '../kernel/builder.ts';
import { WITHIN, WITHIN_PROJECT } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { FormField } from './field.ts';

type Inputs = InputFieldBuilder<typeof builder.$inferSchemaTypes, 'InputObject'>;

const formTarget = (t: Inputs) => ({
  organizationId: t.id({ description: WITHIN }),
  projectId: t.id({ description: WITHIN_PROJECT }),
  formTemplateId: t.id({ required: true, description: 'Which form.' }),
});

const traits = (t: Inputs) => ({
  required: t.boolean({ description: 'An answer is required.' }),
  minimum: t.string({
    description: 'The smallest number or amount, in decimal notation; an empty string for none.',
  }),
  maximum: t.string({
    description: 'The greatest number or amount, in decimal notation; an empty string for none.',
  }),
  possibleValues: t.stringList({ description: 'The only allowed values; an empty list for no such limit.' }),
  defaultValues: t.stringList({ description: 'The values that clients prefill.' }),
  pageIndex: t.int({ description: 'The page it is on, from 0.' }),
  x: t.float({ description: 'Its left edge, in percent of the width of the page.' }),
  y: t.float({ description: 'Its upper edge, in percent of the height of the page.' }),
  width: t.float({
    description: 'Its width, in percent of the width of the page; 0 for the width of its text.',
  }),
  fontSize: t.int({ description: 'Maximum font size in points; 0 for 12.' }),
  columnLayout: t.boolean({ description: 'Clients lay its choices out in columns.' }),
});

const NewFormField = builder.inputType('NewFormField', {
  description: 'One field to add to a form.',
  fields: (t) => ({
    fieldId: t.id({ required: true, description: 'The field of the project.' }),
    ...traits(t),
  }),
});

const createFormFieldsInput = mutationInput({
  description: 'New fields of one form, appended to its fields: all are added, or none.',
  fields: (t) => ({
    ...formTarget(t),
    fields: t.field({ type: [NewFormField], required: true, description: 'The fields, in order.' }),
  }),
});

const FormFieldUpdate = builder.inputType('FormFieldUpdate', {
  description: 'A change of one field of a form; omitted members keep their values.',
  fields: (t) => ({
    formFieldId: t.id({ required: true, description: 'Which FormField.' }),
    ...traits(t),
  }),
});

const updateFormFieldsInput = mutationInput({
  description: 'Changes of fields of one form: all are applied, or none.',
  fields: (t) => ({
    ...formTarget(t),
    fields: t.field({ type: [FormFieldUpdate], required: true, description: 'The changes.' }),
  }),
});

const reorderFormFieldsInput = mutationInput({
  description: 'The fields of a form in a new order.',
  fields: (t) => ({
    ...formTarget(t),
    formFieldIds: t.idList({
      required: true,
      description: 'All its fields, each once, in the new order.',
    }),
  }),
});

const deleteFormFieldsInput = mutationInput({
  description: 'Fields to delete from a form: all are deleted, or none.',
  fields: (t) => ({
    ...formTarget(t),
    formFieldIds: t.idList({ required: true, description: 'Which fields.' }),
    withAnswers: t.boolean({
      description: 'Deletes the answers too, which requires the role ADMIN in the project.',
    }),
  }),
});

const formFieldsPayload = mutationPayload<{ fields: FormFieldRow[] }>({
  description: 'The fields after the change.',
  fields: (t) => ({
    fields: t.expose('fields', { type: [FormField], description: 'In the order of the input.' }),
  }),
});

const deleteFormFieldsPayload = mutationPayload<{ formFieldIds: string[] }>({
  description: 'The deleted fields.',
  fields: (t) => ({
    formFieldIds: t.expose('formFieldIds', { type: ['ID'], description: 'Their ids.' }),
  }),
});

mutation('createFormFields', {
  scope: 'forms:write',
  description:
    'Adds fields to a form. CONFLICT for one that it has already. Requires the role EDITOR in the project.',
  argument: 'The fields.',
  input: createFormFieldsInput,
  payload: formFieldsPayload,
  batch: { items: 'fields', empty: { fields: [] } },
  resolve: async (input, ctx) => ({ fields: await createFormFields(ctx, input) }),
});

mutation('updateFormFields', {
  scope: 'forms:write',
  description: 'Changes fields of a form. Requires the role EDITOR in the project.',
  argument: 'The changes.',
  input: updateFormFieldsInput,
  payload: formFieldsPayload,
  batch: { items: 'fields', empty: { fields: [] } },
  resolve: async (input, ctx) => ({ fields: await updateFormFields(ctx, input) }),
});

mutation('reorderFormFields', {
  scope: 'forms:write',
  description: 'Reorders the fields of a form. Requires the role EDITOR in the project.',
  argument: 'The order.',
  input: reorderFormFieldsInput,
  payload: formFieldsPayload,
  resolve: async (input, ctx) => ({ fields: await reorderFormFields(ctx, input) }),
});

mutation('deleteFormFields', {
  scope: 'forms:write',
  description:
    'Deletes fields of a form. CONFLICT for fields with answers, unless withAnswers is set. Requires the role EDITOR in the project, and ADMIN with withAnswers.',
  argument: 'The fields.',
  input: deleteFormFieldsInput,
  payload: deleteFormFieldsPayload,
  batch: { items: 'formFieldIds', empty: { formFieldIds: [] } },
  resolve: async (input, ctx) => ({ formFieldIds: await deleteFormFields(ctx, input) }),
});
