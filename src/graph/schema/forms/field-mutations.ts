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
  possibleValues: t.stringList({ description: 'The only values it takes; an empty list for no such limit.' }),
  defaultValues: t.stringList({ description: 'What clients fill in beforehand.' }),
  pageIndex: t.int({ description: 'The page it is on, from 0.' }),
  x: t.float({ description: 'Its left edge, in percent of the width of the page.' }),
  y: t.float({ description: 'Its upper edge, in percent of the height of the page.' }),
  width: t.float({
    description: 'How wide it is, in percent of the width of the page; 0 for as wide as its text.',
  }),
  fontSize: t.int({ description: 'The greatest size of its text, in points; 0 for 12.' }),
  columnLayout: t.boolean({ description: 'Clients lay its choices out in columns.' }),
});

const NewFormField = builder.inputType('NewFormField', {
  description: 'One field to add to a form.',
  fields: (t) => ({
    fieldId: t.id({ required: true, description: 'The field of the project.' }),
    ...traits(t),
  }),
});

const CreateFormFieldsInput = builder.inputType('CreateFormFieldsInput', {
  description: 'New fields of one form, behind those that it has: all are added, or none.',
  fields: (t) => ({
    ...formTarget(t),
    fields: t.field({ type: [NewFormField], required: true, description: 'The fields, in order.' }),
  }),
});

const FormFieldUpdate = builder.inputType('FormFieldUpdate', {
  description: 'A change of one field of a form; what is left out stays as it is.',
  fields: (t) => ({
    formFieldId: t.id({ required: true, description: 'Which FormField.' }),
    ...traits(t),
  }),
});

const UpdateFormFieldsInput = builder.inputType('UpdateFormFieldsInput', {
  description: 'Changes of fields of one form: all are applied, or none.',
  fields: (t) => ({
    ...formTarget(t),
    fields: t.field({ type: [FormFieldUpdate], required: true, description: 'The changes.' }),
  }),
});

const ReorderFormFieldsInput = builder.inputType('ReorderFormFieldsInput', {
  description: 'The fields of a form in a new order.',
  fields: (t) => ({
    ...formTarget(t),
    formFieldIds: t.idList({
      required: true,
      description: 'All its fields, each once, the first one first.',
    }),
  }),
});

const DeleteFormFieldsInput = builder.inputType('DeleteFormFieldsInput', {
  description: 'Fields to take off a form: all of them, or none.',
  fields: (t) => ({
    ...formTarget(t),
    formFieldIds: t.idList({ required: true, description: 'Which fields.' }),
    withAnswers: t.boolean({
      description: 'Deletes what was answered to them as well, which takes the role ADMIN in the project.',
    }),
  }),
});

const FormFieldsPayload = builder.objectRef<{ fields: FormFieldRow[] }>('FormFieldsPayload').implement({
  description: 'The fields as they now are.',
  fields: (t) => ({
    fields: t.expose('fields', { type: [FormField], description: 'In the order of the input.' }),
  }),
});

const DeleteFormFieldsPayload = builder
  .objectRef<{ formFieldIds: string[] }>('DeleteFormFieldsPayload')
  .implement({
    description: 'The fields that are no more.',
    fields: (t) => ({
      formFieldIds: t.expose('formFieldIds', { type: ['ID'], description: 'Their ids.' }),
    }),
  });

builder.mutationFields((t) => ({
  createFormFields: t.field({
    type: FormFieldsPayload,
    description:
      'Adds fields to a form. CONFLICT for one that it has already. Takes the role EDITOR in the project.',
    args: { input: t.arg({ type: CreateFormFieldsInput, required: true, description: 'The fields.' }) },
    resolve: async (_, { input }, ctx) => ({ fields: await createFormFields(ctx, input) }),
  }),
  updateFormFields: t.field({
    type: FormFieldsPayload,
    description: 'Changes fields of a form. Takes the role EDITOR in the project.',
    args: { input: t.arg({ type: UpdateFormFieldsInput, required: true, description: 'The changes.' }) },
    resolve: async (_, { input }, ctx) => ({ fields: await updateFormFields(ctx, input) }),
  }),
  reorderFormFields: t.field({
    type: FormFieldsPayload,
    description: 'Puts the fields of a form in a new order. Takes the role EDITOR in the project.',
    args: { input: t.arg({ type: ReorderFormFieldsInput, required: true, description: 'The order.' }) },
    resolve: async (_, { input }, ctx) => ({ fields: await reorderFormFields(ctx, input) }),
  }),
  deleteFormFields: t.field({
    type: DeleteFormFieldsPayload,
    description:
      'Takes fields off a form. CONFLICT where something was answered already, unless withAnswers is set. Takes the role EDITOR in the project, and ADMIN with withAnswers.',
    args: { input: t.arg({ type: DeleteFormFieldsInput, required: true, description: 'The fields.' }) },
    resolve: async (_, { input }, ctx) => ({ formFieldIds: await deleteFormFields(ctx, input) }),
  }),
}));
