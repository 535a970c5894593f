import {
  type ApiKeyRecordFragment,
  CreateApiKeysDocument,
  DeleteApiKeysDocument,
  ListApiKeysDocument,
} from '../generated/operations/graphql.ts';
import { storedOperation } from '../graph/execute.ts';
import { type Row, row } from './row.ts';
import { paged, time } from './wire.ts';

interface Owner {
  id: string;
  name: string;
  email: string;
}

/** APIKey. */
const record = (owner: Owner) => (key: ApiKeyRecordFragment) => ({
  ID: key.id,
  CreatedOn: key.createdAt,
  Name: key.name,
  UserID: owner.id,
  UserName: owner.name,
  UserEmail: owner.email,
  KeyPrefix: key.prefix,
  LastUsedOn: time(key.lastUsedAt),
  ExpiresOn: time(key.expiresAt),
});

const KEYS = '/user/apiKeys';

export const apiKeyRows: Row[] = [
  row({
    id: 'listApiKeys',
    method: 'GET',
    path: KEYS,
    operation: storedOperation(ListApiKeysDocument),
    in: ({ page }) => page,
    out: ({ viewer }, { page }) => paged('APIKeys', viewer.apiKeys, page.first, record(viewer)),
  }),
  row({
    id: 'createApiKeys',
    method: 'POST',
    path: KEYS,
    operation: storedOperation(CreateApiKeysDocument),
    in: ({ body }) => ({
      input: {
        keys: body
          .array()
          .map((item) => ({ name: item.required('Name'), expiresAt: item.time('ExpiresOn') })),
      },
    }),
    out: ({ createApiKeys: { owner, created } }) =>
      created.map(({ key, secret }) => ({ ...record(owner)(key), Key: secret })),
  }),
  row({
    id: 'deleteApiKeys',
    method: 'DELETE',
    path: KEYS,
    operation: storedOperation(DeleteApiKeysDocument),
    in: ({ body }) => ({ input: { apiKeyIds: body.object().texts('IDs') ?? [] } }),
    out: () => undefined,
  }),
];
