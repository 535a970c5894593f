import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractOf } from '../../../src/rest/openapi/openapi.ts';
import { isPage } from '../../../src/rest/openapi/openapi-operation.ts';
import { restRoutes } from '../../../src/rest/routes.ts';
import { ORGANIZATION, PROJECT } from '../../../src/rest/wire/project-path.ts';
import type { Route } from '../../../src/rest/wire/route.ts';
import { newQueryWorld } from '../query-cases.ts';

/** Read operations as the vendor describes them today: the query parameters of each path, and the members of its records. */
interface Reads {
  paths: Record<string, string[]>;
  members: Record<string, Type>;
}

type Type = 'string' | 'number' | 'boolean' | 'date' | 'object' | 'string[]' | 'object[]';

const reads: Reads[] = JSON.parse(readFileSync(new URL('reads.json', import.meta.url), 'utf8'));

const operations = reads.flatMap(({ paths, members }) =>
  Object.entries(paths).map(([path, query]) => ({ path, query, members })),
);

/** The path as routes have it: `{id}` as `:id`. */
const patternOf = (path: string) =>
  path
    .replace('{project}', PROJECT)
    .replace('{org}', ORGANIZATION)
    .replace(/\{(\w+)\}/g, ':$1');

function routeOf(path: string): Route {
  const found = restRoutes.find((route) => route.method === 'GET' && route.path === patternOf(path));
  if (!found) throw new Error(`No route is ${path}.`);
  return found;
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

const IS: Record<Type, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  date: (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value),
  object: isObject,
  'string[]': (value) => Array.isArray(value) && value.every(IS.string),
  'object[]': (value) => Array.isArray(value) && value.every(isObject),
};

const ZEROS = ['', 0, false, '0001-01-01T00:00:00Z', []];

/** The rows of the documentation by their paths, with the members that always have the zero value. */
const documented = new Map(
  (readFileSync('docs/rest.md', 'utf8').split('## Reads that the vendor documents')[1] ?? '')
    .split('\n## ')[0]
    ?.split('\n')
    .map((line) => line.split(' |'))
    .flatMap(([path = '', zero = '']) => {
      const [, name] = /^\| `([^`]+)`$/.exec(path) ?? [];
      return name ? [[name, [...zero.matchAll(/`(\w+)`/g)].map(([, each]) => each as string)] as const] : [];
    }),
);

it('the documentation has a row for each read', () => {
  expect([...documented.keys()]).toEqual(operations.map(({ path }) => path));
});

let world: Awaited<ReturnType<typeof newQueryWorld>>;

beforeAll(async () => {
  world = await newQueryWorld();
});
afterAll(() => world.db.close());

/** The records of a response: of its page, of its array, or itself. */
function recordsOf(id: string, body: Record<string, unknown>): Record<string, unknown>[] {
  const { answer } = contractOf(id).contract;
  if (id === 'getMembership') return [body];
  return (isPage(answer) ? body[answer.key] : [body].flat()) as Record<string, unknown>[];
}

/** The members of the reference that a record lacks or has with another type. */
const faultsOf = (record: Record<string, unknown>, members: Reads['members']) =>
  Object.entries(members).flatMap(([name, type]) => (IS[type](record[name]) ? [] : [name]));

describe.each(operations)('GET $path, as the vendor describes it', ({ path, query, members }) => {
  it('has all members with their types', async () => {
    const route = routeOf(path);
    const { status, body } = await world.owner.rest('GET', world.fill(route));
    const records = recordsOf(route.id, body);
    expect([status, records.length > 0]).toEqual([200, true]);
    expect([...new Set(records.flatMap((record) => faultsOf(record, members)))]).toEqual([]);
  });

  it('has the zero value where the documentation says so', async () => {
    const route = routeOf(path);
    const zeroMembers = documented.get(path) ?? [];
    const { body } = await world.owner.rest('GET', world.fill(route));
    for (const record of recordsOf(route.id, body))
      for (const name of zeroMembers)
        expect([name, ZEROS]).toEqual([name, expect.arrayContaining([record[name]])]);
  });

  it('takes all parameters', () => {
    const route = routeOf(path);
    const { query: own = {}, answer } = contractOf(route.id).contract;
    const taken = [...Object.keys(own), ...(isPage(answer) ? ['cursor'] : [])];
    expect(query.filter((name) => !taken.includes(name))).toEqual([]);
  });
});
