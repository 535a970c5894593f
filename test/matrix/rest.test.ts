import { beforeAll, describe, expect, it } from 'vitest';
import { viewerDocumentRoutes } from '../../src/rest/documents/viewer-routes.ts';
import { restRoutes } from '../../src/rest/routes.ts';
import type { Route } from '../../src/rest/wire/route.ts';
import { APPLICATION_ROUTES } from './application-facts.ts';
import {
  type AccessFact,
  containerOf,
  expectedCode,
  expectedStatus,
  tableFaults,
} from './expected-access.ts';
import { type Fixture, PRINCIPALS, type Principal, SETUP_TIMEOUT_MS, sharedFixture } from './fixture.ts';
import { send } from './requests.ts';
import { REST } from './rest-facts.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';

let s: Fixture;
let snapshot: Snapshot;

beforeAll(async () => {
  s = await sharedFixture();
  snapshot = await takeSnapshot(s.db);
}, SETUP_TIMEOUT_MS);

const factOf = ({ id, operations }: Route): Omit<AccessFact, 'container'> => ({
  least: REST[id] ?? 'admin',
  writes: operations.writes,
  applications: APPLICATION_ROUTES[id],
});

const call = ({ a, app, credentials }: Fixture, row: Route, principal: Principal) =>
  send(
    app,
    { method: row.method, path: `/api/v1${a.fill(row)}`, body: a.bodies[row.id] },
    credentials[principal],
  );

it('the access table has every route of REST v1', () => {
  expect(
    tableFaults(
      restRoutes.map(({ id }) => id),
      REST,
      'test/matrix/rest-facts.ts',
    ),
  ).toEqual([]);
});

describe.each(restRoutes)('REST v1: $id', (row) => {
  const fact = factOf(row);
  const may = (principal: Principal) => expectedCode({ ...fact, container: 'project' }, principal) === 'OK';

  it.each(PRINCIPALS.filter((each) => !may(each)))('refuses %s', async (principal) => {
    const container = containerOf([s.a.fill(row), s.a.bodies[row.id]]);
    const { status, body } = await call(s, row, principal);
    expect([status, body.message]).toEqual([
      expectedStatus({ ...fact, container }, principal),
      expect.any(String),
    ]);
  });

  it('changes nothing if it is refused', async () => {
    expect(await snapshot.restore()).toEqual([]);
  });

  it.each(PRINCIPALS.filter(may))('answers %s', async (principal) => {
    const { status, body } = await call(s, row, principal);
    const changed = fact.writes ? await snapshot.restore() : [];
    expect([status, body]).toEqual([200, expect.anything()]);
    const hasNothingToHide = row.id === 'hideAddressBookItems' && principal === 'guest';
    expect(changed.length > 0).toBe(fact.writes && !hasNothingToHide);
  });
});

describe.each(viewerDocumentRoutes)('the OAuth resource $method $path', (row) => {
  it.each(PRINCIPALS)('answers %s by the access table', async (principal) => {
    const fact: AccessFact = { least: 'anyone', writes: false, container: 'organization' };
    const { status } = await send(s.app, { method: row.method, path: row.path }, s.credentials[principal]);
    expect(status).toBe(expectedStatus(fact, principal));
  });
});
