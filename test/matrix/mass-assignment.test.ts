import { type GraphQLInputObjectType, type GraphQLInputType, getNamedType, isInputObjectType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../src/graph/schema/schema.ts';
import { restRoutes } from '../../src/rest/routes.ts';
import { dump } from '../support/dump.ts';
import { type Fixture, SETUP_TIMEOUT_MS, sharedFixture } from './fixture.ts';
import { MUTATIONS } from './mutation-facts.ts';
import { type Path, valueAt, withValue } from './positions.ts';
import { codeOf, mutationText, send, sendGraph } from './requests.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';

let s: Fixture;
let snapshot: Snapshot;
let before: string;

beforeAll(async () => {
  s = await sharedFixture();
  snapshot = await takeSnapshot(s.db);
  before = await dump(s.db);
}, SETUP_TIMEOUT_MS);

const MARK = 'smuggled';

/** Members that only the server sets, with values that can be searched in the database. */
const smuggled = (): Record<string, unknown> => ({
  OrganizationID: s.b.organization.id,
  OrganizationId: s.b.organization.id,
  OwnerID: s.b.owner.id,
  CreatedByUserID: s.b.owner.id,
  CreatedByID: s.b.owner.id,
  CreatedOn: '1999-12-31T23:59:59Z',
  CreatedAt: '1999-12-31T23:59:59Z',
  SignedAt: '1999-12-31T23:59:59Z',
  SignedOn: '1999-12-31T23:59:59Z',
  CompletedOn: '1999-12-31T23:59:59Z',
  ApprovedBy: s.b.owner.id,
  State: MARK,
  Role: MARK,
  isAdmin: true,
  scopes: [MARK],
});

/** Own members of these names, as JSON.parse creates them; an object literal would set the prototype. */
const POLLUTION = `"__proto__": { "${MARK}": true }, "constructor": { "prototype": { "${MARK}": true } }`;

/** Every object within a body, the body first. */
function objectPaths(value: unknown, at: Path = []): Path[] {
  if (value === null || typeof value !== 'object') return [];
  const below = Object.entries(value).flatMap(([name, each]) =>
    objectPaths(each, [...at, Array.isArray(value) ? Number(name) : name]),
  );
  return Array.isArray(value) ? below : [at, ...below];
}

/** A body with additional members in each of its objects; existing members stay. */
function withExtraMembers(body: unknown): string {
  const full = objectPaths(body).reduceRight((whole, path) => {
    const own = valueAt(whole, path) as Record<string, unknown>;
    const names = new Set(Object.keys(own).map((name) => name.toLowerCase()));
    const more = Object.entries(smuggled()).filter(([name]) => !names.has(name.toLowerCase()));
    const once = Object.fromEntries(more.map(([name, value]) => [name.toLowerCase(), value]));
    return withValue(whole, path, { [MARK]: 0, ...own, ...once });
  }, body);
  return JSON.stringify(full).replaceAll(`"${MARK}":0`, POLLUTION);
}

/** How often a text occurs in a dump. */
const timesIn = (text: string, part: string): number => text.split(part).length - 1;

const withBody = restRoutes.filter(({ method }) => method !== 'GET');

describe.each(withBody)('members that only the server sets, in REST v1: $id', (row) => {
  it('are refused or ignored', async () => {
    const { a, b, app, db, credentials } = s;
    const { status } = await send(
      app,
      { method: row.method, path: `/api/v1${a.fill(row)}`, body: withExtraMembers(a.bodies[row.id] ?? {}) },
      credentials.owner,
    );
    const after = await dump(db);
    await snapshot.restore();
    expect([200, 400]).toContain(status);
    for (const part of ['1999-12-31', MARK]) expect(timesIn(after, part)).toBe(0);
    for (const part of [b.organization.id, b.owner.id])
      expect(timesIn(after, part)).toBe(timesIn(before, part));
    expect(({} as Record<string, unknown>)[MARK]).toBeUndefined();
  });
});

const inputTypes = Object.values(schema.getTypeMap()).filter(
  (type): type is GraphQLInputObjectType => isInputObjectType(type) && !type.name.endsWith('Order'),
);

const typeOfInput = (mutation: string) => schema.getMutationType()?.getFields()[mutation]?.args[0]?.type;

const isMany = (type: unknown): boolean => String(type).startsWith('[');

/** The path of an input type within the input of a mutation. */
function locationOf(wanted: GraphQLInputObjectType): { mutation: string; path: Path } | undefined {
  const find = (type: GraphQLInputObjectType, path: Path): Path | undefined => {
    if (type === wanted) return path;
    for (const field of Object.values(type.getFields())) {
      const below = getNamedType(field.type);
      const pathBelow =
        isInputObjectType(below) &&
        below !== type &&
        find(below, [...path, field.name, ...(isMany(field.type) ? [0] : [])]);
      if (pathBelow) return pathBelow;
    }
    return undefined;
  };
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const path = find(getNamedType(field.args[0]?.type as GraphQLInputType) as GraphQLInputObjectType, []);
    if (path) return { mutation: field.name, path };
  }
  return undefined;
}

const FORBIDDEN = [
  'organization',
  'ownerId',
  'createdAt',
  'createdById',
  'state',
  'isAdmin',
  'signedAt',
  'approvedBy',
  'version',
  '__proto__',
  'constructor',
];

describe.each(
  inputTypes.flatMap((type) => ({ type: type.name, location: locationOf(type) ?? [] })),
)('fields that $type does not have', ({ type, location }) => {
  it.runIf('mutation' in location)('are refused', async () => {
    const { mutation, path } = location as { mutation: string; path: Path };
    const fields = (schema.getType(type) as GraphQLInputObjectType).getFields();
    const base = MUTATIONS[mutation]?.[1](s.a.at, s.a);
    const names = FORBIDDEN.filter((each) => !Object.hasOwn(fields, each));
    const input = withValue(base, [...path, MARK], 0);
    const members = names.map((name) => `"${name}":{"${MARK}":true}`).join();
    const query = `mutation ($input: ${typeOfInput(mutation)}) { ${mutation}(input: $input) { __typename } }`;
    const body = JSON.stringify({ query, variables: { input } }).replace(`"${MARK}":0`, members);
    const answer = await send(s.app, { method: 'POST', path: '/graphql', body }, s.credentials.owner);
    const errors: { message: string; extensions: { code: string } }[] = answer.body.errors;
    for (const name of names)
      expect(errors.map(({ message, extensions }) => `${extensions.code} ${message}`)).toContainEqual(
        expect.stringMatching(new RegExp(`^BAD_USER_INPUT .*"${name}"`)),
      );
    expect(await snapshot.restore()).toEqual([]);
    expect(({} as Record<string, unknown>)[MARK]).toBeUndefined();
  });
});

it('an object in place of a string is never treated as a database operator', async () => {
  for (const name of [{ contains: '' }, { not: null }, { equals: 'x' }, ['x'], 1, true]) {
    const answer = await sendGraph(
      s.app,
      mutationText('updateViewer'),
      { input: { name } },
      s.credentials.owner,
    );
    expect(codeOf(answer)).toBe('BAD_USER_INPUT');
    const rest = await send(
      s.app,
      { method: 'PUT', path: '/api/v1/user/profile', body: { UserName: name } },
      s.credentials.owner,
    );
    expect(rest.status).toBe(400);
  }
});
