import { beforeAll, describe, expect, it } from 'vitest';
import { viewerDocumentRoutes } from '../../src/rest/documents/viewer-routes.ts';
import { restRoutes } from '../../src/rest/routes.ts';
import type { Route } from '../../src/rest/wire/route.ts';
import { REFUSED_ROUTES } from './application-facts.ts';
import { send } from './asking.ts';
import { expectedCode, expectedStatus, type Fact, missing, placeOf } from './expected.ts';
import { type Kept, keep } from './kept.ts';
import { REST } from './rest-facts.ts';
import { PRINCIPALS, type Principal, type Scene, SETTING_UP, scene } from './scene.ts';

let s: Scene;
let kept: Kept;

beforeAll(async () => {
  s = await scene();
  kept = await keep(s.db);
}, SETTING_UP);

const factOf = ({ id, operations }: Route): Omit<Fact, 'place'> => ({
  least: REST[id] ?? 'admin',
  writes: operations.scope === 'write',
  refusesApplications: REFUSED_ROUTES.has(id),
});

const call = ({ a, app, credentials }: Scene, row: Route, principal: Principal) =>
  send(
    app,
    { method: row.method, path: `/api/v1${a.fill(row)}`, body: a.bodies[row.id] },
    credentials[principal],
  );

it('every route of REST v1 says who may ask for it', () => {
  expect(
    missing(
      restRoutes.map(({ id }) => id),
      REST,
      'test/matrix/rest-facts.ts',
    ),
  ).toEqual([]);
});

describe.each(restRoutes)('REST v1: $id', (row) => {
  const fact = factOf(row);
  const may = (principal: Principal) => expectedCode({ ...fact, place: 'project' }, principal) === 'OK';

  it.each(PRINCIPALS.filter((each) => !may(each)))('refuses %s', async (principal) => {
    const place = placeOf([s.a.fill(row), s.a.bodies[row.id]]);
    const { status, body } = await call(s, row, principal);
    expect([status, body.message]).toEqual([
      expectedStatus({ ...fact, place }, principal),
      expect.any(String),
    ]);
  });

  it('has changed nothing for them', async () => {
    expect(await kept.restore()).toEqual([]);
  });

  it.each(PRINCIPALS.filter(may))('answers %s', async (principal) => {
    const { status, body } = await call(s, row, principal);
    const changed = fact.writes ? await kept.restore() : [];
    expect([status, body]).toEqual([200, expect.anything()]);
    expect(changed.length > 0).toBe(fact.writes);
  });
});

describe.each(viewerDocumentRoutes)('for applications $method $path', (row) => {
  it.each(PRINCIPALS)('%s', async (principal) => {
    const fact: Fact = { least: 'anyone', writes: false, place: 'organization' };
    const { status } = await send(s.app, { method: row.method, path: row.path }, s.credentials[principal]);
    expect(status).toBe(expectedStatus(fact, principal));
  });
});
