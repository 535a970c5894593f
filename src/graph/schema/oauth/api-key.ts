import {
  type ApiKey as ApiKeyRow,
  apiKeysOfViewer,
  type CreatedApiKey as CreatedApiKeyRow,
  createApiKeys,
  deleteApiKeys,
  findApiKeys,
} from '../../../domain/oauth/api-key.ts';
import { builder } from '../kernel/builder.ts';
import { connect } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { Scope } from '../kernel/scope-enum.ts';
import { author, User } from '../users/type.ts';
import { Viewer } from '../viewer/type.ts';

/** Further fields: usage/type.ts. */
export const ApiKey = builder.objectRef<ApiKeyRow>('ApiKey').implement({
  scope: 'read',
  description: 'A key that your programs send as a bearer credential. Its secret is shown once.',
  interfaces: [Node],
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its display name.' }),
    prefix: t.exposeString('prefix', { description: 'The beginning of its secret, to recognise it.' }),
    scopes: t.expose('scopes', { type: [Scope], description: 'What it may do.' }),
    parentId: t.id({
      nullable: true,
      description:
        'The key that created it, and with which it ends; null if it was created from a browser sign-in.',
      resolve: ({ ancestorIds }) => ancestorIds.at(-1) ?? null,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ends; null for never.',
    }),
    isExpired: t.exposeBoolean('isExpired', { description: 'Whether that time has passed.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last used, to the minute.',
    }),
  }),
});

nodeType('ApiKey', ({ load }, id) => load.one(findApiKeys, id));

builder.objectField(Viewer, 'apiKeys', (t) =>
  t.connection(
    {
      type: ApiKey,
      description: 'Your API keys, newest first.',
      resolve: ({ id }, args, ctx) =>
        connect(ctx, apiKeysOfViewer, { organizationId: '', id }, args, (page) => ({
          ...page,
          filter: {},
          orderBy: { field: 'CREATED_AT', direction: 'DESC' },
        })),
    },
    connectionOf(ApiKey),
  ),
);

const NewApiKey = builder.inputType('NewApiKey', {
  description: 'One key to create.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Display name, 1 to 255 characters.' }),
    scopes: t.field({
      type: [Scope],
      description: 'What it may do: at most what the credential of this request may, which is the default.',
    }),
    expiresAt: t.field({
      type: 'DateTime',
      description: 'When it ends; never, or with the key that creates it.',
    }),
  }),
});

const createApiKeysInput = mutationInput({
  description: 'Keys to create: all are created, or none.',
  fields: (t) => ({
    keys: t.field({ type: [NewApiKey], required: true, description: 'The keys, in order.' }),
  }),
});

const deleteApiKeysInput = mutationInput({
  description: 'Keys to revoke: all are revoked, or none.',
  fields: (t) => ({ apiKeyIds: t.idList({ required: true, description: 'Which keys.' }) }),
});

const CreatedApiKey = builder.objectRef<CreatedApiKeyRow>('CreatedApiKey').implement({
  description: 'A new key with its secret.',
  fields: (t) => ({
    key: t.expose('key', { type: ApiKey, description: 'The key.' }),
    secret: t.exposeString('secret', { description: 'The secret, shown only here.' }),
    closedOrganizations: t.exposeStringList('closedOrganizations', {
      description:
        'Names of your organizations that it does not reach until you add a second factor to your account; at most 20.',
    }),
  }),
});

const createApiKeysPayload = mutationPayload<{ created: CreatedApiKeyRow[] }>({
  description: 'The new keys.',
  fields: (t) => ({
    owner: t.field({
      type: User,
      description: 'Whose keys they are: you.',
      resolve: (_, __, ctx) => author(ctx, ctx.viewer.userId),
    }),
    created: t.expose('created', { type: [CreatedApiKey], description: 'In the order of the input.' }),
  }),
});

const deleteApiKeysPayload = mutationPayload<{ apiKeyIds: string[] }>({
  description: 'The deleted keys.',
  fields: (t) => ({
    apiKeyIds: t.expose('apiKeyIds', {
      type: ['ID'],
      description: 'Their ids: those of the input, then those of keys that were created with them.',
    }),
  }),
});

mutation('createApiKeys', {
  scope: 'write',
  description:
    'Creates API keys of yours, with a browser sign-in or with a key. A key that is created with another one has at most its scopes and lifetime, and ends when that one is deleted. Not available to applications.',
  argument: 'The keys.',
  input: createApiKeysInput,
  payload: createApiKeysPayload,
  resolve: async (input, ctx) => ({ created: await createApiKeys(ctx, input) }),
});

mutation('deleteApiKeys', {
  scope: 'write',
  description:
    'Revokes API keys of yours, and all that were created with them: the next request with one of them fails. Not available to applications.',
  argument: 'The keys.',
  input: deleteApiKeysInput,
  payload: deleteApiKeysPayload,
  batch: { items: 'apiKeyIds', empty: { apiKeyIds: [] } },
  resolve: async (input, ctx) => ({ apiKeyIds: await deleteApiKeys(ctx, input) }),
});
