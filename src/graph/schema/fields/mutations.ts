import type { InputFieldBuilder } from '@pothos/core';
import type { Field as FieldRow } from '../../../domain/fields/field.ts';
import { createFields, deleteFields, updateField } from '../../../domain/fields/field-change.ts';
import { addFieldChoices } from '../../../domain/fields/field-choice.ts';
import { builder } from '../kernel/builder.ts';
import { EXPECTED_VERSION, WITHIN, WITHIN_PROJECT } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { Field, FieldType } from './type.ts';

/** The settings of a field, which can be set when it is created and changed later. */
const fieldSettings = (t: InputFieldBuilder<typeof builder.$inferSchemaTypes, 'InputObject'>) => ({
  parentId: t.id({ description: 'The field that this one depends on; an empty string for none.' }),
  label: t.string({ description: 'Shown instead of the name.' }),
  rank: t.float({ description: 'Its position among the fields.' }),
  required: t.boolean({ description: 'Whether forms require a value.' }),
  sensitive: t.boolean({ description: 'Whether clients mask its values.' }),
  multipleValues: t.boolean({ description: 'Whether a document may have several values.' }),
  multipleLines: t.boolean({ description: 'Whether clients offer an input of several lines.' }),
  rows: t.int({ description: 'How many lines clients show.' }),
  choices: t.boolean({ description: 'Whether it offers choices.' }),
  choicesDependOnParent: t.boolean({
    description: 'Whether the choices it offers depend on the value of the parent field.',
  }),
  newChoicesAllowed: t.boolean({ description: 'Whether values other than its choices are accepted.' }),
  newChoicesSaved: t.boolean({ description: 'Whether such values become choices.' }),
  decimalPlaces: t.int({ description: 'How many decimal places clients show.' }),
  mask: t.string({ description: 'The input mask that clients use.' }),
  usesCreationDate: t.boolean({ description: 'Whether clients fill in the date of creation.' }),
  textMatchType: t.string({ description: 'How clients match its text.' }),
  onDocuments: t.boolean({ description: 'Whether documents may have values for it.' }),
  labelHidden: t.boolean({ description: 'Whether clients hide the label.' }),
});

const NewField = builder.inputType('NewField', {
  description: 'One field to create.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'The name, unique within the project, ignoring case.' }),
    type: t.field({ type: FieldType, required: true, description: 'The type of its values.' }),
    ...fieldSettings(t),
  }),
});

const createFieldsInput = mutationInput({
  description: 'New fields of one project: all are created, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ required: true, description: 'Where to create them.' }),
    fields: t.field({ type: [NewField], required: true, description: 'The fields, in order.' }),
  }),
});

const updateFieldInput = mutationInput({
  description: 'A change of a field; an omitted member keeps its value.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    fieldId: t.id({ required: true, description: 'Which field.' }),
    name: t.string({ description: 'The new name.' }),
    ...fieldSettings(t),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const deleteFieldsInput = mutationInput({
  description: 'Fields to delete, with all of their values: all are deleted, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ required: true, description: 'Their project.' }),
    fieldIds: t.idList({ required: true, description: 'Which fields.' }),
  }),
});

const NewFieldChoice = builder.inputType('NewFieldChoice', {
  description: 'One choice to add.',
  fields: (t) => ({
    value: t.string({ required: true, description: 'The value.' }),
    parentValue: t.string({ description: 'Offered only if the parent field has this value.' }),
  }),
});

const addFieldChoicesInput = mutationInput({
  description: 'Choices to add to a field.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    fieldId: t.id({ required: true, description: 'Which field.' }),
    choices: t.field({ type: [NewFieldChoice], required: true, description: 'The choices, in order.' }),
    replace: t.boolean({ description: 'Whether they replace the existing choices.' }),
  }),
});

const fieldPayload = mutationPayload<{ field: FieldRow }>({
  description: 'The field after the change.',
  fields: (t) => ({ field: t.expose('field', { type: Field, description: 'The field.' }) }),
});

const createFieldsPayload = mutationPayload<{ fields: FieldRow[] }>({
  description: 'The new fields.',
  fields: (t) => ({
    fields: t.expose('fields', { type: [Field], description: 'In the order of the input.' }),
  }),
});

const deleteFieldsPayload = mutationPayload<{ fieldIds: string[] }>({
  description: 'The deleted fields.',
  fields: (t) => ({ fieldIds: t.expose('fieldIds', { type: ['ID'], description: 'Their ids.' }) }),
});

mutation('createFields', {
  scope: 'organizations:write',
  description: 'Creates fields. Requires the role ADMIN in the project.',
  argument: 'The fields.',
  input: createFieldsInput,
  payload: createFieldsPayload,
  batch: { items: 'fields', empty: { fields: [] } },
  resolve: async (input, ctx) => ({ fields: await createFields(ctx, input) }),
});

mutation('updateField', {
  scope: 'organizations:write',
  description: 'Changes a field. Requires the role ADMIN in the project.',
  argument: 'The change.',
  input: updateFieldInput,
  payload: fieldPayload,
  resolve: async (input, ctx) => ({ field: await updateField(ctx, input) }),
});

mutation('deleteFields', {
  scope: 'organizations:write',
  description: 'Deletes fields with all of their values. Requires the role ADMIN in the project.',
  argument: 'The fields.',
  input: deleteFieldsInput,
  payload: deleteFieldsPayload,
  batch: { items: 'fieldIds', empty: { fieldIds: [] } },
  resolve: async (input, ctx) => ({ fieldIds: await deleteFields(ctx, input) }),
});

mutation('addFieldChoices', {
  scope: 'organizations:write',
  description: 'Adds choices to a field, or replaces them. Requires the role ADMIN in the project.',
  argument: 'The choices.',
  input: addFieldChoicesInput,
  payload: fieldPayload,
  resolve: async (input, ctx) => ({ field: await addFieldChoices(ctx, input) }),
});
