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
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { SignatureField, SignatureFieldType, SignatureForm } from './form.ts';

const WITHIN_DOCUMENT = 'NOT_FOUND unless it belongs to this document.';
const SIGNER = 'Who fills it in: a signer of the draft session.';
const SIGNER_RANK = 'Who fills it in: the first signer of this rank.';

const ensureSignatureFormInput = mutationInput({
  description: 'The document whose form is requested.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    documentId: t.id({ required: true, description: 'Which document.' }),
  }),
});

const updateSignatureFormInput = mutationInput({
  description: 'A change of a signature form; omitted members keep their values.',
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
      description: 'Whether its signer has to fill it in; true by default.',
    }),
  }),
});

const addSignatureFieldsInput = mutationInput({
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

const updateSignatureFieldInput = mutationInput({
  description: 'A change of a field; omitted members keep their values.',
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
    recipientId: t.id({ description: `${SIGNER} An empty string removes the signer.` }),
    recipientRank: t.int({ description: SIGNER_RANK }),
    label: t.string({ description: 'The text next to it; an empty string removes it.' }),
    required: t.boolean({ description: 'Whether its signer has to fill it in.' }),
    expectedVersion: t.int({ description: `Of the form. ${EXPECTED_VERSION}` }),
  }),
});

const deleteSignatureFieldsInput = mutationInput({
  description: 'Fields to delete from a form: all are deleted, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    documentId: t.id({ description: WITHIN_DOCUMENT }),
    formId: t.id({ required: true, description: 'The form they are on.' }),
    fieldIds: t.idList({ description: 'Which fields; every field of the form if omitted.' }),
  }),
});

export const signatureFormPayload = mutationPayload<{ form: FormRow }>({
  description: 'The form after the change.',
  fields: (t) => ({ form: t.expose('form', { type: SignatureForm, description: 'The form.' }) }),
});

const signatureFieldsPayload = mutationPayload<{ fields: FieldRow[] }>({
  description: 'The fields that were placed.',
  fields: (t) => ({
    fields: t.expose('fields', { type: [SignatureField], description: 'In the order of the input.' }),
  }),
});

const signatureFieldPayload = mutationPayload<{ field: FieldRow }>({
  description: 'The field after the change.',
  fields: (t) => ({ field: t.expose('field', { type: SignatureField, description: 'The field.' }) }),
});

const deleteSignatureFieldsPayload = mutationPayload<{ fieldIds: string[] }>({
  description: 'The deleted fields.',
  fields: (t) => ({ fieldIds: t.exposeIDList('fieldIds', { description: 'The ids of the fields.' }) }),
});

mutation('ensureSignatureForm', {
  scope: 'signatures:write',
  description:
    'Returns the signature form of a document, and creates it if there is none. Requires the role EDITOR.',
  argument: 'The document.',
  input: ensureSignatureFormInput,
  payload: signatureFormPayload,
  resolve: async (input, ctx) => ({ form: await ensureSignatureForm(ctx, input) }),
});

mutation('updateSignatureForm', {
  scope: 'signatures:write',
  description: 'Changes a signature form. Requires the role EDITOR in the project.',
  argument: 'The change.',
  input: updateSignatureFormInput,
  payload: signatureFormPayload,
  resolve: async (input, ctx) => ({ form: await updateSignatureForm(ctx, input) }),
});

mutation('addSignatureFields', {
  scope: 'signatures:write',
  description: 'Places fields, before signing begins. Requires the role EDITOR in the project.',
  argument: 'The fields.',
  input: addSignatureFieldsInput,
  payload: signatureFieldsPayload,
  batch: { items: 'fields', empty: { fields: [] } },
  resolve: async (input, ctx) => ({ fields: await addSignatureFields(ctx, input) }),
});

mutation('updateSignatureField', {
  scope: 'signatures:write',
  description: 'Changes a field, before signing begins. Requires the role EDITOR in the project.',
  argument: 'The change.',
  input: updateSignatureFieldInput,
  payload: signatureFieldPayload,
  resolve: async (input, ctx) => ({ field: await updateSignatureField(ctx, input) }),
});

mutation('deleteSignatureFields', {
  scope: 'signatures:write',
  description: 'Deletes fields of a form, before signing begins. Requires the role EDITOR in the project.',
  argument: 'The fields.',
  input: deleteSignatureFieldsInput,
  payload: deleteSignatureFieldsPayload,
  resolve: async (input, ctx) => ({ fieldIds: await deleteSignatureFields(ctx, input) }),
});
