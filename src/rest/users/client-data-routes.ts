import {
  CreateClientLogDocument,
  GetPermissionsDocument,
  GetPreferencesDocument,
  GetProfileDocument,
  ListAddressBookDocument,
  UpdatePreferencesDocument,
} from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import type { Members } from '../wire/members.ts';
import { sequence, single } from '../wire/operations.ts';
import { ORGANIZATION, organizationPath, requireOrganization } from '../wire/project-path.ts';
import { type Route, route } from '../wire/route.ts';
import { PlainText } from '../wire/text-reply.ts';
import { addressBookItem, preferencesRecord } from './client-data-record.ts';

const PREFERENCES = '/user/preferences';

const GET_PREFERENCES = single({
  operation: storedOperation(GetPreferencesDocument),
  in: () => ({}),
  out: ({ viewer }) => preferencesRecord(viewer),
});

const UPDATE = storedOperation(UpdatePreferencesDocument);

/** The value of a UserPreference as text; empty for its zero values. */
function preferenceValue(item: Members): string {
  const number = item.integer('IntValue') || item.number('FloatValue');
  return item.text('StringValue') || (item.flag('BoolValue') ? 'true' : number ? String(number) : '');
}

export const clientDataRoutes: Route[] = [
  route({
    id: 'getOrganizationPermissions',
    method: 'GET',
    path: `${ORGANIZATION}/permissions`,
    operation: storedOperation(GetPermissionsDocument),
    in: organizationPath,
    out: ({ viewer, organization }) => {
      const { id, name, viewerRole } = requireOrganization(organization);
      return {
        OrganizationID: id,
        OrganizationName: name,
        UserID: viewer.user.id,
        UserName: viewer.user.name,
        UserEmail: viewer.user.email,
        IsAdmin: viewerRole === 'OWNER' || viewerRole === 'ADMIN',
      };
    },
  }),
  route({
    id: 'listAddressBookItems',
    names: { search: 'filter' },
    method: 'GET',
    path: '/user/addressBookItems',
    operation: storedOperation(ListAddressBookDocument),
    in: ({ query }) => ({ search: query.text('filter') }),
    out: ({ viewer }, { query }) =>
      query.flag('includeTenantMembers') === false ? [] : viewer.addressBook.map(addressBookItem),
  }),
  { id: 'getUserPreferences', method: 'GET', path: PREFERENCES, operations: GET_PREFERENCES },
  {
    id: 'updateUserPreference',
    names: { preferences: '', name: 'ID', value: 'StringValue' },
    method: 'PUT',
    path: PREFERENCES,
    operations: sequence([UPDATE, GET_PREFERENCES], async (request, execute) => {
      const item = request.body.object();
      await execute(UPDATE, {
        input: { preferences: [{ name: item.required('ID'), value: preferenceValue(item) }] },
      });
      return GET_PREFERENCES.run(request, execute);
    }),
  },
  route({
    id: 'createLog',
    names: { header: 'Header', 'values.0': 'Value1', 'values.1': 'Value2', 'values.2': 'Value3' },
    method: 'POST',
    path: '/logs',
    operation: storedOperation(CreateClientLogDocument),
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
