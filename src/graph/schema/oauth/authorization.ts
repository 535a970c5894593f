import {
  type Authorization as AuthorizationRow,
  authorizationsOfViewer,
  revokeAuthorization,
} from '../../../domain/oauth/grant.ts';
import { type GrantLimit, limitAuthorization, placesOf } from '../../../domain/oauth/grant-limit.ts';
import { findOrganizations } from '../../../domain/organizations/organization.ts';
import { findProjects } from '../../../domain/projects/project.ts';
import { builder } from '../kernel/builder.ts';
import { connect, orderInput } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { NO_APPLICATION } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { Scope } from '../kernel/scope-enum.ts';
import { Organization } from '../organizations/type.ts';
import { Project } from '../projects/type.ts';
import { Viewer } from '../viewer/type.ts';

const AuthorizationLimit = builder.objectRef<GrantLimit>('AuthorizationLimit').implement({
  scope: 'read',
  description: 'The only places that an application reaches. What you do not see any more is left out.',
  fields: (t) => ({
    organizations: t.field({
      type: [Organization],
      description: 'Organizations that it reaches as a whole.',
      resolve: ({ organizationIds }, _, { load }) =>
        present(organizationIds.map((id) => load.one(findOrganizations, id))),
    }),
    projects: t.field({
      type: [Project],
      description:
        'Projects that it reaches, with your role there. In their organizations it has the rights of a guest.',
      resolve: ({ projectIds }, _, { load }) => present(projectIds.map((id) => load.one(findProjects, id))),
    }),
  }),
});

const present = async <Row>(rows: readonly Promise<Row | null>[]): Promise<Row[]> =>
  (await Promise.all(rows)).filter((row) => row !== null);

const Authorization = builder.objectRef<AuthorizationRow>('Authorization').implement({
  scope: 'read',
  description: 'All that you allow one application.',
  fields: (t) => ({
    clientId: t.exposeID('id', { description: 'The client_id of the application.' }),
    clientName: t.exposeString('clientName', { description: 'The display name of the application.' }),
    organizationName: t.exposeString('organizationName', { description: 'Who the application belongs to.' }),
    scopes: t.expose('scopes', { type: [Scope], description: 'What you allowed it.' }),
    limitedTo: t.field({
      type: AuthorizationLimit,
      nullable: true,
      description: 'The only places where you allowed it; null for all that you see.',
      resolve: ({ limitedTo }) => limitedTo && placesOf(limitedTo),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When you first allowed it.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it last got or used an access token, to five minutes; null if it never did.',
    }),
  }),
});

const AuthorizationOrder = orderInput('Authorization', {
  CREATED_AT: { description: 'When you first allowed it.' },
});

builder.objectField(Viewer, 'authorizations', (t) =>
  t.connection(
    {
      type: Authorization,
      description: 'The applications that you allow to use your account.',
      args: {
        orderBy: t.arg({
          type: AuthorizationOrder,
          description: 'The order; newest first by default.',
        }),
      },
      resolve: ({ id }, args, ctx) =>
        connect(ctx, authorizationsOfViewer, { organizationId: '', id }, args, ({ orderBy, ...page }) => ({
          ...page,
          filter: {},
          orderBy: orderBy ?? { field: 'CREATED_AT', direction: 'DESC' },
        })),
    },
    connectionOf(Authorization),
  ),
);

const AuthorizationLimitInput = builder.inputType('AuthorizationLimitInput', {
  description: 'The only places that an application reaches: one at least.',
  fields: (t) => ({
    organizationIds: t.idList({
      required: true,
      description: 'Organizations that it reaches as a whole; at most 50.',
    }),
    projectIds: t.idList({ required: true, description: 'Projects of other organizations; at most 300.' }),
  }),
});

const limitAuthorizationInput = mutationInput({
  description: 'What an application reaches.',
  fields: (t) => ({
    clientId: t.id({ required: true, description: 'Its client_id.' }),
    limitedTo: t.field({
      type: AuthorizationLimitInput,
      description: 'The only places; null for all that you see, also in the future.',
    }),
  }),
});

const revokeAuthorizationInput = mutationInput({
  description: 'The application to revoke.',
  fields: (t) => ({ clientId: t.id({ required: true, description: 'Its client_id.' }) }),
});

const authorizationPayload = mutationPayload<{ clientId: string }>({
  description: 'What was changed.',
  fields: (t) => ({
    clientId: t.exposeID('clientId', { description: 'The client_id of the application.' }),
  }),
});

mutation('revokeAuthorization', {
  scope: 'write',
  description: `Revokes everything that you allowed an application: its tokens end at once. ${NO_APPLICATION}`,
  argument: 'The application.',
  input: revokeAuthorizationInput,
  payload: authorizationPayload,
  resolve: async (input, ctx) => ({ clientId: await revokeAuthorization(ctx, input) }),
});

mutation('limitAuthorization', {
  scope: 'write',
  description: `Limits an application that you allowed to organizations and projects, from the next request of its tokens on. ${NO_APPLICATION}`,
  argument: 'The application, and the places.',
  input: limitAuthorizationInput,
  payload: authorizationPayload,
  resolve: async (input, ctx) => ({ clientId: await limitAuthorization(ctx, input) }),
});
