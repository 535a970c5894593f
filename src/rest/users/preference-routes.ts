import { GetPreferencesDocument, UpdatePreferencesDocument } from '../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../graph/http/execute.ts';
import { sequence, single } from '../wire/operations.ts';
import type { RestRequest } from '../wire/request.ts';
import type { Route } from '../wire/route.ts';
import { preferenceRecord, preferencesRecord } from './client-data-record.ts';
import { preference, preferenceValue } from './input.ts';

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
  out: ({ viewer }, request) => preferenceRecord({ ...viewer, name: nameIn(request) }),
});

const UPDATE = storedMutation(UpdatePreferencesDocument);

const put = (preferenceIn: (request: RestRequest) => { name: string; value: string }, read: typeof GET_ALL) =>
  sequence([UPDATE, read], async (request, execute) => {
    await execute(UPDATE, { input: { preferences: [preferenceIn(request)] } });
    return read.run(request, execute);
  });

export const preferenceRoutes: Route[] = [
  { id: 'getUserPreferences', method: 'GET', path: PREFERENCES, operations: GET_ALL },
  {
    id: 'updateUserPreference',
    names: { preferences: '', ...preference.names },
    method: 'PUT',
    path: PREFERENCES,
    operations: put(({ body }) => preference(body.object()), GET_ALL),
  },
  { id: 'getSingleUserPreference', method: 'GET', path: PREFERENCE, operations: GET_ONE },
  {
    id: 'updateSingleUserPreference',
    names: { preferences: '', name: 'singleUserPreferenceId', ...preferenceValue.names },
    method: 'PUT',
    path: PREFERENCE,
    operations: put(
      (request) => ({ name: nameIn(request), ...preferenceValue(request.body.object()) }),
      GET_ONE,
    ),
  },
];
