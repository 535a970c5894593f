import {
  type Client as ClientRow,
  clientsOfOrganization,
  findClients,
  logoPath,
} from '../../../domain/oauth/client.ts';
import {
  type ClientUsage as ClientUsageRow,
  findClientUsage,
} from '../../../domain/oauth/client-authorizations.ts';
import {
  type ClientSecret as ClientSecretRow,
  findClientSecrets,
} from '../../../domain/oauth/clients/client-secret.ts';
import { findOrganizations } from '../../../domain/organizations/organization.ts';
import { builder } from '../kernel/builder.ts';
import { connect, orderInput } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { MANAGERS_ONLY } from '../kernel/field-options.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { Scope } from '../kernel/scope-enum.ts';
import { Organization } from '../organizations/type.ts';
import { Versioned } from '../users/tracked.ts';

export const ClientKind = builder.enumType('ClientKind', {
  description: 'Whether an application can keep a secret (RFC 6749 §2.1), or only checks tokens.',
  values: {
    CONFIDENTIAL: { description: 'It runs on a server, and authenticates with a secret.' },
    PUBLIC: { description: 'It runs in a browser or on a device, and proves itself with PKCE.' },
    RESOURCE_SERVER: {
      description:
        'It accepts tokens for an API of its own and introspects them (RFC 7662); it gets no tokens, and uses no account.',
    },
  } as const,
});

export const TokenFormat = builder.enumType('TokenFormat', {
  description:
    'The format of the access tokens of an application. Both can be revoked at once: /oauth/revoke ends all tokens of the same authorization, but an access token that a refresh has replaced is revoked alone.',
  values: {
    OPAQUE: { description: 'Random characters.' },
    JWT: { description: 'Signed (RFC 9068), for resource servers that check them by themselves.' },
  } as const,
});

/** Further fields: service-account.ts, usage/type.ts. */
export const Client = builder.objectRef<ClientRow>('Client').implement({
  scope: 'read',
  description: 'An application that people may allow to use their account (OAuth 2.0).',
  interfaces: [Node, Versioned],
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Display name, shown to people before they allow it.' }),
    kind: t.expose('kind', { type: ClientKind, description: 'Whether it can keep a secret.' }),
    native: t.exposeBoolean('native', { description: 'Whether it is installed on a device (RFC 8252).' }),
    redirectUris: t.exposeStringList('redirectUris', {
      description: 'Where people may be redirected to; compared character by character.',
    }),
    scopes: t.expose('scopes', {
      type: [Scope],
      description: 'What it may request; without any scope it is disabled.',
    }),
    resourceUri: t.exposeString('resourceUri', {
      nullable: true,
      description:
        'The identifier of a resource server in the `resource` of a request (RFC 8707) and the `aud` of a token; null for others.',
    }),
    homePageUrl: t.exposeString('homePageUrl', {
      nullable: true,
      description: 'Its home page, shown to people before they allow it.',
    }),
    privacyUrl: t.exposeString('privacyUrl', {
      nullable: true,
      description: 'Its page about what it does with data, shown to people before they allow it.',
    }),
    logoPath: t.string({
      nullable: true,
      description:
        'The path on this server of its logo, a square WebP picture that anyone may read; null without one. Another logo has another path.',
      resolve: logoPath,
    }),
    verifiedAt: t.expose('verifiedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'Since when the operator of the installation vouches for its name, publisher, home page, logo and redirect URIs; null where not. A change of these ends it.',
    }),
    installationWide: t.exposeBoolean('installationWide', {
      description:
        'Whether a resource server may introspect the tokens of every organization; set by the operator.',
    }),
    organization: t.field({
      type: Organization,
      description: 'Who it belongs to.',
      resolve: ({ organizationId }, _, { load }) =>
        load.seen(findOrganizations, organizationId, 'Organization'),
    }),
  }),
});

const ClientUsage = builder.objectRef<ClientUsageRow>('ClientUsage').implement({
  description: 'How an application is used.',
  fields: (t) => ({
    people: t.exposeInt('people', { description: 'How many people allow it to use their account now.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When it last obtained or used an access token, to five minutes; null if it did not lately.',
    }),
  }),
});

const ClientSecret = builder.objectRef<ClientSecretRow>('ClientSecret').implement({
  description: 'A valid secret of an application or resource server, without its text.',
  fields: (t) => ({
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when it is valid; null for the newest one.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the application last authenticated with it, to five minutes; null if it never did.',
    }),
  }),
});

/** Its secrets and tokens. */
builder.objectFields(Client, (t) => ({
  tokenFormat: t.expose('tokenFormat', {
    type: TokenFormat,
    description: 'The format of its access tokens.',
  }),
  secretCreatedAt: t.expose('secretCreatedAt', {
    type: 'DateTime',
    nullable: true,
    description: 'When its newest secret was created.',
  }),
  secrets: t.field({
    type: [ClientSecret],
    hidden: MANAGERS_ONLY,
    nullable: true,
    description:
      'Its valid secrets, two at most, the newest first; null for all but owners and admins of its organization.',
    resolve: async ({ id }, _, { load }) => (await load.one(findClientSecrets, id))?.secrets ?? null,
  }),
  usage: t.field({
    type: ClientUsage,
    hidden: MANAGERS_ONLY,
    nullable: true,
    description: 'How it is used; null for all but owners and admins of its organization.',
    resolve: ({ id }, _, { load }) => load.one(findClientUsage, id),
  }),
  previousSecretExpiresAt: t.expose('previousSecretExpiresAt', {
    type: 'DateTime',
    nullable: true,
    description: 'Until when the previous secret is valid; null when it is no longer.',
  }),
}));

nodeType('Client', ({ load }, id) => load.one(findClients, id));

const ClientOrder = orderInput('Client', { CREATED_AT: { description: 'When it was registered.' } });

builder.objectField(Organization, 'clients', (t) =>
  t.connection(
    {
      type: Client,
      hidden: { roles: ['OWNER', 'ADMIN', 'MEMBER'] },
      description: 'The applications of the organization; guests see none.',
      args: {
        orderBy: t.arg({
          type: ClientOrder,
          description: 'The order; by age by default.',
        }),
      },
      resolve: ({ id }, args, ctx) =>
        connect(ctx, clientsOfOrganization, { organizationId: id, id }, args, ({ orderBy, ...page }) => ({
          ...page,
          filter: {},
          orderBy: orderBy ?? { field: 'CREATED_AT', direction: 'ASC' },
        })),
    },
    connectionOf(Client),
  ),
);
