import type { InputFieldBuilder } from '@pothos/core';
import type { Field as FieldRow } from '../../../domain/fields/field.ts';
import { createFields, deleteFields, updateField } from '../../../domain/fields/field-change.ts';
import { addFieldChoices } from '../../../domain/fields/field-choice.ts';
import { builder } from '../kernel/builder.ts';
import { EXPECTED_VERSION, WITHIN, WITHIN_PROJECT } from '../kernel/descriptions.ts';
import { Field, FieldType } from './type.ts';

/** The settings of a field, which can be set when it is created and changed later. */
const fieldSettings = (t: InputFieldBuilder<typeof builder.$inferSchemaTypes, 'InputObject'>) => ({
  parentId: t.id({ description: 'The field that this one depends on; an empty string for none.' }),
  label: t.string({ description: 'What to show instead of the name.' }),
  rank: t.float({ description: 'Its position among the fields.' }),
  required: t.boolean({ description: 'Forms ask for a value.' }),
  sensitive: t.boolean({ description: 'Clients mask its values.' }),
  multipleValues: t.boolean({ description: 'A document may have several values.' }),
  multipleLines: t.boolean({ description: 'Clients offer several lines.' }),
  rows: t.int({ description: 'How many lines they show.' }),
  choices: t.boolean({ description: 'It offers choices.' }),
  choicesDependOnParent: t.boolean({
    description: 'Which choices depends on the value of the parent field.',
  }),
  newChoicesAllowed: t.boolean({ description: 'Values other than its choices are accepted.' }),
  newChoicesSaved: t.boolean({ description: 'Such values become choices.' }),
  decimalPlaces: t.int({ description: 'How many decimals clients show.' }),
  mask: t.string({ description: 'How clients guide the typing.' }),
  usesCreationDate: t.boolean({ description: 'Clients fill in the date of creation.' }),
  textMatchType: t.string({ description: 'How clients match its text.' }),
  onDocuments: t.boolean({ description: 'Documents may carry it.' }),
  labelHidden: t.boolean({ description: 'Clients show no label.' }),
});

const NewField = builder.inputType('NewField', {
  description: 'One field to create.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'The name, the only one of its project.' }),
    type: t.field({ type: FieldType, required: true, description: 'What its values are.' }),
    ...fieldSettings(t),
  }),
});

const CreateFieldsInput = builder.inputType('CreateFieldsInput', {
  description: 'New fields of one project: all are created, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ required: true, description: 'Where to create them.' }),
    fields: t.field({ type: [NewField], required: true, description: 'The fields, in order.' }),
  }),
});

const UpdateFieldInput = builder.inputType('UpdateFieldInput', {
  description: 'A change of a field; what is left out stays as it is.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    fieldId: t.id({ required: true, description: 'Which field.' }),
    name: t.string({ description: 'The new name.' }),
    ...fieldSettings(t),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const DeleteFieldsInput = builder.inputType('DeleteFieldsInput', {
  description: 'Fields to delete with all their values: all of them, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ required: true, description: 'Their project.' }),
    fieldIds: t.idList({ required: true, description: 'Which fields.' }),
  }),
});

const NewFieldChoice = builder.inputType('NewFieldChoice', {
  description: 'A value that a field is to offer.',
  fields: (t) => ({
    value: t.string({ required: true, description: 'The value.' }),
    parentValue: t.string({ description: 'Offered only when the parent field has this value.' }),
  }),
});

const AddFieldChoicesInput = builder.inputType('AddFieldChoicesInput', {
  description: 'Choices of a field.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    fieldId: t.id({ required: true, description: 'Which field.' }),
    choices: t.field({ type: [NewFieldChoice], required: true, description: 'The choices, in order.' }),
    replace: t.boolean({ description: 'Replaces the present choices.' }),
  }),
});

const FieldPayload = builder.objectRef<{ field: FieldRow }>('FieldPayload').implement({
  description: 'The field as it now is.',
  fields: (t) => ({ field: t.expose('field', { type: Field, description: 'The field.' }) }),
});

const CreateFieldsPayload = builder.objectRef<{ fields: FieldRow[] }>('CreateFieldsPayload').implement({
  description: 'The new fields.',
  fields: (t) => ({
    fields: t.expose('fields', { type: [Field], description: 'In the order of the input.' }),
  }),
});

const DeleteFieldsPayload = builder.objectRef<{ fieldIds: string[] }>('DeleteFieldsPayload').implement({
  description: 'The fields that are no more.',
  fields: (t) => ({ fieldIds: t.expose('fieldIds', { type: ['ID'], description: 'Their ids.' }) }),
});

builder.mutationFields((t) => ({
  createFields: t.field({
    type: CreateFieldsPayload,
    description: 'Creates fields. Takes the role ADMIN in the project.',
    args: { input: t.arg({ type: CreateFieldsInput, required: true, description: 'The fields.' }) },
    resolve: async (_, { input }, ctx) => ({ fields: await createFields(ctx, input) }),
  }),
  updateField: t.field({
    type: FieldPayload,
    description: 'Changes a field. Takes the role ADMIN in the project.',
    args: { input: t.arg({ type: UpdateFieldInput, required: true, description: 'The change.' }) },
    resolve: async (_, { input }, ctx) => ({ field: await updateField(ctx, input) }),
  }),
  deleteFields: t.field({
    type: DeleteFieldsPayload,
    description: 'Deletes fields with all their values. Takes the role ADMIN in the project.',
    args: { input: t.arg({ type: DeleteFieldsInput, required: true, description: 'The fields.' }) },
    resolve: async (_, { input }, ctx) => ({ fieldIds: await deleteFields(ctx, input) }),
  }),
  addFieldChoices: t.field({
    type: FieldPayload,
    description: 'Adds choices to a field, or replaces them. Takes the role ADMIN in the project.',
    args: { input: t.arg({ type: AddFieldChoicesInput, required: true, description: 'The choices.' }) },
    resolve: async (_, { input }, ctx) => ({ field: await addFieldChoices(ctx, input) }),
  }),
}));
