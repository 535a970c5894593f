import { admits } from '../scope-step.ts';

const words = (text: string): string[] => text.split(/\s+/);

const ACCOUNT = 'it is about your account, and a bulk operation acts in one organization';
const SECRET = 'its answer shows a secret, which is not stored';
const SENSITIVE = 'it takes a person who proves who they are';
const BULK = 'bulk operations start and cancel no others';

const listed = (names: string, reason: string): [string, string][] =>
  words(names).map((name): [string, string] => [name, reason]);

/** Mutations that no bulk operation runs, with the reason, beside those of browser sessions. */
export const REFUSED_MUTATIONS: ReadonlyMap<string, string> = new Map([
  ...listed('startBulkOperation cancelBulkOperation', BULK),
  ...listed(
    `acceptInvitation declineInvitation createClientLog createOrganizations deleteApiKeys hideContacts limitAuthorization
    markNotificationsRead revokeAuthorization showContacts updateNotificationPreferences updatePreferences updateViewer`,
    ACCOUNT,
  ),
  ...listed(
    'createApiKeys createClient createWebhooks reserveUploads rotateClientSecret rotateWebhookSecret',
    SECRET,
  ),
  ...listed(
    'createServiceAccount deleteClients deleteServiceAccount updateClient updateOrganization',
    SENSITIVE,
  ),
]);

/** Why no bulk operation runs this field of Mutation; undefined if one may. */
export const refusalOf = (field: { name: string }): string | undefined =>
  admits(field, 'API_KEY') ? REFUSED_MUTATIONS.get(field.name) : SENSITIVE;
