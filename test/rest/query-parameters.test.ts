import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { contractOf } from '../../src/rest/openapi/openapi.ts';
import { isPage } from '../../src/rest/openapi/openapi-operation.ts';
import { splitTypeText } from '../../src/rest/openapi/schema.ts';
import { restRoutes } from '../../src/rest/routes.ts';
import type { Route } from '../../src/rest/wire/route.ts';
import { type Snapshot, takeSnapshot } from '../matrix/snapshot.ts';
import { appOn } from '../support/oauth.ts';
import { newQueryWorld, type QueryCase, queryCases } from './query-cases.ts';

/** Parameters of the contract that the server ignores. */
const IGNORED = new Set(
  `createProjects.homePath createProjects.projectPathPrefix listOrganizationMembers.homePath
  addOrganizationMembers.homePath addProjectMembers.homePath addProjectMembers.projectPath
  confirmDocumentUploads.captureOriginal confirmDocumentUploads.skipOCR getDocumentContentPackage.preview
  getDocumentContentPackage.singlePage getDocumentContentPackage.requireSinglePage
  getDocumentContentPackage.pageIndex listAddressBookItems.includeRoles listAddressBookItems.includeFields
  listAddressBookItems.includeFormTemplateFields countDocuments.ignoreInbox createDocumentFolders.documentFolderPathPrefix
  listFieldListItems.cursor listTags.includeAssetItems updateSignatureFormField.clearExisting`.split(/\s+/),
);

const parameters = restRoutes.flatMap((route) => {
  const { query = {}, answer } = contractOf(route.id).contract;
  const own = Object.entries(query).map(([name, text]) => ({ name, type: splitTypeText(text).type }));
  const all = isPage(answer) ? [{ name: 'cursor', type: 'string' }, ...own] : own;
  return all.map((each) => ({ ...each, route, key: `${route.id}.${each.name}` }));
});

let world: Awaited<ReturnType<typeof newQueryWorld>>;
let snapshot: Snapshot;

beforeAll(async () => {
  world = await newQueryWorld();
  snapshot = await takeSnapshot(world.db);
});
afterEach(() => snapshot.restore());
afterAll(() => world.db.close());

const withQuery = (path: string, ...queries: (string | undefined)[]) => {
  const query = queries.filter(Boolean).join('&');
  return query ? `${path}?${query}` : path;
};

const pathOf = (route: Route, ids = {}) => world.fill(route, ids).split('?')[0] as string;

/** Values that differ between two runs of one request. */
const RANDOM = /"(?:requestId|ServerDate)":"[^"]*"/g;

/** Values that also differ between two runs of one change. */
const CREATED = /\b[a-z]{3}_[0-9a-z]{26}\b|\d{4}-\d\d-\d\dT[\d:.]+Z|"UniqueID":"[^"]*"/g;

const SIGNED = /\beyJ[\w-]+\.([\w-]+)\.[\w-]+/g;

/** The claims of a signed URL, without its expiry, which is another one in the next second. */
function claimsOf(_: string, payload: string): string {
  const { exp: _exp, ...claims } = JSON.parse(Buffer.from(payload, 'base64url').toString());
  return Object.values(claims).join();
}

/** Replaces a download URL by the Content-Disposition of its response, since its bytes are always the same. */
async function comparableBody(body: unknown): Promise<unknown> {
  const { Url } = body as { Url?: string };
  if (!Url) return body;
  const app = await appOn(world.db);
  return (await app.request(Url)).headers.get('content-disposition');
}

async function observe(route: Route, { as, body, text, path, probe, base }: Partial<QueryCase>, query = '') {
  const person = as ? world[as] : world.owner;
  const requestBody = route.method === 'GET' ? undefined : (body ?? world.bodies[route.id]);
  const address = withQuery(pathOf(route, path), base, query);
  const answer = await person.rest(
    route.method,
    address,
    requestBody,
    text === undefined ? undefined : { text },
  );
  const project = pathOf({ path: '/organizations/:organizationId/projects/:projectId', id: '' } as Route);
  const probed = probe && (await world.owner.rest('GET', project + probe)).body;
  const { status } = answer;
  const result = JSON.stringify({ body: await comparableBody(answer.body), probed })
    .replace(RANDOM, '')
    .replace(SIGNED, claimsOf);
  if (route.method === 'GET') return { status, result };
  await snapshot.restore();
  return { status, result: result.replace(CREATED, '') };
}

describe('query parameters of REST v1', () => {
  it('each have a case, or are in the list of ignored ones', () => {
    const cases = queryCases(world);
    const covered = Object.entries(cases).flatMap(([id, of]) =>
      Object.keys(of).map((name) => `${id}.${name}`),
    );
    const keys = parameters
      .filter(({ name, key }) => name !== 'cursor' || IGNORED.has(key))
      .map(({ key }) => key);
    expect([...covered, ...IGNORED].sort()).toEqual([...keys].sort());
  });

  it.each(
    parameters.filter(({ name, key }) => name !== 'cursor' && !IGNORED.has(key)),
  )('change the response: $key', async ({ route, name }) => {
    const each = queryCases(world)[route.id]?.[name] as QueryCase;
    const query = `${name}=${encodeURIComponent(each.value)}`;
    const [without, changed] = [await observe(route, each), await observe(route, each, query)];
    expect(changed).not.toEqual(without);
    const renamed = await observe(route, each, query.replace(name, name.toUpperCase()));
    expect(renamed).toEqual(changed);
  });

  it.each(
    parameters.filter(({ name, key }) => name === 'cursor' && !IGNORED.has(key)),
  )('page to the empty end of a list: $key', async ({ route }) => {
    await world.ready[route.id]?.();
    const { answer } = contractOf(route.id).contract;
    const size = async (query: string) => {
      const { body } = await world.owner.rest('GET', withQuery(pathOf(route), query));
      return (isPage(answer) ? body[answer.key] : body).length;
    };
    expect([await size('cursor='), await size('cursor=end')]).toEqual([await size(''), 0]);
    expect(await size('')).toBeGreaterThan(0);
    expect((await world.owner.rest('GET', withQuery(pathOf(route), 'cursor=bogus'))).status).toBe(400);
  });

  it.each(parameters.filter(({ key }) => IGNORED.has(key)))('are accepted where ignored: $key', async ({
    route,
    name,
  }) => {
    const base = route.id === 'confirmDocumentUploads' ? `uniqueId=${world.uploadId}` : '';
    const [withoutParameter, withParameter] = [
      await observe(route, { base }),
      await observe(route, { base }, `${name}=true`),
    ];
    expect(withParameter).toEqual(withoutParameter);
  });

  it.each(
    parameters.filter(
      ({ type, name, key }) =>
        !IGNORED.has(key) && (type === 'boolean' || /sortType|Type$|_json$/.test(name)),
    ),
  )('are refused with 400 if invalid: $key', async ({ route, name }) => {
    const { status } = await observe(route, {}, `${name}=bogus`);
    expect(status).toBe(400);
    expect(await snapshot.changed()).toEqual([]);
  });

  it.each(
    restRoutes.filter(({ method }) => method === 'GET'),
  )('include no unknown sortType: $path', async (route) => {
    await world.ready[route.id]?.();
    const path = withQuery(pathOf(route), 'sortType=bogus');
    expect((await world.owner.rest('GET', path)).status).toBe(400);
  });

  it.each([
    ['nonsense', 'no JSON'],
    ['{}', 'no array'],
    ['[{"FieldID":"Meta_kw256[ProjectID]","FieldValue":"x","Operator":"equals"}]', 'another member'],
    [
      '[{"FieldID":"Meta_text_kw256lc[UserEmail].keyword","FieldValue":"x","Operator":"like"}]',
      'another operator',
    ],
    [
      '[{"FieldID":"Meta_text_kw256lc[UserEmail].keyword","FieldType":"FieldType_Date","FieldValue":"x"}]',
      'another type',
    ],
    ['[{"FieldID":"Meta_text_kw256lc[UserEmail].keyword","Operator":"equals"}]', 'no value'],
  ])('include no filter of members with %s', async (filter) => {
    const { params, owner } = world;
    const path = `/organizations/${params.organizationId}/projects/${params.projectId}/members`;
    const { status, body } = await owner.rest(
      'GET',
      `${path}?metaFieldFilters_json=${encodeURIComponent(filter)}`,
    );
    expect([status, body.message]).toEqual([400, expect.stringMatching(/./)]);
  });

  it('filter members by all conditions, case-insensitively, and return nobody for contradictory conditions', async () => {
    const { params, owner, member } = world;
    const path = `/organizations/${params.organizationId}/projects/${params.projectId}/members`;
    const emailsFiltered = async (...conditions: [operator: string, value: string][]) => {
      const filter = conditions.map(([Operator, FieldValue]) => ({
        FieldID: 'meta_text_kw256lc[useremail].keyword',
        FieldValue,
        Operator,
      }));
      const query = encodeURIComponent(JSON.stringify(filter));
      const { body } = await owner.rest('GET', `${path}?metaFieldFilters_json=${query}`);
      return body.ProjectMembers.map((each: { UserEmail: string }) => each.UserEmail);
    };
    const { email } = member;
    expect(await emailsFiltered(['equals', email.toUpperCase()])).toEqual([email]);
    expect(await emailsFiltered(['startsWith', email.slice(0, 6)], ['startsWith', 'P'])).toEqual([email]);
    expect(await emailsFiltered(['equals', email], ['startsWith', email.slice(0, 3)])).toEqual([email]);
    expect(await emailsFiltered(['equals', email], ['equals', owner.email])).toEqual([]);
    expect(await emailsFiltered(['startsWith', email.slice(0, 6)], ['startsWith', 'x'])).toEqual([]);
    expect((await emailsFiltered()).sort()).toEqual([email, owner.email].sort());
  });
});
