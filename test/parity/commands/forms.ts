import fc from 'fast-check';
import { type AnyCommand, command, maybe, name, ref, refs, several, who } from '../command.ts';
import type { Role, Selection } from '../twin.ts';

const answer = fc.array(fc.constantFrom('red', 'blue', '7', ''), { maxLength: 2 });

export const formCommands: AnyCommand[] = [
  command<string[]>({
    mutation: 'createFormTemplates',
    weight: 2,
    sample: ['Visit'],
    args: several(name),
    graph: (names) => ({ formTemplates: names.map((each) => ({ name: each })) }),
  }),
  command<{ form: Selection; fields: Selection[] }>({
    mutation: 'createFormFields',
    weight: 3,
    sample: { form: 0, fields: [0] },
    args: fc.record({ form: ref, fields: refs }),
    graph: ({ form, fields }, at) => ({
      formTemplateId: at.id('FormTemplate', form),
      fields: at.ids('Field', fields).map((fieldId) => ({ fieldId })),
    }),
  }),
  command<{ forms: Selection[]; to?: (Role | 'nobody')[]; open?: boolean; message?: string }>({
    mutation: 'shareFormTemplates',
    row: 'shareFormTemplates',
    sample: { forms: [0], to: ['member', 'nobody'], open: true, message: 'Please' },
    args: fc.record({
      forms: refs,
      to: maybe(fc.array(who as fc.Arbitrary<Role | 'nobody'>, { maxLength: 2 })),
      open: maybe(fc.boolean()),
      message: maybe(fc.constantFrom('', 'Please', 'x'.repeat(2_001))),
    }),
    graph: ({ forms, to, open, message }, at) => ({
      formTemplateIds: at.ids('FormTemplate', forms),
      userEmails: to?.map((one) => at.email(one)),
      isPublic: open,
      message,
    }),
    rest: ({ forms, to, open, message }, at) => ({
      body: {
        IDs: at.ids('FormTemplate', forms),
        UserEmails: to?.map((one) => at.email(one)),
        IsPublic: open,
        Message: message,
      },
    }),
  }),
  /** REST has the project in the package and no organization, since the path of a form has neither. */
  command<{ form: Selection; fields: Selection[]; answers: string[][] }>({
    mutation: 'submitForm',
    row: 'submitPublicForm',
    weight: 6,
    sample: { form: 0, fields: [0], answers: [['red']] },
    args: fc.record({
      form: ref,
      fields: fc.array(ref, { maxLength: 2 }),
      answers: fc.array(answer, { minLength: 1, maxLength: 2 }),
    }),
    graph: ({ form, fields, answers }, at) => ({
      organizationId: undefined,
      formTemplateId: at.id('FormTemplate', form),
      submissions: answers.map((values) => ({
        answers: at.ids('FormField', fields).map((formFieldId) => ({ formFieldId, values })),
      })),
    }),
    rest: ({ form, fields, answers }, at) => ({
      path: { formTemplateId: at.id('FormTemplate', form) },
      body: answers.map((values) => ({
        TenantID: at.path.projectId,
        FormTemplateID: at.id('FormTemplate', form),
        FormSubmissionFields: at
          .ids('FormField', fields)
          .map((ID) => ({ ID, Value: '', Values: values.length > 0 ? JSON.stringify(values) : '' })),
      })),
    }),
  }),
  command<string>({
    mutation: 'createSearchTemplate',
    weight: 1,
    sample: 'Saved',
    args: name,
    graph: (newName) => ({ name: newName, query: 'twelve' }),
  }),
];
