import { retryFilings } from '../../../domain/forms/filing-retry.ts';
import { filingState } from '../../../domain/forms/filing-state.ts';
import type { FormSubmission as FormSubmissionRow } from '../../../domain/forms/form-submission.ts';
import { builder } from '../kernel/builder.ts';
import { WITHIN, WITHIN_PROJECT } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { FilingState, FormSubmission } from './submission.ts';

const FilingErrorCode = builder.enumType('FilingErrorCode', {
  description: 'Why a submission could not be filed.',
  values: {
    INVALID_ANSWER: {
      description: 'An answer does not fit its field, which may have changed. It is not repeated by itself.',
    },
    PDF_NOT_DRAWN: { description: 'The PDF of the answers could not be drawn.' },
    STORE_UNAVAILABLE: { description: 'The file store did not take it.' },
    INTERNAL: { description: 'The server failed; its log says how.' },
  } as const,
});

const FormFiling = builder.prismaObject('FormSubmission', {
  scope: 'forms:read',
  variant: 'FormFiling',
  description: 'The filing of a submission: a PDF of the answers becomes a document of the project.',
  fields: (t) => ({
    state: t.field({ type: FilingState, description: 'Its state.', resolve: filingState }),
    attempts: t.int({
      description: 'How many attempts were made since the submission, or since someone requested another.',
      resolve: ({ filingAttempts }) => filingAttempts,
    }),
    errorCode: t.field({
      type: FilingErrorCode,
      nullable: true,
      description: 'Why the last attempt failed; null if none did.',
      resolve: ({ filingErrorCode }) => filingErrorCode,
    }),
    lastError: t.string({
      nullable: true,
      description: 'The same in words.',
      resolve: ({ filingError }) => filingError,
    }),
    failedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the last attempt failed, after which there is none; null in another state.',
      resolve: ({ filingFailedAt }) => filingFailedAt,
    }),
    nextAttemptAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the next attempt is; while one is in progress, when that one counts as lost.',
      resolve: ({ filingNextAt }) => filingNextAt,
    }),
  }),
});

builder.prismaObjectField(FormSubmission, 'filing', (t) =>
  t.variant(FormFiling, { description: 'Its filing as a document, which follows it automatically.' }),
);

const retryFormFilingsInput = mutationInput({
  description: 'Submissions that were not filed.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    submissionIds: t.idList({ required: true, description: 'Which submissions.' }),
  }),
});

const retryFormFilingsPayload = mutationPayload<{ submissions: FormSubmissionRow[] }>({
  description: 'The submissions after the change.',
  fields: (t) => ({
    submissions: t.expose('submissions', {
      type: [FormSubmission],
      description: 'In the order of the input.',
    }),
  }),
});

mutation('retryFormFilings', {
  scope: 'forms:write',
  description:
    'Files submissions at once whose filing failed, or waits after a failed attempt. Others stay as they are. Requires the role EDITOR in the project.',
  argument: 'Which submissions.',
  input: retryFormFilingsInput,
  payload: retryFormFilingsPayload,
  batch: { items: 'submissionIds', empty: { submissions: [] } },
  resolve: async (input, ctx) => ({ submissions: await retryFilings(ctx, input) }),
});
