import type { Client as ClientRow } from '../../../domain/oauth/client.ts';
import {
  createClient,
  deleteClients,
  rotateClientSecret,
  updateClient,
} from '../../../domain/oauth/client-change.ts';
import { builder } from '../kernel/builder.ts';
import { EXPECTED_VERSION, NO_APPLICATION } from '../kernel/descriptions.ts';
import { Scope } from '../kernel/scope-enum.ts';
import { Client, ClientKind, TokenFormat } from './client.ts';

const REDIRECT_URIS =
  'Where people may be sent back to: https addresses, http ones on the local machine, and for native clients ' +
  'schemes such as com.example.app. 1 to 20; none for a resource server.';

const RESOURCE_URI =
  'For a resource server: the absolute https URI of its API, without query and fragment; unique in the organization.';

const CreateClientInput = builder.inputType('CreateClientInput', {
  description: 'A new application.',
  fields: (t) => ({
    organizationId: t.id({ required: true, description: 'Who it belongs to.' }),
    name: t.string({
      required: true,
      description:
        'Display name, 1 to 50 characters; none that is invisible, and nothing that reads like Docgraph.',
    }),
    kind: t.field({ type: ClientKind, required: true, description: 'Whether it can keep a secret.' }),
    native: t.boolean({
      description: 'With true, for a public one: installed on a device, with any port of a loopback address.',
    }),
    redirectUris: t.stringList({ required: true, description: REDIRECT_URIS }),
    scopes: t.field({
      type: [Scope],
      required: true,
      description: 'What it may ask for; nothing for a resource server.',
    }),
    resourceUri: t.string({ description: RESOURCE_URI }),
    tokenFormat: t.field({ type: TokenFormat, description: 'OPAQUE unless you say otherwise.' }),
  }),
});

const CreateClientPayload = builder
  .objectRef<{ client: ClientRow; secret: string | null }>('CreateClientPayload')
  .implement({
    description: 'The new application.',
    fields: (t) => ({
      client: t.expose('client', { type: Client, description: 'The application; its id is the client_id.' }),
      secret: t.exposeString('secret', {
        nullable: true,
        description: 'Its client_secret, shown this once; null for a public one.',
      }),
    }),
  });

const UpdateClientInput = builder.inputType('UpdateClientInput', {
  description: 'A change of an application; what is left out stays as it is.',
  fields: (t) => ({
    clientId: t.id({ required: true, description: 'Which application.' }),
    name: t.string({ description: 'The new display name.' }),
    redirectUris: t.stringList({ description: `Replaces the list. ${REDIRECT_URIS}` }),
    scopes: t.field({
      type: [Scope],
      description:
        'Replaces the list. What is missing is taken from its tokens at once; none switches it off.',
    }),
    tokenFormat: t.field({ type: TokenFormat, description: 'Of the access tokens from now on.' }),
    resourceUri: t.string({ description: RESOURCE_URI }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const ClientPayload = builder.objectRef<{ client: ClientRow }>('ClientPayload').implement({
  description: 'The application as it now is.',
  fields: (t) => ({ client: t.expose('client', { type: Client, description: 'The application.' }) }),
});

const RotateClientSecretInput = builder.inputType('RotateClientSecretInput', {
  description: 'A new secret in addition to the present one.',
  fields: (t) => ({
    clientId: t.id({ required: true, description: 'Which application.' }),
    previousExpiresAt: t.field({
      type: 'DateTime',
      description: 'Until when the present secret stays good: 7 days unless you say otherwise, at most 90.',
    }),
  }),
});

const RotateClientSecretPayload = builder
  .objectRef<{ client: ClientRow; secret: string }>('RotateClientSecretPayload')
  .implement({
    description: 'The application and its new secret.',
    fields: (t) => ({
      client: t.expose('client', { type: Client, description: 'The application.' }),
      secret: t.exposeString('secret', { description: 'Its new client_secret, shown this once.' }),
    }),
  });

const DeleteClientsInput = builder.inputType('DeleteClientsInput', {
  description: 'Applications to delete: all are, or none.',
  fields: (t) => ({ clientIds: t.idList({ required: true, description: 'Which applications.' }) }),
});

const DeleteClientsPayload = builder.objectRef<{ clientIds: string[] }>('DeleteClientsPayload').implement({
  description: 'What was deleted.',
  fields: (t) => ({ clientIds: t.exposeStringList('clientIds', { description: 'Their ids.' }) }),
});

builder.mutationFields((t) => ({
  createClient: t.field({
    type: CreateClientPayload,
    description: `Registers an application. Takes the role OWNER or ADMIN in the organization. ${NO_APPLICATION}`,
    args: { input: t.arg({ type: CreateClientInput, required: true, description: 'The application.' }) },
    resolve: (_, { input }, ctx) => createClient(ctx, input),
  }),
  updateClient: t.field({
    type: ClientPayload,
    description: `Changes an application. Takes the role OWNER or ADMIN in its organization. ${NO_APPLICATION}`,
    args: { input: t.arg({ type: UpdateClientInput, required: true, description: 'The change.' }) },
    resolve: async (_, { input }, ctx) => ({ client: await updateClient(ctx, input) }),
  }),
  rotateClientSecret: t.field({
    type: RotateClientSecretPayload,
    description: `Makes a new secret for an application; two are good at a time. Takes the role OWNER or ADMIN in its organization. ${NO_APPLICATION}`,
    args: { input: t.arg({ type: RotateClientSecretInput, required: true, description: 'Of which.' }) },
    resolve: (_, { input }, ctx) => rotateClientSecret(ctx, input),
  }),
  deleteClients: t.field({
    type: DeleteClientsPayload,
    description: `Deletes applications; their tokens end at once. Takes the role OWNER or ADMIN in their organizations. ${NO_APPLICATION}`,
    args: { input: t.arg({ type: DeleteClientsInput, required: true, description: 'The applications.' }) },
    resolve: async (_, { input }, ctx) => ({ clientIds: await deleteClients(ctx, input) }),
  }),
}));
