import type { Scope } from '../../generated/operations/graphql.ts';
import { ids } from '../shape/ids.ts';
import { type InputMember, input } from '../shape/input.ts';
import { requiredText, texts, time } from '../shape/input-member.ts';
import { notATerm } from '../wire/members.ts';
import { SCOPES_BY_NAME } from './api-key-record.ts';

const names = texts(
  'Scopes',
  'Its scopes, such as `read` or `documents:write`; by default those of the caller’s credential.',
);

/** Undefined if they are left out. Throws BAD_USER_INPUT for a scope that does not exist. */
const scopes: InputMember<Scope[] | undefined> = {
  ...names,
  read: (item) =>
    names.read(item)?.map((name) => {
      const scope = SCOPES_BY_NAME.get(name);
      if (!scope) throw notATerm(item.pathOf('Scopes'), [...SCOPES_BY_NAME.keys()]);
      return scope;
    }),
};

export const newApiKey = input(
  'KeyInput',
  'A new API key. Its scopes cannot exceed those of the caller’s credential. A key that is created with another API key expires no later than that key, and is revoked when that key is deleted.',
  {
    name: requiredText('Name'),
    scopes,
    expiresAt: time('ExpiresOn', 'When it expires; empty or the zero time for never.'),
  },
  { example: { Name: 'Nightly export', Scopes: ['read'], ExpiresOn: '2032-01-01T00:00:00Z' } },
);

export const apiKeyIds = input(
  'KeyIDs',
  'API keys. All of them are deleted, or none is; keys that were created with them are revoked too.',
  { apiKeyIds: ids('The ids of the keys.') },
  { example: { IDs: ['key_01k90hre3sgmzn1te7d9xt4zvt'] } },
);
