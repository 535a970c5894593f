import type { FormTemplate as FormTemplateRow } from '../../../domain/forms/form.ts';
import {
  createFormTemplates,
  deleteFormTemplates,
  updateFormTemplate,
} from '../../../domain/forms/form-change.ts';
import { shareFormTemplates, unshareFormTemplates } from '../../../domain/forms/form-share.ts';
import { builder } from '../kernel/builder.ts';
import { EXPECTED_VERSION, WITHIN, WITHIN_PROJECT } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { FormTemplate } from './type.ts';

const NewFormTemplate = builder.inputType('NewFormTemplate', {
  description: 'One form to create; its fields are added with createFormFields.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Display name, 1 to 255 characters.' }),
    aspect: t.float({ description: 'Width of a page divided by its height.' }),
  }),
});

const createFormTemplatesInput = mutationInput({
  description: 'New forms of one project: all are created, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ required: true, description: 'Where to create them.' }),
    formTemplates: t.field({ type: [NewFormTemplate], required: true, description: 'The forms, in order.' }),
  }),
});

const updateFormTemplateInput = mutationInput({
  description: 'A change of a form; omitted members keep their values.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    formTemplateId: t.id({ required: true, description: 'Which form.' }),
    name: t.string({ description: 'The new display name.' }),
    aspect: t.float({ description: 'Width of a page divided by its height.' }),
    documentId: t.id({
      description:
        'A document of the project, whose current PDF becomes the file on which answers are drawn; an empty string for none.',
    }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const deleteFormTemplatesInput = mutationInput({
  description: 'Forms to delete permanently: all are deleted, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    formTemplateIds: t.idList({ required: true, description: 'Which forms.' }),
  }),
});

const shareFormTemplatesInput = mutationInput({
  description: 'Forms to share: all are shared, or none. Existing shares stay.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    formTemplateIds: t.idList({ required: true, description: 'Which forms.' }),
    userEmails: t.stringList({
      description: 'With whom; they see and fill in the form as members or guests of the organization.',
    }),
    groupIds: t.idList({
      description: 'Groups with whose members it is shared, whoever is in them at the time.',
    }),
    isPublic: t.boolean({
      description: 'true: with anyone who has the link. false: revokes the link permanently.',
    }),
    message: t.string({ description: 'A message, stored in the event.' }),
  }),
});

const unshareFormTemplatesInput = mutationInput({
  description: 'Forms to stop sharing: all of them, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    formTemplateIds: t.idList({ required: true, description: 'Which forms.' }),
    userEmails: t.stringList({
      description:
        'With whom to stop sharing. Without userEmails and groupIds with everyone, which also revokes the public link permanently.',
    }),
    groupIds: t.idList({ description: 'Groups with which to stop sharing.' }),
  }),
});

const formTemplatePayload = mutationPayload<{ formTemplate: FormTemplateRow }>({
  description: 'The form after the change.',
  fields: (t) => ({
    formTemplate: t.expose('formTemplate', { type: FormTemplate, description: 'The form.' }),
  }),
});

const formTemplatesPayload = mutationPayload<{ formTemplates: FormTemplateRow[] }>({
  description: 'The forms after the change.',
  fields: (t) => ({
    formTemplates: t.expose('formTemplates', {
      type: [FormTemplate],
      description: 'In the order of the input, each once.',
    }),
  }),
});

const deleteFormTemplatesPayload = mutationPayload<{ formTemplateIds: string[] }>({
  description: 'The deleted forms.',
  fields: (t) => ({
    formTemplateIds: t.expose('formTemplateIds', { type: ['ID'], description: 'Their ids.' }),
  }),
});

mutation('createFormTemplates', {
  scope: 'forms:write',
  description: 'Creates forms, private and empty. Requires the role EDITOR in the project.',
  argument: 'The forms.',
  input: createFormTemplatesInput,
  payload: formTemplatesPayload,
  batch: { items: 'formTemplates', empty: { formTemplates: [] } },
  resolve: async (input, ctx) => ({ formTemplates: await createFormTemplates(ctx, input) }),
});

mutation('updateFormTemplate', {
  scope: 'forms:write',
  description: 'Changes a form. Requires the role EDITOR in the project.',
  argument: 'The change.',
  input: updateFormTemplateInput,
  payload: formTemplatePayload,
  resolve: async (input, ctx) => ({ formTemplate: await updateFormTemplate(ctx, input) }),
});

mutation('deleteFormTemplates', {
  scope: 'forms:write',
  description: 'Deletes forms permanently, with all submissions. Requires the role ADMIN in the project.',
  argument: 'The forms.',
  input: deleteFormTemplatesInput,
  payload: deleteFormTemplatesPayload,
  batch: { items: 'formTemplateIds', empty: { formTemplateIds: [] } },
  resolve: async (input, ctx) => ({ formTemplateIds: await deleteFormTemplates(ctx, input) }),
});

mutation('shareFormTemplates', {
  scope: 'forms:write',
  description:
    'Shares forms with people, groups of people, and by a public link. Requires the role EDITOR in the project.',
  argument: 'With whom.',
  input: shareFormTemplatesInput,
  payload: formTemplatesPayload,
  batch: { items: 'formTemplateIds', empty: { formTemplates: [] } },
  resolve: async (input, ctx) => ({ formTemplates: await shareFormTemplates(ctx, input) }),
});

mutation('unshareFormTemplates', {
  scope: 'forms:write',
  description: 'Stops sharing forms. CONFLICT for a private one. Requires the role EDITOR in the project.',
  argument: 'From whom.',
  input: unshareFormTemplatesInput,
  payload: formTemplatesPayload,
  batch: { items: 'formTemplateIds', empty: { formTemplates: [] } },
  resolve: async (input, ctx) => ({ formTemplates: await unshareFormTemplates(ctx, input) }),
});
