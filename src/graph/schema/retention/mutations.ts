import {
  assignRetentionPolicy,
  unassignRetentionPolicy,
} from '../../../domain/disposition/assignment-change.ts';
import type { RetentionPolicy as RetentionPolicyRow } from '../../../domain/disposition/policy.ts';
import {
  createRetentionPolicy,
  deleteRetentionPolicy,
  lockRetentionPolicy,
  updateRetentionPolicy,
} from '../../../domain/disposition/policy-change.ts';
import { builder } from '../kernel/builder.ts';
import { EXPECTED_VERSION } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { RetentionAction, RetentionPolicy, RetentionStart } from './type.ts';

const REQUIRES = 'Requires the role OWNER or ADMIN in the organization. Not available to applications.';

const KEEP = 'How long: a duration of ISO 8601 in one unit, such as P10Y, P6M or P90D';

const RetentionChoiceInput = builder.inputType('RetentionChoiceInput', {
  description: 'A value of a field, such as a type of document.',
  fields: (t) => ({
    fieldId: t.id({ required: true, description: 'Which field.' }),
    value: t.string({
      required: true,
      description: 'Which value, of up to 255 characters; case is ignored.',
    }),
  }),
});

export const RetentionScopeInput = builder.inputType('RetentionScopeInput', {
  description: 'Which documents: exactly one of these.',
  isOneOf: true,
  fields: (t) => ({
    wholeOrganization: t.boolean({ description: 'true: all of the organization.' }),
    projectId: t.id({ description: 'All of a project.' }),
    folderId: t.id({ description: 'All of a folder, and of those below it.' }),
    choice: t.field({
      type: RetentionChoiceInput,
      description: 'All of a project that have a value in a field.',
    }),
  }),
});

const policyPayload = mutationPayload<{ policy: RetentionPolicyRow }>({
  description: 'The policy after the change.',
  fields: (t) => ({
    retentionPolicy: t.expose('policy', { type: RetentionPolicy, description: 'The policy.' }),
  }),
});

mutation('createRetentionPolicy', {
  scope: 'write',
  description: `Creates a retention policy, which keeps nothing before it is assigned. CONFLICT for a name in use, and above 100 policies. ${REQUIRES}`,
  argument: 'The policy.',
  input: mutationInput({
    description: 'A retention policy.',
    fields: (t) => ({
      organizationId: t.id({ required: true, description: 'In which organization.' }),
      name: t.string({ required: true, description: 'Display name.' }),
      keep: t.string({ description: `${KEEP}; for ever if omitted.` }),
      startsFrom: t.field({ type: RetentionStart, required: true, description: 'From which moment.' }),
      fieldId: t.id({
        description: 'With FIELD, and only then: a field of dates. The policy applies in its project.',
      }),
      action: t.field({ type: RetentionAction, required: true, description: 'What follows then.' }),
      reviewGroupId: t.id({
        description: 'With REVIEW, and only then: the group whose members decide about disposals.',
      }),
      reviewNeed: t.int({ description: 'How many of them have to approve, 1 to 100; 1 if omitted.' }),
      reviewAgainMonths: t.int({
        description: 'For how many months a denied document is kept further, 1 to 1,200; 12 if omitted.',
      }),
    }),
  }),
  payload: policyPayload,
  resolve: async (input, ctx) => ({ policy: await createRetentionPolicy(ctx, input) }),
});

mutation('updateRetentionPolicy', {
  scope: 'write',
  description: `Changes a retention policy, for all documents that it covers. That of a locked policy can only keep for longer, and destroy less: CONFLICT. ${REQUIRES}`,
  argument: 'The change.',
  input: mutationInput({
    description: 'A change of a retention policy. Members left out, or null, keep their value.',
    fields: (t) => ({
      policyId: t.id({ required: true, description: 'Which policy.' }),
      name: t.string({ description: 'The new name.' }),
      keep: t.string({ description: `${KEEP}.` }),
      forever: t.boolean({ description: 'true: for ever, instead of `keep`.' }),
      action: t.field({ type: RetentionAction, description: 'What follows then.' }),
      reviewGroupId: t.id({ description: 'With REVIEW: the group whose members decide.' }),
      reviewNeed: t.int({ description: 'How many of them have to approve, 1 to 100.' }),
      reviewAgainMonths: t.int({ description: 'For how many months a denied document is kept further.' }),
      expectedVersion: t.int({ description: EXPECTED_VERSION }),
    }),
  }),
  payload: policyPayload,
  resolve: async (input, ctx) => ({ policy: await updateRetentionPolicy(ctx, input) }),
});

mutation('lockRetentionPolicy', {
  scope: 'write',
  description: `Locks a retention policy, for good: from then on nobody can shorten it, delete it, or take back what it is assigned to, and documents that it covers stay under it wherever they are moved. In a browser it takes a proof of the last ten minutes. ${REQUIRES}`,
  argument: 'Which.',
  input: mutationInput({
    description: 'The policy to lock.',
    fields: (t) => ({
      policyId: t.id({ required: true, description: 'Which policy.' }),
      expectedVersion: t.int({ description: EXPECTED_VERSION }),
    }),
  }),
  payload: policyPayload,
  resolve: async (input, ctx) => ({ policy: await lockRetentionPolicy(ctx, input) }),
});

mutation('deleteRetentionPolicy', {
  scope: 'write',
  description: `Deletes a retention policy with its assignments. CONFLICT if it is locked. ${REQUIRES}`,
  argument: 'Which.',
  input: mutationInput({
    description: 'The policy to delete.',
    fields: (t) => ({ policyId: t.id({ required: true, description: 'Which policy.' }) }),
  }),
  payload: mutationPayload<{ id: string }>({
    description: 'What was deleted.',
    fields: (t) => ({ retentionPolicyId: t.exposeID('id', { description: 'The id of the policy.' }) }),
  }),
  resolve: async (input, ctx) => ({ id: await deleteRetentionPolicy(ctx, input) }),
});

mutation('assignRetentionPolicy', {
  scope: 'write',
  description: `Assigns a retention policy to documents, those that are there and those to come. CONFLICT if it is assigned there, and above 1,000 assignments in the organization. ${REQUIRES}`,
  argument: 'The assignment.',
  input: mutationInput({
    description: 'Which documents a retention policy keeps.',
    fields: (t) => ({
      policyId: t.id({ required: true, description: 'Which policy.' }),
      scope: t.field({ type: RetentionScopeInput, required: true, description: 'Which documents.' }),
    }),
  }),
  payload: policyPayload,
  resolve: async (input, ctx) => ({ policy: await assignRetentionPolicy(ctx, input) }),
});

mutation('unassignRetentionPolicy', {
  scope: 'write',
  description: `Takes back an assignment of a retention policy. CONFLICT if the policy is locked. ${REQUIRES}`,
  argument: 'Which.',
  input: mutationInput({
    description: 'The assignment to remove.',
    fields: (t) => ({ assignmentId: t.id({ required: true, description: 'Which RetentionAssignment.' }) }),
  }),
  payload: policyPayload,
  resolve: async (input, ctx) => ({ policy: await unassignRetentionPolicy(ctx, input) }),
});
