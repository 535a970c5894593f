import {
  CreateClientLogDocument,
  GetPermissionsDocument,
  GetProfileDocument,
  HideContactsDocument,
  ListAddressBookDocument,
} from '../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../graph/http/execute.ts';
import { isAdmin } from '../members/record.ts';
import { ORGANIZATION, organizationPath, requireOrganization } from '../wire/project-path.ts';
import { type Route, route } from '../wire/route.ts';
import { PlainText } from '../wire/text-reply.ts';
import { text } from '../wire/values.ts';
import { addressBookItem } from './client-data-record.ts';

const ADDRESS_BOOK = '/user/addressBookItems';

export const clientDataRoutes: Route[] = [
  route({
    id: 'getOrganizationPermissions',
    method: 'GET',
    path: `${ORGANIZATION}/permissions`,
    operation: storedOperation(GetPermissionsDocument),
    in: organizationPath,
    out: ({ viewer, organization }) => {
      const { id, name, viewerMembership } = requireOrganization(organization);
      const role = viewerMembership?.role ?? 'GUEST';
      return {
        OrganizationID: id,
        OrganizationName: name,
        UserID: viewer.user.id,
        UserName: viewer.user.name,
        UserEmail: viewer.user.email,
        OrganizationMemberID: text(viewerMembership?.id),
        Disabled: false,
        IsReadOnly: role === 'GUEST',
        IsAdmin: isAdmin(role),
      };
    },
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
    names: { emails: 'IDs' },
    method: 'DELETE',
    path: ADDRESS_BOOK,
    operation: storedMutation(HideContactsDocument),
    in: ({ body }) => ({ input: { emails: body.optionalObject().texts('IDs') } }),
    out: () => undefined,
  }),
  route({
    id: 'createLog',
    names: { header: 'Header', 'values.0': 'Value1', 'values.1': 'Value2', 'values.2': 'Value3' },
    method: 'POST',
    path: '/logs',
    operation: storedMutation(CreateClientLogDocument),
    in: ({ body }) => {
      const item = body.object();
      const values = [item.required('Value1'), item.text('Value2') ?? '', item.text('Value3') ?? ''];
      return { input: { header: item.text('Header'), values } };
    },
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
