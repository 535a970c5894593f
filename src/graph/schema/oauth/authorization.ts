import {
  type Authorization as AuthorizationRow,
  authorizationsOfViewer,
  revokeAuthorization,
} from '../../../domain/oauth/grant.ts';
import { builder } from '../kernel/builder.ts';
import { connect, orderInput } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { NO_APPLICATION } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { Scope } from '../kernel/scope-enum.ts';
import { Viewer } from '../viewer/type.ts';

const Authorization = builder.objectRef<AuthorizationRow>('Authorization').implement({
  scope: 'read',
  description: 'All that you allow one application.',
  fields: (t) => ({
    clientId: t.exposeID('id', { description: 'The client_id of the application.' }),
    clientName: t.exposeString('clientName', { description: 'The display name of the application.' }),
    organizationName: t.exposeString('organizationName', { description: 'Who the application belongs to.' }),
    scopes: t.expose('scopes', { type: [Scope], description: 'What you allowed it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When you first allowed it.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it last got an access token; null if it never did.',
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

const revokeAuthorizationInput = mutationInput({
  description: 'The application to revoke.',
  fields: (t) => ({ clientId: t.id({ required: true, description: 'Its client_id.' }) }),
});

const revokeAuthorizationPayload = mutationPayload<{ clientId: string }>({
  description: 'What was revoked.',
  fields: (t) => ({
    clientId: t.exposeID('clientId', { description: 'The client_id of the application.' }),
  }),
});

mutation('revokeAuthorization', {
  scope: 'write',
  description: `Revokes everything that you allowed an application: its tokens end at once. ${NO_APPLICATION}`,
  argument: 'The application.',
  input: revokeAuthorizationInput,
  payload: revokeAuthorizationPayload,
  resolve: async (input, ctx) => ({ clientId: await revokeAuthorization(ctx, input) }),
});
