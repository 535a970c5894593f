import {
  CreateApiKeysDocument,
  DeleteApiKeysDocument,
  ListApiKeysDocument,
} from '../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../graph/http/execute.ts';
import { pageRecord } from '../wire/pages.ts';
import { type Route, route } from '../wire/route.ts';
import { apiKeyIds, newApiKey } from './api-key-input.ts';
import { apiKeyRecord, newApiKeyRecord } from './api-key-record.ts';

const KEYS = '/user/apiKeys';

export const apiKeyRoutes: Route[] = [
  route({
    id: 'listApiKeys',
    method: 'GET',
    path: KEYS,
    operation: storedOperation(ListApiKeysDocument),
    in: ({ page }) => page,
    out: ({ viewer }, { page }) =>
      pageRecord('APIKeys', viewer.apiKeys, page.first, (key) =>
        apiKeyRecord({ ...key, owner: viewer.user }),
      ),
  }),
  route({
    id: 'createApiKeys',
    names: { keys: '', ...newApiKey.names },
    method: 'POST',
    path: KEYS,
    operation: storedMutation(CreateApiKeysDocument),
    in: ({ body }) => ({ input: { keys: body.array().map(newApiKey) } }),
    out: ({ createApiKeys: { owner, created } }) =>
      created.map(({ key, secret }) => newApiKeyRecord({ ...key, owner, secret })),
  }),
  route({
    id: 'deleteApiKeys',
    names: apiKeyIds.names,
    method: 'DELETE',
    path: KEYS,
    operation: storedMutation(DeleteApiKeysDocument),
    in: ({ body }) => ({ input: apiKeyIds(body.object()) }),
    out: () => undefined,
  }),
];
