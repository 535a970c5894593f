import { findDocuments } from '../../../domain/documents/document.ts';
import { findForms } from '../../../domain/forms/form.ts';
import type { FormField as FormFieldRow } from '../../../domain/forms/form-field.ts';
import {
  type FormSubmission as FormSubmissionRow,
  findSubmissions,
  findSubmissionsOfDocuments,
  submissionsOfForm,
} from '../../../domain/forms/form-submission.ts';
import { submitForm } from '../../../domain/forms/form-submit.ts';
import { memoize } from '../../../lib/memoize.ts';
import { Document } from '../documents/type.ts';
import { builder } from '../kernel/builder.ts';
import { connect, OrderDirection } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { WITHIN, WITHIN_PROJECT } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { author, toAuthor, User } from '../users/type.ts';
import { FormField } from './field.ts';
import { FormTemplate } from './type.ts';

const FormAnswer = builder.objectRef<AnswerRow>('FormAnswer').implement({
  description: 'The answer to one field of a form.',
  fields: (t) => ({
    formField: t.expose('formField', { type: FormField, description: 'The field.' }),
    values: t.exposeStringList('values', { description: 'As text, in their order.' }),
  }),
});

interface AnswerRow {
  formField: FormFieldRow;
  values: string[];
}

/** The values by the fields that they answer, in the order of the form. */
function answersOf(values: { formField: Pick<FormFieldRow, 'id' | 'rank'>; text: string }[]): AnswerRow[] {
  const answers = new Map<string, AnswerRow>();
  for (const { formField, text } of values) {
    const answer = memoize(answers, formField.id, () => ({
      formField: formField as FormFieldRow,
      values: [],
    }));
    answer.values.push(text);
  }
  return [...answers.values()].sort(
    ({ formField: a }, { formField: b }) => a.rank - b.rank || (a.id < b.id ? -1 : 1),
  );
}

export const FilingState = builder.enumType('FilingState', {
  description: 'The state of filing a submission as a document.',
  values: {
    PENDING: { description: 'It is in progress, or will be retried.' },
    FILED: { description: 'The document was created.' },
    FAILED: { description: 'It is not retried until someone requests it.' },
  } as const,
});

/** Further fields: filing.ts. */
export const FormSubmission = builder.prismaObject('FormSubmission', {
  scope: 'forms:read',
  description: 'A submission of a form. Its answers never change.',
  interfaces: [Node],
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', { description: 'The organization it belongs to.' }),
    formTemplate: t.field({
      type: FormTemplate,
      description: 'The form.',
      resolve: ({ formTemplateId }, _, { load }) => load.seen(findForms, formTemplateId, 'Form'),
    }),
    groupId: t.exposeID('groupId', {
      description: 'The same for all submissions of one call, and for their documents.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was submitted.' }),
    submittedBy: t.field({
      type: User,
      nullable: true,
      description: 'Who submitted it; null for the public link.',
      extensions: toAuthor('submitted_by_id'),
      resolve: ({ submittedById }, _, ctx) => (submittedById ? author(ctx, submittedById) : null),
    }),
    ipAddress: t.exposeString('ipAddress', {
      nullable: true,
      description: 'The network address of the sender, if it was recorded.',
    }),
    document: t.field({
      type: Document,
      nullable: true,
      description:
        'The document that was created from it: a PDF of the answers, which are its field values too. Null until it exists, a moment after the submission, and if it is not visible to you.',
      resolve: ({ documentId }, _, { load }) => (documentId ? load.one(findDocuments, documentId) : null),
    }),
  }),
});

builder.prismaObjectField(FormSubmission, 'answers', (t) =>
  t.field({
    type: [FormAnswer],
    description: 'The answers, in the order of the form, without fields left empty.',
    select: (_args, _ctx, nested) => ({
      values: {
        orderBy: { position: 'asc' },
        select: { text: true, formField: nested({ select: { id: true, rank: true } }, ['formField']) },
      },
    }),
    resolve: ({ values }) => answersOf(values),
  }),
);

nodeType('FormSubmission', ({ load }, id) => load.one(findSubmissions, id));

builder.objectField(Document, 'formSubmission', (t) =>
  t.field({
    type: FormSubmission,
    nullable: true,
    description:
      'The submission it was created from, where its origin is FORM. For the public link, submittedBy is ' +
      'null, and the creator of the document is that of the form. Null also if you may not see the submission.',
    resolve: ({ id }, _, { load }) =>
      load.one(findSubmissionsOfDocuments, id, ({ documentId }) => documentId ?? ''),
  }),
);

builder.objectField(FormTemplate, 'submissions', (t) =>
  t.connection(
    {
      type: FormSubmission,
      description: 'Its submissions: all for editors of the project, for others their own. Newest first.',
      args: {
        direction: t.arg({ type: OrderDirection, description: 'ASC for the oldest first.' }),
        filing: t.arg({ type: FilingState, description: 'Only with this state of filing.' }),
      },
      resolve: (form, args, ctx) =>
        connect(ctx, submissionsOfForm, form, args, ({ direction, filing, ...page }) => ({
          ...page,
          filter: { filing },
          orderBy: { field: 'CREATED_AT', direction: direction ?? 'DESC' },
        })),
    },
    connectionOf(FormSubmission),
  ),
);

const FormAnswerInput = builder.inputType('FormAnswerInput', {
  description: 'The answer to one field of a form.',
  fields: (t) => ({
    formFieldId: t.id({ required: true, description: 'Which FormField.' }),
    values: t.stringList({
      required: true,
      description:
        'As text: numbers in decimal notation, dates in ISO 8601, `true` or `false`; several where the field takes several.',
    }),
  }),
});

const NewFormSubmission = builder.inputType('NewFormSubmission', {
  description: 'One submission of a form.',
  fields: (t) => ({
    answers: t.field({ type: [FormAnswerInput], required: true, description: 'Its answers.' }),
  }),
});

const submitFormInput = mutationInput({
  description: 'One or several submissions of a form: all are stored, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    formTemplateId: t.id({ required: true, description: 'Which form; it must be SHARED.' }),
    submissions: t.field({
      type: [NewFormSubmission],
      required: true,
      description: 'The submissions, at most 100.',
    }),
  }),
});

const submitFormPayload = mutationPayload<{ submissions: FormSubmissionRow[] }>({
  description: 'The submissions.',
  fields: (t) => ({
    submissions: t.expose('submissions', {
      type: [FormSubmission],
      description: 'In the order of the input.',
    }),
  }),
});

mutation('submitForm', {
  scope: 'forms:write',
  description:
    'Submits a form. Requires a form that is public or shared with you, or the role EDITOR in its project.',
  argument: 'What to submit.',
  input: submitFormInput,
  payload: submitFormPayload,
  batch: { items: 'submissions', empty: { submissions: [] } },
  resolve: async (input, ctx) => ({ submissions: await submitForm(ctx, input) }),
});
