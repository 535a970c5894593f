import { sql } from '../../db/sql/sql.ts';
import { type Holding, IN_EACH, type Person } from './holding.ts';

const words = (text: string): string[] => text.split(' ');

/** The security event that remains of an account: when it was erased, by whom and why. */
export const ERASED = 'account.erased';

const ofOwner = { by: { user_id: 'ID' }, cursor: 'id', end: 'ACCOUNT' } as const;

/** Its rows name the key, which is deleted after them. */
const ofOwnKeys = ({ userId }: Person) =>
  sql`used_by IN (SELECT k.id FROM api_keys k WHERE k.user_id = ${userId})`;

const ofOwnOperations = ({ userId }: Person) => sql`(organization_id, operation_id) IN (
  SELECT organization_id, id FROM bulk_operations WHERE ${IN_EACH} AND created_by_id = ${userId})`;

/** What belongs to an account, in the order in which it is exported and deleted. */
export const ACCOUNT_HOLDINGS: readonly Holding[] = [
  {
    kind: 'account',
    table: 'users',
    by: { id: 'ID' },
    cursor: 'id',
    columns: words(
      'id email name email_verified_at new_sign_in_mails time_zone disabled_at created_at modified_at',
    ),
    withheld: words('password_hash passkey_handle erased_at former_email service_client_id'),
    end: 'REPLACED',
    reason:
      'The name becomes “Erased person”, the address one that nobody has; the id stays, as others refer to it.',
  },
  {
    ...ofOwner,
    kind: 'signIn',
    table: 'sign_ins',
    columns: words('id user_agent ip_address created_at expires_at methods last_used_at authenticated_at'),
    withheld: words('user_id secret_hash device_hash'),
  },
  {
    ...ofOwner,
    kind: 'pendingSignIn',
    table: 'pending_sign_ins',
    cursor: `encode(secret_hash, 'hex')`,
    columns: words('method created_at expires_at used_at'),
    withheld: words('user_id secret_hash'),
  },
  {
    ...ofOwner,
    kind: 'providerSignIn',
    table: 'oidc_requests',
    by: { user_id: 'ID', email: 'ADDRESS' },
    cursor: `encode(secret_hash, 'hex')`,
    columns: words('issuer subject email name is_email_verified created_at expires_at'),
    withheld: words('user_id secret_hash return_to'),
  },
  {
    ...ofOwner,
    kind: 'authenticatorApp',
    table: 'authenticator_apps',
    cursor: 'user_id',
    columns: ['created_at'],
    withheld: words('user_id seed last_step'),
  },
  {
    ...ofOwner,
    kind: 'recoveryCode',
    table: 'recovery_codes',
    cursor: `encode(secret_hash, 'hex')`,
    columns: words('created_at used_at'),
    withheld: words('user_id secret_hash'),
  },
  {
    ...ofOwner,
    kind: 'passkey',
    table: 'passkeys',
    columns: words('id name relying_party_id transports created_at last_used_at'),
    withheld: words('user_id credential_id public_key counter'),
  },
  {
    ...ofOwner,
    kind: 'externalIdentity',
    table: 'external_identities',
    by: { user_id: 'ID' },
    columns: words('id issuer subject email created_at last_used_at'),
    withheld: ['user_id'],
  },
  {
    ...ofOwner,
    kind: 'emailChange',
    table: 'email_changes',
    columns: words('id old_email new_email created_at expires_at confirmed_at ended_at'),
    withheld: ['user_id'],
  },
  {
    ...ofOwner,
    kind: 'accountLink',
    table: 'account_tokens',
    columns: words('id created_at expires_at used_at'),
    withheld: words('user_id secret_hash'),
  },
  {
    ...ofOwner,
    kind: 'signUp',
    table: 'sign_ups',
    by: { email: 'ADDRESS' },
    columns: words('id email name issuer subject created_at expires_at used_at'),
  },
  {
    ...ofOwner,
    kind: 'bulkOperationLine',
    table: 'bulk_operation_lines',
    by: {},
    through: ofOwnOperations,
    cursor: `(operation_id || ' ' || lpad(line::text, 5, '0'))`,
    columns: words('organization_id operation_id line input result'),
    withheld: ['effect_at'],
  },
  {
    ...ofOwner,
    kind: 'bulkOperation',
    table: 'bulk_operations',
    by: { created_by_id: 'ID' },
    byOrganization: ['created_by_id'],
    columns: words(
      'organization_id id credential_id client_id scopes mutation state line_count done_count failed_count failure created_at completed_at expires_at',
    ),
    withheld: words(
      'created_by_id authorized_at second_factor request_id field attempt tries next_at paced_until',
    ),
  },
  {
    ...ofOwner,
    kind: 'usageOfDay',
    table: 'usage_days',
    by: {},
    through: ofOwnKeys,
    cursor: `(used_by || ' ' || to_char(day, 'YYYY-MM-DD'))`,
    columns: words('used_by day requests errors points durations'),
  },
  {
    ...ofOwner,
    kind: 'usageMark',
    table: 'usage_marks',
    by: {},
    through: ofOwnKeys,
    cursor: `(used_by || ' ' || to_char(day, 'YYYY-MM-DD') || ' ' || kind || ' ' || name)`,
    columns: words('used_by day kind name count last_at'),
  },
  {
    ...ofOwner,
    kind: 'apiKey',
    table: 'api_keys',
    columns: words(
      'id name prefix scopes ancestor_ids created_at expires_at last_used_at revoked_at authorized_at second_factor',
    ),
    withheld: words('user_id secret_hash'),
  },
  {
    ...ofOwner,
    kind: 'authorization',
    table: 'grants',
    columns: words(
      'id client_id scopes created_at revoked_at revoked_reason resources limited_to consented_at last_used_at',
    ),
    withheld: ['user_id'],
  },
  {
    ...ofOwner,
    kind: 'securityEvent',
    table: 'security_events',
    columns: words('id kind data ip_address created_at'),
    withheld: ['user_id'],
    only: sql`kind <> ${ERASED}`,
  },
  {
    ...ofOwner,
    kind: 'preference',
    table: 'user_preferences',
    cursor: 'name',
    columns: words('name value'),
    withheld: ['user_id'],
  },
  {
    ...ofOwner,
    kind: 'notificationPreference',
    table: 'notification_preferences',
    cursor: 'kind',
    columns: words('kind delivery'),
    withheld: ['user_id'],
  },
  {
    ...ofOwner,
    kind: 'clientLog',
    table: 'client_logs',
    columns: words('id header values created_at'),
    withheld: ['user_id'],
  },
  {
    ...ofOwner,
    kind: 'hiddenContact',
    table: 'hidden_contacts',
    cursor: 'contact_id',
    columns: ['contact_id'],
    withheld: ['user_id'],
  },
  {
    ...ofOwner,
    kind: 'follow',
    table: 'follows',
    columns: words('organization_id id subject_id project_id created_at'),
    withheld: words('user_id folder_id document_id task_id'),
  },
  {
    ...ofOwner,
    kind: 'notification',
    table: 'notifications',
    columns: words('organization_id id project_id kind subject_id event_id happened_at read_at digest_at'),
    withheld: ['user_id'],
  },
  {
    ...ofOwner,
    kind: 'searchTemplate',
    table: 'search_templates',
    by: { created_by_id: 'ID' },
    byOrganization: ['created_by_id'],
    columns: words('organization_id id project_id name content_type keyword filters created_at modified_at'),
    withheld: words('created_by_id name_key version'),
  },
  {
    ...ofOwner,
    kind: 'mail',
    table: 'mails',
    by: { to_user_id: 'ID', to_email: 'ADDRESS' },
    // The notice of an erasure is about the account before.
    only: sql`kind <> 'ACCOUNT_ERASED'`,
    columns: words('organization_id id kind to_email mailbox subject_id created_at state ended_at answer'),
    withheld: words(
      'to_user_id priority dedupe_key data created_by_id queued_at expires_at attempts next_at admitted_at handing_at uncertain_at message',
    ),
    // Deleted apart: those that ask for a signature that is still needed are sent (erase-addresses.ts).
    end: 'ADDRESS',
  },
];
