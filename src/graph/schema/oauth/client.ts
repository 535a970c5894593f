import {
  type Client as ClientRow,
  clientsOfOrganization,
  findClients,
} from '../../../domain/oauth/client.ts';
import { findOrganizations } from '../../../domain/organizations/organization.ts';
import { builder } from '../kernel/builder.ts';
import { connect, orderInput } from '../kernel/connection.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { Scope } from '../kernel/scope-enum.ts';
import { Organization } from '../organizations/type.ts';
import { author, User } from '../users/type.ts';

export const ClientKind = builder.enumType('ClientKind', {
  description: 'Whether an application can keep a secret (RFC 6749 §2.1), or only checks tokens.',
  values: {
    CONFIDENTIAL: { description: 'It runs on a server, and authenticates with a secret.' },
    PUBLIC: { description: 'It runs in a browser or on a device, and proves itself with PKCE.' },
    RESOURCE_SERVER: {
      description:
        'It accepts tokens for an API of its own and introspects them (RFC 7662); it is issued none, and uses no account.',
    },
  } as const,
});

export const TokenFormat = builder.enumType('TokenFormat', {
  description:
    'What the access tokens of an application look like. Either kind can be revoked at once: /oauth/revoke ends all tokens of the same authorization, or alone an access token that a refresh has replaced.',
  values: {
    OPAQUE: { description: 'Random characters.' },
    JWT: { description: 'Signed (RFC 9068), for resource servers that check them without asking.' },
  } as const,
});

export const Client = builder.objectRef<ClientRow>('Client').implement({
  description: 'An application that people may allow to use their account (OAuth 2.0).',
  interfaces: [Node],
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Display name; people are shown it before they allow it.' }),
    kind: t.expose('kind', { type: ClientKind, description: 'Whether it can keep a secret.' }),
    native: t.exposeBoolean('native', { description: 'Whether it is installed on a device (RFC 8252).' }),
    redirectUris: t.exposeStringList('redirectUris', {
      description: 'Where people may be sent back to, character for character.',
    }),
    scopes: t.expose('scopes', {
      type: [Scope],
      description: 'What it may ask for; with none it is switched off.',
    }),
    resourceUri: t.exposeString('resourceUri', {
      nullable: true,
      description:
        'What a resource server is called in the `resource` of a request (RFC 8707) and the `aud` of a token; null for others.',
    }),
    installationWide: t.exposeBoolean('installationWide', {
      description:
        'Whether a resource server may ask about the tokens of every organization; the operator decides it.',
    }),
    tokenFormat: t.expose('tokenFormat', {
      type: TokenFormat,
      description: 'What its access tokens look like.',
    }),
    organization: t.field({
      type: Organization,
      description: 'Who it belongs to.',
      resolve: ({ organizationId }, _, { load }) =>
        load.seen(findOrganizations, organizationId, 'Organization'),
    }),
    secretCreatedAt: t.expose('secretCreatedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its newest secret was created.',
    }),
    previousSecretExpiresAt: t.expose('previousSecretExpiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when the secret before it is good; null when it no longer is.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was registered.' }),
    createdBy: t.field({
      type: User,
      description: 'Who registered it.',
      resolve: (row, _, ctx) => author(ctx, row.createdById),
    }),
    modifiedAt: t.expose('modifiedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last changed.',
    }),
    version: t.exposeInt('version', {
      description: 'Counts the changes; pass it as expectedVersion to change only what you saw.',
    }),
  }),
});

nodeType('Client', ({ load }, id) => load.one(findClients, id));

const ClientOrder = orderInput('Client', { CREATED_AT: { description: 'When it was registered.' } });

builder.objectField(Organization, 'clients', (t) =>
  t.connection({
    type: Client,
    description: 'The applications of the organization; guests see none.',
    args: {
      orderBy: t.arg({
        type: ClientOrder,
        description: 'In which order; by age unless you say otherwise.',
      }),
    },
    resolve: ({ id }, args, ctx) =>
      connect(ctx, clientsOfOrganization, { organizationId: id, id }, args, ({ orderBy, ...page }) => ({
        ...page,
        filter: {},
        orderBy: orderBy ?? { field: 'CREATED_AT', direction: 'ASC' },
      })),
  }),
);
