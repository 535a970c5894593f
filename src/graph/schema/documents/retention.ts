import { liftLegalHold, placeLegalHold } from '../../../domain/documents/legal-hold.ts';
import { type PurgePlan as PurgePlanRow, planPurge } from '../../../domain/documents/purge-plan.ts';
import { builder } from '../kernel/builder.ts';
import { WITHIN, WITHIN_PROJECT } from '../kernel/descriptions.ts';
import { mutation, mutationInput } from '../kernel/mutation.ts';
import { documentsInput, documentsPayload } from './mutations.ts';
import { Document } from './type.ts';

const PurgeObstacle = builder.enumType('PurgeObstacle', {
  description: 'A reason why a document cannot be purged.',
  values: {
    NOT_RECYCLED: { description: 'It is not in the recycle bin.' },
    LEGAL_HOLD: { description: 'It is under legal hold.' },
    RETENTION: { description: 'A retention policy keeps it, see `Document.retention`.' },
    ROLE: { description: 'You do not have the role ADMIN in the project.' },
    PROJECT_DISABLED: { description: 'Its project is disabled.' },
  } as const,
});

const PurgePlan = builder.objectRef<PurgePlanRow>('PurgePlan').implement({
  scope: 'documents:read',
  description: 'The effect of purging a document.',
  fields: (t) => ({
    document: t.expose('document', { type: Document, description: 'Which document.' }),
    purgeable: t.boolean({
      description: 'Whether you can purge it now.',
      resolve: ({ obstacles }) => obstacles.length === 0,
    }),
    obstacles: t.expose('obstacles', { type: [PurgeObstacle], description: 'All reasons why you cannot.' }),
    revisionCount: t.exposeInt('revisions', { description: 'How many revisions would be deleted.' }),
    commentCount: t.exposeInt('comments', {
      description:
        'How many comments it has; they stay in the events, where nobody can read them any longer.',
    }),
    signatureSessionCount: t.exposeInt('signatureSessions', {
      description: 'How many signature sessions would be deleted.',
    }),
    bytes: t.expose('bytes', {
      type: 'BigInt',
      description: 'How many bytes would be freed: content that nothing else in the organization uses.',
    }),
  }),
});

builder.objectFields(Document, (t) => ({
  legalHold: t.exposeBoolean('legalHold', {
    description: 'Whether it is under legal hold, which prevents purging.',
  }),
  legalHoldReason: t.exposeString('legalHoldReason', {
    nullable: true,
    description: 'Why it is under legal hold.',
  }),
}));

builder.queryField('purgePlan', (t) =>
  t.field({
    type: [PurgePlan],
    description:
      'The effect of purging these documents, in the order of the ids. NOT_FOUND if one is not visible to you.',
    args: { ids: t.arg.idList({ required: true, description: 'The ids of the documents.' }) },
    resolve: (_, { ids }, ctx) => planPurge(ctx, ids),
  }),
);

const placeLegalHoldInput = mutationInput({
  description: 'Documents to place under legal hold: all of them, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    documentIds: t.idList({ required: true, description: 'Which documents.' }),
    reason: t.string({ required: true, description: 'The reason, up to 2,000 characters.' }),
  }),
});

mutation('placeLegalHold', {
  scope: 'documents:write',
  description:
    'Places documents under legal hold: they cannot be purged until it is lifted. Requires the role OWNER or ADMIN in the organization.',
  argument: 'The documents and the reason.',
  input: placeLegalHoldInput,
  payload: documentsPayload,
  batch: { items: 'documentIds', empty: { documents: [] } },
  resolve: async (input, ctx) => ({ documents: await placeLegalHold(ctx, input) }),
});

mutation('liftLegalHold', {
  scope: 'documents:write',
  description: 'Lifts the legal hold of documents. Requires the role OWNER or ADMIN in the organization.',
  argument: 'Which documents.',
  input: documentsInput,
  payload: documentsPayload,
  batch: { items: 'documentIds', empty: { documents: [] } },
  resolve: async (input, ctx) => ({ documents: await liftLegalHold(ctx, input) }),
});
