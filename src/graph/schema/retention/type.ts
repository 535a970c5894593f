import {
  assignmentsOfPolicy,
  findAssignments,
  findPolicies,
  policiesOfOrganization,
  type RetentionAssignment as RetentionAssignmentRow,
  type RetentionPolicy as RetentionPolicyRow,
} from '../../../domain/disposition/policy.ts';
import { findFields } from '../../../domain/fields/field.ts';
import { findFolders } from '../../../domain/folders/folder.ts';
import { findGroups } from '../../../domain/groups/group.ts';
import { findProjects } from '../../../domain/projects/project.ts';
import { keepText } from '../../../domain/retention/keep.ts';
import { Field } from '../fields/type.ts';
import { Folder } from '../folders/type.ts';
import { Group } from '../groups/type.ts';
import { builder } from '../kernel/builder.ts';
import { connect, fixedOrder } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { Organization } from '../organizations/type.ts';
import { Project } from '../projects/type.ts';
import { Tracked, Versioned } from '../users/tracked.ts';
import { author, toAuthor, User } from '../users/type.ts';

export const RetentionStart = builder.enumType('RetentionStart', {
  description: 'From which moment a retention policy counts.',
  values: {
    CREATED: { description: 'When the document was created.' },
    LAST_REVISION: { description: 'When its newest revision was stored.' },
    SEALED: { description: 'When its signatures were completed.' },
    APPROVED: { description: 'When a process on it was approved, the last time.' },
    PROJECT_CLOSED: { description: 'When its project was disabled or deleted.' },
    FIELD: { description: 'The date in a field of the document, the latest if there are several.' },
  } as const,
});

export const RetentionAction = builder.enumType('RetentionAction', {
  description: 'What becomes of a document once its retention has ended.',
  values: {
    NOTHING: { description: 'It stays, and may be recycled and purged as any other.' },
    REVIEW: { description: 'It stays until its reviewers approve that it is purged.' },
    PURGE: { description: 'It is purged.' },
  } as const,
});

const RetentionScope = builder.enumType('RetentionScope', {
  description: 'What a retention policy is assigned to.',
  values: {
    ORGANIZATION: { description: 'All documents of the organization.' },
    PROJECT: { description: 'All documents of a project.' },
    FOLDER: { description: 'All documents of a folder, and of the folders below it.' },
    CHOICE: { description: 'All documents of a project that have a value in a field.' },
  } as const,
});

export const RetentionPolicy = builder.objectRef<RetentionPolicyRow>('RetentionPolicy').implement({
  scope: 'organizations:read',
  description: 'How long documents are kept at least, and what becomes of them then.',
  interfaces: [Node, Versioned, Tracked],
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', { description: 'The organization it belongs to.' }),
    name: t.exposeString('name', {
      description: 'Display name; no other policy of the organization has it, ignoring case.',
    }),
    keep: t.string({
      nullable: true,
      description: 'How long, as a duration of ISO 8601 (P10Y, P6M, P90D); null for ever.',
      resolve: keepText,
    }),
    startsFrom: t.expose('startsFrom', { type: RetentionStart, description: 'From which moment it counts.' }),
    field: t.field({
      type: Field,
      nullable: true,
      description: 'With FIELD: the field of dates.',
      resolve: ({ fieldId }, _, { load }) => (fieldId ? load.one(findFields, fieldId) : null),
    }),
    action: t.expose('action', { type: RetentionAction, description: 'What becomes of documents then.' }),
    reviewGroup: t.field({
      type: Group,
      nullable: true,
      description: 'With REVIEW: whose members decide.',
      resolve: ({ reviewGroupId }, _, { load }) =>
        reviewGroupId ? load.one(findGroups, reviewGroupId) : null,
    }),
    reviewNeed: t.exposeInt('reviewNeed', { description: 'How many of them have to approve a disposal.' }),
    reviewAgainMonths: t.exposeInt('reviewAgainMonths', {
      description: 'For how many months a document is kept further if they deny it.',
    }),
    lockedAt: t.expose('lockedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when it can only be lengthened; null if it can be changed and removed.',
    }),
    lockedBy: t.field({
      type: User,
      nullable: true,
      description: 'Who locked it.',
      extensions: toAuthor('locked_by_id'),
      resolve: ({ lockedById }, _, ctx) => (lockedById ? author(ctx, lockedById) : null),
    }),
    assignments: t.connection(
      {
        type: RetentionAssignment,
        description: 'What it is assigned to, oldest first.',
        resolve: (policy, args, ctx) => connect(ctx, assignmentsOfPolicy, policy, args, byAge),
      },
      connectionOf(RetentionAssignment),
    ),
  }),
});

const byAge = fixedOrder('CREATED_AT');

const RetentionAssignment = builder.objectRef<RetentionAssignmentRow>('RetentionAssignment');

RetentionAssignment.implement({
  scope: 'organizations:read',
  description: 'Documents to which a retention policy applies.',
  interfaces: [Node],
  fields: (t) => ({
    policyId: t.exposeID('policyId', { description: 'Which policy.' }),
    scope: t.expose('scope', { type: RetentionScope, description: 'What it is assigned to.' }),
    project: t.field({
      type: Project,
      nullable: true,
      description:
        'The project, also of the folder or the field; null for ORGANIZATION, or if you do not see it.',
      resolve: ({ projectId }, _, { load }) => (projectId ? load.one(findProjects, projectId) : null),
    }),
    folder: t.field({
      type: Folder,
      nullable: true,
      description: 'With FOLDER: the folder; null if you do not see it.',
      resolve: ({ folderId }, _, { load }) => (folderId ? load.one(findFolders, folderId) : null),
    }),
    field: t.field({
      type: Field,
      nullable: true,
      description: 'With CHOICE: the field; null if you do not see it.',
      resolve: ({ fieldId }, _, { load }) => (fieldId ? load.one(findFields, fieldId) : null),
    }),
    choice: t.exposeString('choice', { nullable: true, description: 'With CHOICE: the value of the field.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was assigned.' }),
    createdBy: t.field({
      type: User,
      description: 'Who assigned it.',
      extensions: toAuthor('created_by_id'),
      resolve: ({ createdById }, _, ctx) => author(ctx, createdById),
    }),
  }),
});

nodeType('RetentionPolicy', ({ load }, id) => load.one(findPolicies, id));
nodeType('RetentionAssignment', ({ load }, id) => load.one(findAssignments, id));

builder.objectField(Organization, 'retentionPolicies', (t) =>
  t.connection(
    {
      type: RetentionPolicy,
      hidden: { roles: ['OWNER', 'ADMIN', 'MEMBER'] },
      description: 'Its retention policies, by name. Guests see none.',
      resolve: ({ id }, args, ctx) =>
        connect(ctx, policiesOfOrganization, { organizationId: id, id }, args, fixedOrder('NAME')),
    },
    connectionOf(RetentionPolicy),
  ),
);
