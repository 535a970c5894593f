import {
  CreateApiKeysDocument,
  DeleteApiKeysDocument,
  ListApiKeysDocument,
  type Scope,
} from '../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../graph/http/execute.ts';
import { type Members, notATerm } from '../wire/members.ts';
import { pageRecord } from '../wire/pages.ts';
import { type Route, route } from '../wire/route.ts';
import { apiKeyRecord, SCOPES_BY_NAME } from './record.ts';

/** Undefined if they are left out. Throws BAD_USER_INPUT for a scope that does not exist. */
function scopesOf(item: Members): Scope[] | undefined {
  return item.texts('Scopes')?.map((scope) => {
    const term = SCOPES_BY_NAME.get(scope);
    if (!term) throw notATerm(item.pathOf('Scopes'), [...SCOPES_BY_NAME.keys()]);
    return term;
  });
}

const KEYS = '/user/apiKeys';

export const apiKeyRoutes: Route[] = [
  route({
    id: 'listApiKeys',
    method: 'GET',
    path: KEYS,
    operation: storedOperation(ListApiKeysDocument),
    in: ({ page }) => page,
    out: ({ viewer }, { page }) =>
      pageRecord('APIKeys', viewer.apiKeys, page.first, apiKeyRecord(viewer.user)),
  }),
  route({
    id: 'createApiKeys',
    names: { keys: '', name: 'Name', scopes: 'Scopes', expiresAt: 'ExpiresOn' },
    method: 'POST',
    path: KEYS,
    operation: storedMutation(CreateApiKeysDocument),
    in: ({ body }) => ({
      input: {
        keys: body.array().map((item) => ({
          name: item.required('Name'),
          scopes: scopesOf(item),
          expiresAt: item.time('ExpiresOn'),
        })),
      },
    }),
    out: ({ createApiKeys: { owner, created } }) =>
      created.map(({ key, secret }) => ({ ...apiKeyRecord(owner)(key), Key: secret })),
  }),
  route({
    id: 'deleteApiKeys',
    names: { apiKeyIds: 'IDs' },
    method: 'DELETE',
    path: KEYS,
    operation: storedMutation(DeleteApiKeysDocument),
    in: ({ body }) => ({ input: { apiKeyIds: body.object().texts('IDs') ?? [] } }),
    out: () => undefined,
  }),
];
