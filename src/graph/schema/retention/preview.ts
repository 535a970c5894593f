import {
  previewRetention,
  type RetentionPreview as RetentionPreviewRow,
} from '../../../domain/disposition/preview.ts';
import { Document } from '../documents/type.ts';
import { builder } from '../kernel/builder.ts';
import { RetentionScopeInput } from './mutations.ts';
import { RetentionAction } from './type.ts';

const RetentionPreview = builder.objectRef<RetentionPreviewRow>('RetentionPreview').implement({
  scope: 'documents:read',
  description: 'What the server would do of itself at a moment, as its retention policies say.',
  fields: (t) => ({
    coveredCount: t.exposeInt('covered', {
      description: 'How many documents the policy covers; without one, how many any policy covers.',
    }),
    shortenedCount: t.exposeInt('shortened', {
      description: 'How many documents would be kept for less time than without the change.',
    }),
    lengthenedCount: t.exposeInt('lengthened', {
      description: 'How many documents would be kept for longer than without the change.',
    }),
    purgeCount: t.exposeInt('due', { description: 'How many documents would be purged.' }),
    purgeBytes: t.expose('dueBytes', { type: 'BigInt', description: 'The size of all of their revisions.' }),
    reviewCount: t.exposeInt('reviews', { description: 'How many documents would be put to review.' }),
    documents: t.expose('documents', {
      type: [Document],
      description: 'The first 50 of those that would be purged or put to review, oldest first.',
    }),
  }),
});

const RetentionPreviewInput = builder.inputType('RetentionPreviewInput', {
  description:
    'At which moment, and with which change of a policy. Without a change: what the policies say now.',
  fields: (t) => ({
    organizationId: t.id({ required: true, description: 'In which organization.' }),
    at: t.field({ type: 'DateTime', description: 'At which moment; now if omitted.' }),
    policyId: t.id({ description: 'Which policy would change.' }),
    keep: t.string({ description: 'How long it would keep, as in updateRetentionPolicy.' }),
    forever: t.boolean({ description: 'true: it would keep for ever.' }),
    action: t.field({ type: RetentionAction, description: 'What would follow then.' }),
    assign: t.field({ type: RetentionScopeInput, description: 'What it would be assigned to besides.' }),
    unassignId: t.id({ description: 'Which RetentionAssignment of it would be removed.' }),
  }),
});

builder.queryField('retentionPreview', (t) =>
  t.field({
    type: RetentionPreview,
    description:
      'What the server would do by its retention policies, by the same rules as it does it. Changes nothing. Requires the role OWNER or ADMIN in the organization. Reads all documents of the organization.',
    args: {
      input: t.arg({ type: RetentionPreviewInput, required: true, description: 'What would change.' }),
    },
    resolve: (_, { input }, ctx) => previewRetention(ctx, input),
  }),
);
