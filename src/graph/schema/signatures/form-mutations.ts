import {
  addSignatureFields,
  deleteSignatureFields,
  updateSignatureField,
} from '../../../domain/signatures/signature-field-change.ts';
import type {
  SignatureField as FieldRow,
  SignatureForm as FormRow,
} from '../../../domain/signatures/signature-form.ts';
import {
  ensureSignatureForm,
  updateSignatureForm,
} from '../../../domain/signatures/signature-form-change.ts';
import { builder } from '../kernel/builder.ts';
import { EXPECTED_VERSION, WITHIN, WITHIN_PROJECT } from '../kernel/descriptions.ts';
import { SignatureField, SignatureFieldType, SignatureForm } from './form.ts';

const WITHIN_DOCUMENT = 'NOT_FOUND unless it belongs to this document.';
const SIGNER = 'Who fills it in: a signer of the draft of the session.';
const SIGNER_RANK = 'Who fills it in: the first signer of this rank.';

const EnsureSignatureFormInput = builder.inputType('EnsureSignatureFormInput', {
  description: 'The document whose form is requested.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    documentId: t.id({ required: true, description: 'Which document.' }),
  }),
});

const UpdateSignatureFormInput = builder.inputType('UpdateSignatureFormInput', {
  description: 'A change of a signature form; what is left out stays as it is.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    documentId: t.id({ description: WITHIN_DOCUMENT }),
    formId: t.id({ required: true, description: 'Which form.' }),
    templateId: t.id({
      description: 'The template it was created from; an empty string removes it. The fields stay.',
    }),
    lastViewedPageIndex: t.int({ description: 'The page that is open in the designer, counted from 0.' }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const NewSignatureField = builder.inputType('NewSignatureField', {
  description: 'One field to place.',
  fields: (t) => ({
    type: t.field({ type: SignatureFieldType, required: true, description: 'What goes into it.' }),
    pageIndex: t.int({ required: true, description: 'Its page, counted from 0.' }),
    x: t.float({ required: true, description: 'Its left edge, in percent of the width of the page.' }),
    y: t.float({ required: true, description: 'Its upper edge, in percent of the height of the page.' }),
    width: t.float({ description: 'In percent of the width of the page.' }),
    height: t.float({ description: 'In percent of the height of the page.' }),
    recipientId: t.id({ description: SIGNER }),
    recipientRank: t.int({ description: SIGNER_RANK }),
    label: t.string({ description: 'The text next to it, up to 255 characters.' }),
    required: t.boolean({
      description: 'Whether its signer has to fill it in; true unless you say otherwise.',
    }),
  }),
});

const AddSignatureFieldsInput = builder.inputType('AddSignatureFieldsInput', {
  description: 'Fields to place on a form: all of them, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    documentId: t.id({ description: WITHIN_DOCUMENT }),
    formId: t.id({ required: true, description: 'Which form.' }),
    clearExisting: t.boolean({ description: 'With true, replaces the present fields.' }),
    fields: t.field({ type: [NewSignatureField], required: true, description: 'The fields, in order.' }),
  }),
});

const UpdateSignatureFieldInput = builder.inputType('UpdateSignatureFieldInput', {
  description: 'A change of a field; what is left out stays as it is.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    documentId: t.id({ description: WITHIN_DOCUMENT }),
    formId: t.id({ required: true, description: 'The form it is on.' }),
    fieldId: t.id({ required: true, description: 'Which field.' }),
    type: t.field({ type: SignatureFieldType, description: 'What goes into it.' }),
    pageIndex: t.int({ description: 'Its page, counted from 0.' }),
    x: t.float({ description: 'Its left edge, in percent of the width of the page.' }),
    y: t.float({ description: 'Its upper edge, in percent of the height of the page.' }),
    width: t.float({ description: 'In percent of the width of the page.' }),
    height: t.float({ description: 'In percent of the height of the page.' }),
    recipientId: t.id({ description: `${SIGNER} An empty one leaves it open.` }),
    recipientRank: t.int({ description: SIGNER_RANK }),
    label: t.string({ description: 'The text next to it; an empty string removes it.' }),
    required: t.boolean({ description: 'Whether its signer has to fill it in.' }),
    expectedVersion: t.int({ description: `Of the form. ${EXPECTED_VERSION}` }),
  }),
});

const DeleteSignatureFieldsInput = builder.inputType('DeleteSignatureFieldsInput', {
  description: 'Fields to take off a form: all that are named, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    documentId: t.id({ description: WITHIN_DOCUMENT }),
    formId: t.id({ required: true, description: 'The form they are on.' }),
    fieldIds: t.idList({ description: 'Which fields; every field of the form when left out.' }),
  }),
});

export const SignatureFormPayload = builder.objectRef<{ form: FormRow }>('SignatureFormPayload').implement({
  description: 'The form as it now is.',
  fields: (t) => ({ form: t.expose('form', { type: SignatureForm, description: 'The form.' }) }),
});

const SignatureFieldsPayload = builder.objectRef<{ fields: FieldRow[] }>('SignatureFieldsPayload').implement({
  description: 'The fields that were placed.',
  fields: (t) => ({
    fields: t.expose('fields', { type: [SignatureField], description: 'In the order of the input.' }),
  }),
});

const SignatureFieldPayload = builder.objectRef<{ field: FieldRow }>('SignatureFieldPayload').implement({
  description: 'The field as it now is.',
  fields: (t) => ({ field: t.expose('field', { type: SignatureField, description: 'The field.' }) }),
});

const DeleteSignatureFieldsPayload = builder
  .objectRef<{ fieldIds: string[] }>('DeleteSignatureFieldsPayload')
  .implement({
    description: 'What was taken off.',
    fields: (t) => ({ fieldIds: t.exposeIDList('fieldIds', { description: 'The ids of the fields.' }) }),
  });

builder.mutationFields((t) => ({
  ensureSignatureForm: t.field({
    type: SignatureFormPayload,
    description:
      'Gives the signature form of a document, and makes it when there is none. Takes the role EDITOR.',
    args: { input: t.arg({ type: EnsureSignatureFormInput, required: true, description: 'The document.' }) },
    resolve: async (_, { input }, ctx) => ({ form: await ensureSignatureForm(ctx, input) }),
  }),
  updateSignatureForm: t.field({
    type: SignatureFormPayload,
    description: 'Changes a signature form. Takes the role EDITOR in the project.',
    args: { input: t.arg({ type: UpdateSignatureFormInput, required: true, description: 'The change.' }) },
    resolve: async (_, { input }, ctx) => ({ form: await updateSignatureForm(ctx, input) }),
  }),
  addSignatureFields: t.field({
    type: SignatureFieldsPayload,
    description: 'Places fields, before signing begins. Takes the role EDITOR in the project.',
    args: { input: t.arg({ type: AddSignatureFieldsInput, required: true, description: 'The fields.' }) },
    resolve: async (_, { input }, ctx) => ({ fields: await addSignatureFields(ctx, input) }),
  }),
  updateSignatureField: t.field({
    type: SignatureFieldPayload,
    description: 'Changes a field, before signing begins. Takes the role EDITOR in the project.',
    args: { input: t.arg({ type: UpdateSignatureFieldInput, required: true, description: 'The change.' }) },
    resolve: async (_, { input }, ctx) => ({ field: await updateSignatureField(ctx, input) }),
  }),
  deleteSignatureFields: t.field({
    type: DeleteSignatureFieldsPayload,
    description: 'Takes fields off a form, before signing begins. Takes the role EDITOR in the project.',
    args: { input: t.arg({ type: DeleteSignatureFieldsInput, required: true, description: 'The fields.' }) },
    resolve: async (_, { input }, ctx) => ({ fieldIds: await deleteSignatureFields(ctx, input) }),
  }),
}));
