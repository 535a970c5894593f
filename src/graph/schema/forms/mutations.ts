import type { FormTemplate as FormTemplateRow } from '../../../domain/forms/form.ts';
import {
  createFormTemplates,
  deleteFormTemplates,
  updateFormTemplate,
} from '../../../domain/forms/form-change.ts';
import { shareFormTemplates, unshareFormTemplates } from '../../../domain/forms/form-share.ts';
import { builder } from '../kernel/builder.ts';
import { EXPECTED_VERSION, WITHIN, WITHIN_PROJECT } from '../kernel/descriptions.ts';
import { FormTemplate } from './type.ts';

const NewFormTemplate = builder.inputType('NewFormTemplate', {
  description: 'One form to create; its fields are added with createFormFields.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Display name, 1 to 255 characters.' }),
    aspect: t.float({ description: 'Width by height of a page.' }),
  }),
});

const CreateFormTemplatesInput = builder.inputType('CreateFormTemplatesInput', {
  description: 'New forms of one project: all are created, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ required: true, description: 'Where to create them.' }),
    formTemplates: t.field({ type: [NewFormTemplate], required: true, description: 'The forms, in order.' }),
  }),
});

const UpdateFormTemplateInput = builder.inputType('UpdateFormTemplateInput', {
  description: 'A change of a form; what is left out stays as it is.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    formTemplateId: t.id({ required: true, description: 'Which form.' }),
    name: t.string({ description: 'The new display name.' }),
    aspect: t.float({ description: 'Width by height of a page.' }),
    documentId: t.string({
      description:
        'A document of the project, whose PDF, as it now is, the form is filled in on from now on; an empty string for none.',
    }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const DeleteFormTemplatesInput = builder.inputType('DeleteFormTemplatesInput', {
  description: 'Forms to delete for good: all of them, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    formTemplateIds: t.idList({ required: true, description: 'Which forms.' }),
  }),
});

const ShareFormTemplatesInput = builder.inputType('ShareFormTemplatesInput', {
  description: 'Forms to share: all of them, or none. Who they are shared with already stays.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    formTemplateIds: t.idList({ required: true, description: 'Which forms.' }),
    userEmails: t.stringList({
      description: 'With whom; they see and fill in the form as members or guests of the organization.',
    }),
    isPublic: t.boolean({
      description: 'true: with anyone who has the link. false: revokes the link for good.',
    }),
    message: t.string({ description: 'What to say with it; it stands in the event.' }),
  }),
});

const UnshareFormTemplatesInput = builder.inputType('UnshareFormTemplatesInput', {
  description: 'Shared forms to take back: all of them, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    formTemplateIds: t.idList({ required: true, description: 'Which forms.' }),
    userEmails: t.stringList({
      description: 'From whom; when left out, from everyone, and the public link ends for good.',
    }),
  }),
});

const FormTemplatePayload = builder
  .objectRef<{ formTemplate: FormTemplateRow }>('FormTemplatePayload')
  .implement({
    description: 'The form as it now is.',
    fields: (t) => ({
      formTemplate: t.expose('formTemplate', { type: FormTemplate, description: 'The form.' }),
    }),
  });

const FormTemplatesPayload = builder
  .objectRef<{ formTemplates: FormTemplateRow[] }>('FormTemplatesPayload')
  .implement({
    description: 'The forms as they now are.',
    fields: (t) => ({
      formTemplates: t.expose('formTemplates', {
        type: [FormTemplate],
        description: 'In the order of the input, each once.',
      }),
    }),
  });

const DeleteFormTemplatesPayload = builder
  .objectRef<{ formTemplateIds: string[] }>('DeleteFormTemplatesPayload')
  .implement({
    description: 'The forms that are no more.',
    fields: (t) => ({
      formTemplateIds: t.expose('formTemplateIds', { type: ['ID'], description: 'Their ids.' }),
    }),
  });

builder.mutationFields((t) => ({
  createFormTemplates: t.field({
    type: FormTemplatesPayload,
    description: 'Creates forms, private and empty. Takes the role EDITOR in the project.',
    args: { input: t.arg({ type: CreateFormTemplatesInput, required: true, description: 'The forms.' }) },
    resolve: async (_, { input }, ctx) => ({ formTemplates: await createFormTemplates(ctx, input) }),
  }),
  updateFormTemplate: t.field({
    type: FormTemplatePayload,
    description: 'Changes a form. Takes the role EDITOR in the project.',
    args: { input: t.arg({ type: UpdateFormTemplateInput, required: true, description: 'The change.' }) },
    resolve: async (_, { input }, ctx) => ({ formTemplate: await updateFormTemplate(ctx, input) }),
  }),
  deleteFormTemplates: t.field({
    type: DeleteFormTemplatesPayload,
    description: 'Deletes forms for good, with all that was submitted. Takes the role ADMIN in the project.',
    args: { input: t.arg({ type: DeleteFormTemplatesInput, required: true, description: 'The forms.' }) },
    resolve: async (_, { input }, ctx) => ({ formTemplateIds: await deleteFormTemplates(ctx, input) }),
  }),
  shareFormTemplates: t.field({
    type: FormTemplatesPayload,
    description: 'Shares forms with people and by public link. Takes the role EDITOR in the project.',
    args: { input: t.arg({ type: ShareFormTemplatesInput, required: true, description: 'With whom.' }) },
    resolve: async (_, { input }, ctx) => ({ formTemplates: await shareFormTemplates(ctx, input) }),
  }),
  unshareFormTemplates: t.field({
    type: FormTemplatesPayload,
    description:
      'Takes shared forms back. CONFLICT for one that is private. Takes the role EDITOR in the project.',
    args: { input: t.arg({ type: UnshareFormTemplatesInput, required: true, description: 'From whom.' }) },
    resolve: async (_, { input }, ctx) => ({ formTemplates: await unshareFormTemplates(ctx, input) }),
  }),
}));
