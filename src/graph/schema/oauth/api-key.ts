import {
  type ApiKey as ApiKeyRow,
  apiKeysOfViewer,
  createApiKeys,
  deleteApiKeys,
} from '../../../domain/oauth/api-key.ts';
import { builder } from '../kernel/builder.ts';
import { connect } from '../kernel/connection.ts';
import { Scope } from '../kernel/scope-enum.ts';
import { Viewer } from '../viewer/type.ts';

const ApiKey = builder.objectRef<ApiKeyRow>('ApiKey').implement({
  description: 'A key that programs of yours present as a bearer credential. Its secret is shown once.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id.' }),
    name: t.exposeString('name', { description: 'What you called it.' }),
    prefix: t.exposeString('prefix', { description: 'How its secret begins, to tell keys apart.' }),
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
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last used, to the minute.',
    }),
  }),
});

builder.objectField(Viewer, 'apiKeys', (t) =>
  t.connection({
    type: ApiKey,
    description: 'Your API keys, newest first.',
    resolve: ({ id }, args, ctx) =>
      connect(ctx, apiKeysOfViewer, { organizationId: '', id }, args, (page) => ({
        ...page,
        filter: {},
        orderBy: { field: 'CREATED_AT', direction: 'DESC' },
      })),
  }),
);

const NewApiKey = builder.inputType('NewApiKey', {
  description: 'One key to make.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'What to call it, 1 to 255 characters.' }),
    scopes: t.field({
      type: [Scope],
      description: 'What it may do: at most what the credential of this request may, which is the default.',
    }),
    expiresAt: t.field({
      type: 'DateTime',
      description: 'When it ends; never, or with the key that makes it.',
    }),
  }),
});

const CreateApiKeysInput = builder.inputType('CreateApiKeysInput', {
  description: 'Keys to make: all of them, or none.',
  fields: (t) => ({
    keys: t.field({ type: [NewApiKey], required: true, description: 'The keys, in order.' }),
  }),
});

const DeleteApiKeysInput = builder.inputType('DeleteApiKeysInput', {
  description: 'Keys to revoke: all of them, or none.',
  fields: (t) => ({ apiKeyIds: t.idList({ required: true, description: 'Which keys.' }) }),
});

const CreatedApiKey = builder.objectRef<{ key: ApiKeyRow; secret: string }>('CreatedApiKey').implement({
  description: 'A new key with its secret.',
  fields: (t) => ({
    key: t.expose('key', { type: ApiKey, description: 'The key.' }),
    secret: t.exposeString('secret', { description: 'The secret: shown here, and never again.' }),
  }),
});

const CreateApiKeysPayload = builder
  .objectRef<{ created: { key: ApiKeyRow; secret: string }[] }>('CreateApiKeysPayload')
  .implement({
    description: 'The new keys.',
    fields: (t) => ({
      owner: t.field({
        type: Viewer,
        description: 'Whose keys they are: you.',
        resolve: (_, __, { viewer }) => ({ id: viewer.userId, name: viewer.name, email: viewer.email }),
      }),
      created: t.expose('created', { type: [CreatedApiKey], description: 'In the order of the input.' }),
    }),
  });

const DeleteApiKeysPayload = builder.objectRef<{ apiKeyIds: string[] }>('DeleteApiKeysPayload').implement({
  description: 'The keys that are no more.',
  fields: (t) => ({
    apiKeyIds: t.expose('apiKeyIds', {
      type: ['ID'],
      description: 'Their ids: those of the input, then those of keys that were created with them.',
    }),
  }),
});

builder.mutationFields((t) => ({
  createApiKeys: t.field({
    type: CreateApiKeysPayload,
    description:
      'Makes API keys of yours, with a browser sign-in or with a key. A key that is made with another one has at most its scopes and lifetime, and ends when that is deleted. Applications cannot.',
    args: { input: t.arg({ type: CreateApiKeysInput, required: true, description: 'The keys.' }) },
    resolve: async (_, { input }, ctx) => ({ created: await createApiKeys(ctx, input) }),
  }),
  deleteApiKeys: t.field({
    type: DeleteApiKeysPayload,
    description:
      'Revokes API keys of yours, and all that were made with them: the next request with one of them fails. Applications cannot.',
    args: { input: t.arg({ type: DeleteApiKeysInput, required: true, description: 'The keys.' }) },
    resolve: async (_, { input }, ctx) => ({ apiKeyIds: await deleteApiKeys(ctx, input) }),
  }),
}));
