import { GetPreferencesDocument, UpdatePreferencesDocument } from '../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../graph/http/execute.ts';
import type { Members } from '../wire/members.ts';
import { sequence, single } from '../wire/operations.ts';
import type { RestRequest } from '../wire/request.ts';
import type { Route } from '../wire/route.ts';
import { preferenceRecord, preferencesRecord } from './client-data-record.ts';

const PREFERENCES = '/user/preferences';
const PREFERENCE = `${PREFERENCES}/:singleUserPreferenceId`;

const nameIn = ({ path }: RestRequest) => path.singleUserPreferenceId as string;

const GET_ALL = single({
  operation: storedOperation(GetPreferencesDocument),
  in: () => ({}),
  out: ({ viewer }) => preferencesRecord(viewer),
});

const GET_ONE = single({
  operation: storedOperation(GetPreferencesDocument),
  in: () => ({}),
  out: ({ viewer }, request) => preferenceRecord(viewer, nameIn(request)),
});

const UPDATE = storedMutation(UpdatePreferencesDocument);

/** The value of a UserPreference as text; empty for its zero values. */
function preferenceValue(item: Members): string {
  const texts = [
    item.text('StringValue') ?? '',
    item.flag('BoolValue') ? 'true' : '',
    String(item.integer('IntValue') || ''),
    String(item.number('FloatValue') || ''),
  ];
  return texts.find((text) => text !== '') ?? '';
}

const put = (nameOf: (request: RestRequest) => string, read: typeof GET_ALL) =>
  sequence([UPDATE, read], async (request, execute) => {
    const name = nameOf(request);
    const value = preferenceValue(request.body.object());
    await execute(UPDATE, { input: { preferences: [{ name, value }] } });
    return read.run(request, execute);
  });

export const preferenceRoutes: Route[] = [
  { id: 'getUserPreferences', method: 'GET', path: PREFERENCES, operations: GET_ALL },
  {
    id: 'updateUserPreference',
    names: { preferences: '', name: 'ID', value: 'StringValue' },
    method: 'PUT',
    path: PREFERENCES,
    operations: put(({ body }) => body.object().required('ID'), GET_ALL),
  },
  { id: 'getSingleUserPreference', method: 'GET', path: PREFERENCE, operations: GET_ONE },
  {
    id: 'updateSingleUserPreference',
    names: { preferences: '', name: 'singleUserPreferenceId', value: 'StringValue' },
    method: 'PUT',
    path: PREFERENCE,
    operations: put(nameIn, GET_ONE),
  },
];
