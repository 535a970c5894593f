import {
  type Application as ApplicationRow,
  type ApplicationUser as ApplicationUserRow,
  applicationsOfOrganization,
  findApplication,
  usersOfApplication,
} from '../../../domain/oauth/application.ts';
import { builder } from '../kernel/builder.ts';
import { connect } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { MANAGERS_ONLY } from '../kernel/field-options.ts';
import { Scope } from '../kernel/scope-enum.ts';
import { ApplicationPolicy, Organization } from '../organizations/type.ts';
import { author, User } from '../users/type.ts';
import { ClientKind } from './client.ts';

export const ApplicationDecision = builder.enumType('ApplicationDecision', {
  description: 'What an organization decided about an application of another one.',
  values: {
    APPROVED: { description: 'It may act there, unless the policy is NONE.' },
    REFUSED: { description: 'It may not act there, whatever the policy is.' },
  } as const,
});

const ApplicationUser = builder.objectRef<ApplicationUserRow>('ApplicationUser').implement({
  scope: 'read',
  description: 'What a member allows an application of another organization.',
  fields: (t) => ({
    user: t.field({
      type: User,
      description: 'The member.',
      resolve: ({ userId }, _, ctx) => author(ctx, userId),
    }),
    scopes: t.expose('scopes', { type: [Scope], description: 'What they allow it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When they first allowed it.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it last acted for them, in any organization, to five minutes; null if not yet.',
    }),
  }),
});

export const OrganizationApplication = builder
  .objectRef<ApplicationRow>('OrganizationApplication')
  .implement({
    scope: 'read',
    description: 'An application of another organization, as an organization sees it whose members use it.',
    fields: (t) => ({
      clientId: t.exposeID('id', { description: 'The client_id of the application.' }),
      name: t.exposeString('name', { description: 'Its display name.' }),
      publisher: t.exposeString('publisher', { description: 'The organization that it belongs to.' }),
      kind: t.expose('kind', { type: ClientKind, description: 'Whether it can keep a secret.' }),
      people: t.exposeInt('people', { description: 'How many members allow it to act for them.' }),
      scopes: t.expose('scopes', { type: [Scope], description: 'What members allow it, together.' }),
      lastUsedAt: t.expose('lastUsedAt', {
        type: 'DateTime',
        nullable: true,
        description:
          'When it last acted for a member, in any organization, to five minutes; null if not yet.',
      }),
      users: t.connection(
        {
          type: ApplicationUser,
          description: 'The members who allow it, newest first.',
          resolve: ({ organizationId, id }, page, ctx) =>
            connect(
              ctx,
              usersOfApplication,
              { organizationId, id },
              { ...page, filter: {}, orderBy: { field: 'CREATED_AT', direction: 'DESC' } },
            ),
        },
        connectionOf(ApplicationUser),
      ),
    }),
  });

/** What the organization decided. */
builder.objectFields(OrganizationApplication, (t) => ({
  isAllowed: t.exposeBoolean('isAllowed', {
    description: 'Whether it may act in the organization now, by its policy and decision.',
  }),
  decision: t.expose('decision', {
    type: ApplicationDecision,
    nullable: true,
    description: 'What was decided; null if nothing was.',
  }),
  decidedBy: t.field({
    type: User,
    nullable: true,
    description: 'Who decided it.',
    resolve: ({ decidedById }, _, ctx) => (decidedById === null ? null : author(ctx, decidedById)),
  }),
  decidedAt: t.expose('decidedAt', { type: 'DateTime', nullable: true, description: 'When it was decided.' }),
  requestedBy: t.field({
    type: User,
    nullable: true,
    description: 'Who asked for it first, where only approved applications may act.',
    resolve: ({ requestedById }, _, ctx) => (requestedById === null ? null : author(ctx, requestedById)),
  }),
  requestedAt: t.expose('requestedAt', {
    type: 'DateTime',
    nullable: true,
    description: 'When somebody asked for it.',
  }),
  revokedAt: t.expose('revokedAt', {
    type: 'DateTime',
    nullable: true,
    description:
      'What members authorized until then does not reach the organization; null if nothing was revoked.',
  }),
}));

builder.objectFields(Organization, (t) => ({
  applicationPolicy: t.expose('applicationPolicy', {
    type: ApplicationPolicy,
    description: 'Which applications of other organizations may act in it.',
  }),
  application: t.field({
    type: OrganizationApplication,
    hidden: { ...MANAGERS_ONLY, noApplication: true },
    nullable: true,
    description:
      'An application of another organization by its client_id, also one that nobody uses yet; for owners and admins, and null for others and for applications.',
    args: { clientId: t.arg.id({ required: true, description: 'Its client_id.' }) },
    resolve: ({ id }, { clientId }, ctx) => findApplication(ctx, { organizationId: id, clientId }),
  }),
  applications: t.connection(
    {
      type: OrganizationApplication,
      hidden: { ...MANAGERS_ONLY, noApplication: true },
      description:
        'The applications of other organizations that its members use, that were asked for, or that were decided about, by name; for its owners and admins, and none for others and for applications.',
      args: {
        isWaiting: t.arg.boolean({ description: 'With true, only those that wait for a decision.' }),
      },
      resolve: ({ id }, { isWaiting, ...page }, ctx) =>
        connect(
          ctx,
          applicationsOfOrganization,
          { organizationId: id, id },
          { ...page, filter: { isWaiting }, orderBy: { field: 'NAME', direction: 'ASC' } },
        ),
    },
    connectionOf(OrganizationApplication),
  ),
}));
