import { badInput } from '../../domain/kernel/errors.ts';
import {
  type ApiKeyRecordFragment,
  CreateApiKeysDocument,
  DeleteApiKeysDocument,
  ListApiKeysDocument,
  type Scope,
} from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import type { Members } from '../wire/read.ts';
import { type Route, route } from '../wire/route.ts';
import { pageRecord, time } from '../wire/wire.ts';

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
  Scopes: key.scopes,
  LastUsedOn: time(key.lastUsedAt),
  ExpiresOn: time(key.expiresAt),
});

const SCOPES: readonly string[] = ['read', 'write'] satisfies Scope[];

/** Undefined where they are left out. Throws BAD_USER_INPUT for a scope that does not exist. */
function scopesOf(item: Members): Scope[] | undefined {
  const given = item.texts('Scopes');
  const unknown = given?.find((each) => !SCOPES.includes(each));
  if (unknown !== undefined)
    throw badInput(
      `Scopes: ${unknown.slice(0, 100).toWellFormed()} is none of ${SCOPES.join(', ')}.`,
      'Scopes',
    );
  return given as Scope[] | undefined;
}

const KEYS = '/user/apiKeys';

export const apiKeyRoutes: Route[] = [
  route({
    id: 'listApiKeys',
    method: 'GET',
    path: KEYS,
    operation: storedOperation(ListApiKeysDocument),
    in: ({ page }) => page,
    out: ({ viewer }, { page }) => pageRecord('APIKeys', viewer.apiKeys, page.first, record(viewer)),
  }),
  route({
    id: 'createApiKeys',
    method: 'POST',
    path: KEYS,
    operation: storedOperation(CreateApiKeysDocument),
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
      created.map(({ key, secret }) => ({ ...record(owner)(key), Key: secret })),
  }),
  route({
    id: 'deleteApiKeys',
    method: 'DELETE',
    path: KEYS,
    operation: storedOperation(DeleteApiKeysDocument),
    in: ({ body }) => ({ input: { apiKeyIds: body.object().texts('IDs') ?? [] } }),
    out: () => undefined,
  }),
];
