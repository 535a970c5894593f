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
import { SignatureFieldType } from './form.ts';
import { SignatureFormPayload } from './form-mutations.ts';
import { SignatureFormTemplate, SignatureTemplateField } from './template.ts';

const NewSignatureFormTemplate = builder.inputType('NewSignatureFormTemplate', {
  description: 'One template to create.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Display name, 1 to 255 characters.' }),
  }),
});

const CreateSignatureFormTemplatesInput = builder.inputType('CreateSignatureFormTemplatesInput', {
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

const UpdateSignatureFormTemplateInput = builder.inputType('UpdateSignatureFormTemplateInput', {
  description: 'A change of a template; what is left out stays as it is.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    templateId: t.id({ required: true, description: 'Which template.' }),
    name: t.string({ description: 'The new display name.' }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const DeleteSignatureFormTemplateInput = builder.inputType('DeleteSignatureFormTemplateInput', {
  description: 'A template to delete; what was copied from it stays.',
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
    recipientRank: t.int({ description: 'The rank of the signers it is for; 1 unless you say otherwise.' }),
    recipientId: t.id({
      description: 'It is for the rank of this signer, of whatever session of the organization.',
    }),
    label: t.string({ description: 'The text next to it, up to 255 characters.' }),
    rank: t.int({ description: 'Its position in the order; after the others when left out.' }),
    pageIndex: t.int({ required: true, description: 'Its page, counted from 0.' }),
    x: t.float({ required: true, description: 'Its left edge, in percent of the width of the page.' }),
    y: t.float({ required: true, description: 'Its upper edge, in percent of the height of the page.' }),
    widthPercent: t.float({ description: 'In percent of the width of the page.' }),
  }),
});

const AddSignatureTemplateFieldsInput = builder.inputType('AddSignatureTemplateFieldsInput', {
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

const ApplySignatureFormTemplateInput = builder.inputType('ApplySignatureFormTemplateInput', {
  description: 'A template, and the form whose fields it replaces.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    documentId: t.id({ description: 'NOT_FOUND unless the form belongs to this document.' }),
    formId: t.id({ required: true, description: 'Which form.' }),
    templateId: t.id({ required: true, description: 'Which template of its project.' }),
  }),
});

const SignatureFormTemplatesPayload = builder
  .objectRef<{ templates: TemplateRow[] }>('SignatureFormTemplatesPayload')
  .implement({
    description: 'The new templates.',
    fields: (t) => ({
      templates: t.expose('templates', {
        type: [SignatureFormTemplate],
        description: 'In the order of the input.',
      }),
    }),
  });

const SignatureFormTemplatePayload = builder
  .objectRef<{ template: TemplateRow }>('SignatureFormTemplatePayload')
  .implement({
    description: 'The template as it now is.',
    fields: (t) => ({
      template: t.expose('template', { type: SignatureFormTemplate, description: 'The template.' }),
    }),
  });

const DeleteSignatureFormTemplatePayload = builder
  .objectRef<{ templateId: string }>('DeleteSignatureFormTemplatePayload')
  .implement({
    description: 'What was deleted.',
    fields: (t) => ({ templateId: t.exposeID('templateId', { description: 'The id of the template.' }) }),
  });

const SignatureTemplateFieldsPayload = builder
  .objectRef<{ fields: FieldRow[] }>('SignatureTemplateFieldsPayload')
  .implement({
    description: 'The fields that were added.',
    fields: (t) => ({
      fields: t.expose('fields', {
        type: [SignatureTemplateField],
        description: 'In the order of the input.',
      }),
    }),
  });

const input = <Type>(type: Type, description: string) => ({ type, required: true as const, description });

builder.mutationFields((t) => ({
  createSignatureFormTemplates: t.field({
    type: SignatureFormTemplatesPayload,
    description: 'Creates templates. Takes the role EDITOR in the project.',
    args: { input: t.arg(input(CreateSignatureFormTemplatesInput, 'The templates.')) },
    resolve: async (_, { input }, ctx) => ({ templates: await createSignatureTemplates(ctx, input) }),
  }),
  updateSignatureFormTemplate: t.field({
    type: SignatureFormTemplatePayload,
    description: 'Changes a template. Takes the role EDITOR in the project.',
    args: { input: t.arg(input(UpdateSignatureFormTemplateInput, 'The change.')) },
    resolve: async (_, { input }, ctx) => ({ template: await updateSignatureTemplate(ctx, input) }),
  }),
  deleteSignatureFormTemplate: t.field({
    type: DeleteSignatureFormTemplatePayload,
    description: 'Deletes a template. Takes the role EDITOR in the project.',
    args: { input: t.arg(input(DeleteSignatureFormTemplateInput, 'Which template.')) },
    resolve: async (_, { input }, ctx) => ({ templateId: await deleteSignatureTemplate(ctx, input) }),
  }),
  addSignatureTemplateFields: t.field({
    type: SignatureTemplateFieldsPayload,
    description: 'Adds fields to a template. Takes the role EDITOR in the project.',
    args: { input: t.arg(input(AddSignatureTemplateFieldsInput, 'The fields.')) },
    resolve: async (_, { input }, ctx) => ({ fields: await addTemplateFields(ctx, input) }),
  }),
  applySignatureFormTemplate: t.field({
    type: SignatureFormPayload,
    description:
      'Gives a form the fields of a template, before signing begins. Takes the role EDITOR in the project.',
    args: { input: t.arg(input(ApplySignatureFormTemplateInput, 'The form and the template.')) },
    resolve: async (_, { input }, ctx) => ({ form: await applySignatureTemplate(ctx, input) }),
  }),
}));
