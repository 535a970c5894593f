import {
  CreateClientLogDocument,
  GetPermissionsDocument,
  GetProfileDocument,
  HideContactsDocument,
  ListAddressBookDocument,
} from '../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../graph/http/execute.ts';
import { ORGANIZATION, organizationPath, requireOrganization } from '../wire/project-path.ts';
import { type Route, route } from '../wire/route.ts';
import { PlainText } from '../wire/text-reply.ts';
import { addressBookItem, permissionsRecord } from './client-data-record.ts';
import { contactsToHide, logLine } from './input.ts';

const ADDRESS_BOOK = '/user/addressBookItems';

export const clientDataRoutes: Route[] = [
  route({
    id: 'getOrganizationPermissions',
    method: 'GET',
    path: `${ORGANIZATION}/permissions`,
    operation: storedOperation(GetPermissionsDocument),
    in: organizationPath,
    out: ({ viewer, organization }) =>
      permissionsRecord({ user: viewer.user, organization: requireOrganization(organization) }),
  }),
  route({
    id: 'listAddressBookItems',
    names: { search: 'filter' },
    method: 'GET',
    path: ADDRESS_BOOK,
    operation: storedOperation(ListAddressBookDocument),
    in: ({ query }) => ({ search: query.text('filter') }),
    out: ({ viewer }, { query }) =>
      query.flag('includeTenantMembers') === false ? [] : viewer.addressBook.map(addressBookItem),
  }),
  route({
    id: 'hideAddressBookItems',
    names: contactsToHide.names,
    method: 'DELETE',
    path: ADDRESS_BOOK,
    operation: storedMutation(HideContactsDocument),
    in: ({ body }) => ({ input: contactsToHide(body.optionalObject()) }),
    out: () => undefined,
  }),
  route({
    id: 'createLog',
    names: logLine.names,
    method: 'POST',
    path: '/logs',
    operation: storedMutation(CreateClientLogDocument),
    in: ({ body }) => ({ input: logLine(body.object()) }),
    out: () => undefined,
  }),
  route({
    id: 'getSupportAdmin',
    method: 'GET',
    path: '/supportAdmin',
    operation: storedOperation(GetProfileDocument),
    in: () => ({}),
    out: () => new PlainText('text/plain', 'false'),
  }),
];
