import type { Client as ClientRow } from '../../../domain/oauth/client.ts';
import { endAuthorizations } from '../../../domain/oauth/client-authorizations.ts';
import { createClient, rotateClientSecret } from '../../../domain/oauth/client-change.ts';
import { updateClient } from '../../../domain/oauth/clients/client-update.ts';
import { deleteClients } from '../../../domain/service-accounts/client-deletion.ts';
import { EXPECTED_VERSION, NO_APPLICATION } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { Scope } from '../kernel/scope-enum.ts';
import { Client, ClientKind, TokenFormat } from './client.ts';

const REDIRECT_URIS =
  'Where people may be redirected to: https addresses, http ones on the local machine, and for native clients ' +
  'schemes such as com.example.app. 1 to 20; none for a resource server.';

const RESOURCE_URI =
  'For a resource server: the absolute https URI of its API, without query and fragment; unique in the organization.';

const PAGE_URL =
  'An https URL in its normal form, at most 300 characters, shown to people before they allow it.';

const createClientInput = mutationInput({
  description: 'A new application.',
  fields: (t) => ({
    organizationId: t.id({ required: true, description: 'Who it belongs to.' }),
    name: t.string({
      required: true,
      description: 'Display name, 1 to 50 visible characters; it must not look like Docgraph.',
    }),
    kind: t.field({ type: ClientKind, required: true, description: 'Whether it can keep a secret.' }),
    native: t.boolean({
      description: 'With true, for a public one: installed on a device, with any port of a loopback address.',
    }),
    redirectUris: t.stringList({ required: true, description: REDIRECT_URIS }),
    scopes: t.field({
      type: [Scope],
      required: true,
      description: 'What it may request; nothing for a resource server.',
    }),
    resourceUri: t.string({ description: RESOURCE_URI }),
    homePageUrl: t.string({ description: PAGE_URL }),
    privacyUrl: t.string({ description: `Of what it does with data. ${PAGE_URL}` }),
    tokenFormat: t.field({ type: TokenFormat, description: 'OPAQUE by default.' }),
  }),
});

const createClientPayload = mutationPayload<{ client: ClientRow; secret: string | null }>({
  description: 'The new application.',
  fields: (t) => ({
    client: t.expose('client', { type: Client, description: 'The application; its id is the client_id.' }),
    secret: t.exposeString('secret', {
      nullable: true,
      description: 'Its client_secret, shown only once; null for a public one.',
    }),
  }),
});

const updateClientInput = mutationInput({
  description: 'A change of an application; omitted members keep their values.',
  fields: (t) => ({
    clientId: t.id({ required: true, description: 'Which application.' }),
    name: t.string({ description: 'The new display name.' }),
    redirectUris: t.stringList({ description: `Replaces the list. ${REDIRECT_URIS}` }),
    scopes: t.field({
      type: [Scope],
      description:
        'Replaces the list. Its tokens lose removed scopes at once; without any scope the application is disabled.',
    }),
    tokenFormat: t.field({ type: TokenFormat, description: 'The format of new access tokens.' }),
    resourceUri: t.string({ description: RESOURCE_URI }),
    homePageUrl: t.string({ description: `${PAGE_URL} An empty text removes it.` }),
    privacyUrl: t.string({ description: `${PAGE_URL} An empty text removes it.` }),
    logo: t.string({
      description:
        'A PNG, JPEG or WebP picture in base64, of at most 256 KiB and 16 million pixels; it becomes a square WebP picture of 128 pixels.',
    }),
    removeLogo: t.boolean({ description: 'With true, it has no logo any more.' }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const clientPayload = mutationPayload<{ client: ClientRow }>({
  description: 'The application after the change.',
  fields: (t) => ({ client: t.expose('client', { type: Client, description: 'The application.' }) }),
});

const rotateClientSecretInput = mutationInput({
  description: 'A new secret in addition to the current one.',
  fields: (t) => ({
    clientId: t.id({ required: true, description: 'Which application.' }),
    previousExpiresAt: t.field({
      type: 'DateTime',
      description: 'How long the current secret stays valid: 7 days by default, at most 90.',
    }),
  }),
});

const rotateClientSecretPayload = mutationPayload<{ client: ClientRow; secret: string }>({
  description: 'The application and its new secret.',
  fields: (t) => ({
    client: t.expose('client', { type: Client, description: 'The application.' }),
    secret: t.exposeString('secret', { description: 'Its new client_secret, shown only once.' }),
  }),
});

const deleteClientsInput = mutationInput({
  description: 'Applications to delete: all are deleted, or none.',
  fields: (t) => ({ clientIds: t.idList({ required: true, description: 'Which applications.' }) }),
});

const deleteClientsPayload = mutationPayload<{ clientIds: string[] }>({
  description: 'The deleted objects.',
  fields: (t) => ({ clientIds: t.expose('clientIds', { type: ['ID'], description: 'Their ids.' }) }),
});

mutation('createClient', {
  scope: 'write',
  description: `Registers an application. Requires the role OWNER or ADMIN in the organization. ${NO_APPLICATION}`,
  argument: 'The application.',
  input: createClientInput,
  payload: createClientPayload,
  resolve: (input, ctx) => createClient(ctx, input),
});

mutation('updateClient', {
  scope: 'write',
  description: `Changes an application. A new name, home page, logo or redirect URI ends its verification. Requires the role OWNER or ADMIN in its organization. ${NO_APPLICATION}`,
  argument: 'The change.',
  input: updateClientInput,
  payload: clientPayload,
  resolve: async (input, ctx) => ({ client: await updateClient(ctx, input) }),
});

mutation('rotateClientSecret', {
  scope: 'write',
  description: `Creates a new secret for an application; two are valid at a time. Requires the role OWNER or ADMIN in its organization. ${NO_APPLICATION}`,
  argument: 'Of which.',
  input: rotateClientSecretInput,
  payload: rotateClientSecretPayload,
  resolve: (input, ctx) => rotateClientSecret(ctx, input),
});

const endAuthorizationsInput = mutationInput({
  description: 'Whose authorizations to end.',
  fields: (t) => ({ clientId: t.id({ required: true, description: 'Which application.' }) }),
});

const endAuthorizationsPayload = mutationPayload<{ client: ClientRow; endedCount: number }>({
  description: 'The application without authorizations.',
  fields: (t) => ({
    client: t.expose('client', { type: Client, description: 'The application.' }),
    endedCount: t.exposeInt('endedCount', { description: 'How many people had allowed it.' }),
  }),
});

mutation('endAuthorizations', {
  scope: 'write',
  description: `Ends all that people allowed an application: its tokens are refused at once, and people are asked again. Requires the role OWNER or ADMIN in its organization. ${NO_APPLICATION}`,
  argument: 'Of which.',
  input: endAuthorizationsInput,
  payload: endAuthorizationsPayload,
  resolve: (input, ctx) => endAuthorizations(ctx, input),
});

mutation('deleteClients', {
  scope: 'write',
  description: `Deletes applications with their service accounts; their tokens end at once. Requires the role OWNER or ADMIN in their organizations. ${NO_APPLICATION}`,
  argument: 'The applications.',
  input: deleteClientsInput,
  payload: deleteClientsPayload,
  batch: { items: 'clientIds', empty: { clientIds: [] } },
  resolve: async (input, ctx) => ({ clientIds: await deleteClients(ctx, input) }),
});
