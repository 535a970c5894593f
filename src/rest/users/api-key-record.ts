import { SCOPES } from '../../domain/kernel/scope.ts';
import type { ApiKeyRecordFragment, Scope } from '../../generated/operations/graphql.ts';
import { type RecordMembers, record, string, strings, time } from '../shape/record.ts';

/** The scopes of the graph by those of the contract: `documents:read` is DOCUMENTS_READ. */
export const SCOPES_BY_NAME = new Map(
  SCOPES.map((name) => [name as string, name.toUpperCase().replace(':', '_') as Scope]),
);

const scopeName = (scope: Scope): string => scope.toLowerCase().replace('_', ':');

type Key = ApiKeyRecordFragment & { owner: { id: string; name: string; email: string } };

const keyMembers: RecordMembers<Key> = {
  ID: string((key) => key.id),
  CreatedOn: time((key) => key.createdAt),
  Name: string((key) => key.name),
  UserID: string((key) => key.owner.id),
  UserName: string((key) => key.owner.name),
  UserEmail: string((key) => key.owner.email),
  KeyPrefix: string((key) => key.prefix),
  Scopes: strings((key) => key.scopes.map(scopeName), 'Its scopes, such as `read` or `documents:write`.'),
  LastUsedOn: time((key) => key.lastUsedAt),
  ExpiresOn: time((key) => key.expiresAt),
};

const example = { ID: 'key_01k90hre3sgmzn1te7d9xt4zvt', Name: 'Nightly export', Scopes: ['read'] };

export const apiKeyRecord = record<Key>('APIKey', 'An API key, without its secret.', keyMembers, example);

export const newApiKeyRecord = record<Key & { secret: string }>(
  'APIKeyCreated',
  'A new API key with its secret.',
  {
    ...keyMembers,
    Key: string((key) => key.secret, 'The secret, which is shown only here.', 'dgk_8Qw2Lx…'),
  },
  example,
);
