import { liftLegalHold, placeLegalHold } from '../../../domain/documents/legal-hold.ts';
import { type PurgePlan as PurgePlanRow, planPurge } from '../../../domain/documents/purge-plan.ts';
import { builder } from '../kernel/builder.ts';
import { WITHIN, WITHIN_PROJECT } from '../kernel/descriptions.ts';
import { DocumentsInput, DocumentsPayload } from './mutations.ts';
import { Document } from './type.ts';

const PurgeObstacle = builder.enumType('PurgeObstacle', {
  description: 'What keeps a document from being purged.',
  values: {
    NOT_RECYCLED: { description: 'It is not in the recycle bin.' },
    LEGAL_HOLD: { description: 'It is under legal hold.' },
    ROLE: { description: 'It takes the role ADMIN in the project, which you do not have.' },
    PROJECT_DISABLED: { description: 'Its project is disabled.' },
  } as const,
});

const PurgePlan = builder.objectRef<PurgePlanRow>('PurgePlan').implement({
  description: 'What purging a document would do.',
  fields: (t) => ({
    document: t.expose('document', { type: Document, description: 'Which document.' }),
    purgeable: t.boolean({
      description: 'Whether you could purge it now.',
      resolve: ({ obstacles }) => obstacles.length === 0,
    }),
    obstacles: t.expose('obstacles', { type: [PurgeObstacle], description: 'All that keeps it.' }),
    revisionCount: t.exposeInt('revisions', { description: 'How many revisions would go.' }),
    commentCount: t.exposeInt('comments', {
      description: 'How many comments it has; they stay in the events, where nobody can read them any more.',
    }),
    signatureSessionCount: t.exposeInt('signatureSessions', {
      description: 'How many signature sessions would go.',
    }),
    bytes: t.expose('bytes', {
      type: 'BigInt',
      description: 'How many bytes would be freed: those that nothing else in the organization uses.',
    }),
  }),
});

builder.objectFields(Document, (t) => ({
  legalHold: t.exposeBoolean('legalHold', { description: 'Whether it is protected from being purged.' }),
  legalHoldReason: t.exposeString('legalHoldReason', {
    nullable: true,
    description: 'Why it is under legal hold.',
  }),
}));

builder.queryField('purgePlan', (t) =>
  t.field({
    type: [PurgePlan],
    description:
      'What purging these documents would do, in the order of the ids. NOT_FOUND when one is not visible to you.',
    args: { ids: t.arg.idList({ required: true, description: 'The ids of the documents.' }) },
    resolve: (_, { ids }, ctx) => planPurge(ctx, ids),
  }),
);

const PlaceLegalHoldInput = builder.inputType('PlaceLegalHoldInput', {
  description: 'Which documents to keep: all of them, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    documentIds: t.idList({ required: true, description: 'Which documents.' }),
    reason: t.string({ required: true, description: 'Why, in up to 2,000 characters.' }),
  }),
});

builder.mutationFields((t) => ({
  placeLegalHold: t.field({
    type: DocumentsPayload,
    description:
      'Keeps documents from being purged, whatever their date, until that is lifted. Takes the role OWNER or ADMIN in the organization.',
    args: { input: t.arg({ type: PlaceLegalHoldInput, required: true, description: 'Which, and why.' }) },
    resolve: async (_, { input }, ctx) => ({ documents: await placeLegalHold(ctx, input) }),
  }),
  liftLegalHold: t.field({
    type: DocumentsPayload,
    description: 'Takes legal holds back. Takes the role OWNER or ADMIN in the organization.',
    args: { input: t.arg({ type: DocumentsInput, required: true, description: 'Which documents.' }) },
    resolve: async (_, { input }, ctx) => ({ documents: await liftLegalHold(ctx, input) }),
  }),
}));
