import type {
  TemplateField as FieldRow,
  SignatureTemplate as TemplateRow,
} from '../../../domain/signatures/signature-template.ts';
import { applySignatureTemplate } from '../../../domain/signatures/signature-template-apply.ts';
import {
  addTemplateFields,
  createSignatureTemplates,
  deleteSignatureTemplate,
  updateSignatureTemplate,
} from '../../../domain/signatures/signature-template-change.ts';
import { builder } from '../kernel/builder.ts';
import { EXPECTED_VERSION, WITHIN, WITHIN_PROJECT } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { SignatureFieldType } from './form.ts';
import { signatureFormPayload } from './form-mutations.ts';
import { SignatureFormTemplate, SignatureTemplateField } from './template.ts';

const NewSignatureFormTemplate = builder.inputType('NewSignatureFormTemplate', {
  description: 'One template to create.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Display name, 1 to 255 characters.' }),
  }),
});

const createSignatureFormTemplatesInput = mutationInput({
  description: 'New templates of one project: all are created, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ required: true, description: 'Where to create them.' }),
    templates: t.field({
      type: [NewSignatureFormTemplate],
      required: true,
      description: 'The templates, in order.',
    }),
  }),
});

const updateSignatureFormTemplateInput = mutationInput({
  description: 'A change of a template; omitted members keep their values.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    templateId: t.id({ required: true, description: 'Which template.' }),
    name: t.string({ description: 'The new display name.' }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const deleteSignatureFormTemplateInput = mutationInput({
  description: 'A template to delete; fields that were copied from it stay.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    templateId: t.id({ required: true, description: 'Which template.' }),
  }),
});

const NewSignatureTemplateField = builder.inputType('NewSignatureTemplateField', {
  description: 'One field to add.',
  fields: (t) => ({
    type: t.field({ type: SignatureFieldType, required: true, description: 'What goes into it.' }),
    recipientRank: t.int({ description: 'The rank of the signers it is for; 1 by default.' }),
    recipientId: t.id({
      description: 'It is for the rank of this signer, of any session of the organization.',
    }),
    label: t.string({ description: 'The text next to it, up to 255 characters.' }),
    rank: t.int({ description: 'Its position in the order; after the others if omitted.' }),
    pageIndex: t.int({ required: true, description: 'Its page, counted from 0.' }),
    x: t.float({ required: true, description: 'Its left edge, in percent of the width of the page.' }),
    y: t.float({ required: true, description: 'Its upper edge, in percent of the height of the page.' }),
    widthPercent: t.float({ description: 'In percent of the width of the page.' }),
  }),
});

const addSignatureTemplateFieldsInput = mutationInput({
  description: 'Fields to add to a template: all of them, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    templateId: t.id({ required: true, description: 'Which template.' }),
    clearExisting: t.boolean({ description: 'With true, replaces the present fields.' }),
    fields: t.field({
      type: [NewSignatureTemplateField],
      required: true,
      description: 'The fields, in order.',
    }),
  }),
});

const applySignatureFormTemplateInput = mutationInput({
  description: 'A template, and the form whose fields it replaces.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    documentId: t.id({ description: 'NOT_FOUND unless the form belongs to this document.' }),
    formId: t.id({ required: true, description: 'Which form.' }),
    templateId: t.id({ required: true, description: 'Which template of its project.' }),
  }),
});

const signatureFormTemplatesPayload = mutationPayload<{ templates: TemplateRow[] }>({
  description: 'The new templates.',
  fields: (t) => ({
    templates: t.expose('templates', {
      type: [SignatureFormTemplate],
      description: 'In the order of the input.',
    }),
  }),
});

const signatureFormTemplatePayload = mutationPayload<{ template: TemplateRow }>({
  description: 'The template after the change.',
  fields: (t) => ({
    template: t.expose('template', { type: SignatureFormTemplate, description: 'The template.' }),
  }),
});

const deleteSignatureFormTemplatePayload = mutationPayload<{ templateId: string }>({
  description: 'The deleted objects.',
  fields: (t) => ({ templateId: t.exposeID('templateId', { description: 'The id of the template.' }) }),
});

const signatureTemplateFieldsPayload = mutationPayload<{ fields: FieldRow[] }>({
  description: 'The fields that were added.',
  fields: (t) => ({
    fields: t.expose('fields', {
      type: [SignatureTemplateField],
      description: 'In the order of the input.',
    }),
  }),
});

mutation('createSignatureFormTemplates', {
  scope: 'signatures:write',
  description: 'Creates templates. Requires the role EDITOR in the project.',
  argument: 'The templates.',
  input: createSignatureFormTemplatesInput,
  payload: signatureFormTemplatesPayload,
  batch: { items: 'templates', empty: { templates: [] } },
  resolve: async (input, ctx) => ({ templates: await createSignatureTemplates(ctx, input) }),
});

mutation('updateSignatureFormTemplate', {
  scope: 'signatures:write',
  description: 'Changes a template. Requires the role EDITOR in the project.',
  argument: 'The change.',
  input: updateSignatureFormTemplateInput,
  payload: signatureFormTemplatePayload,
  resolve: async (input, ctx) => ({ template: await updateSignatureTemplate(ctx, input) }),
});

mutation('deleteSignatureFormTemplate', {
  scope: 'signatures:write',
  description: 'Deletes a template. Requires the role EDITOR in the project.',
  argument: 'Which template.',
  input: deleteSignatureFormTemplateInput,
  payload: deleteSignatureFormTemplatePayload,
  resolve: async (input, ctx) => ({ templateId: await deleteSignatureTemplate(ctx, input) }),
});

mutation('addSignatureTemplateFields', {
  scope: 'signatures:write',
  description: 'Adds fields to a template. Requires the role EDITOR in the project.',
  argument: 'The fields.',
  input: addSignatureTemplateFieldsInput,
  payload: signatureTemplateFieldsPayload,
  batch: { items: 'fields', empty: { fields: [] } },
  resolve: async (input, ctx) => ({ fields: await addTemplateFields(ctx, input) }),
});

mutation('applySignatureFormTemplate', {
  scope: 'signatures:write',
  description:
    'Replaces the fields of a form with those of a template, before signing begins. Requires the role EDITOR in the project.',
  argument: 'The form and the template.',
  input: applySignatureFormTemplateInput,
  payload: signatureFormPayload,
  resolve: async (input, ctx) => ({ form: await applySignatureTemplate(ctx, input) }),
});
