import { parse } from 'graphql';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { KnownDocuments } from '../../src/graph/direct.ts';
import { createApp } from '../../src/server.ts';
import { testStorage } from '../support/storage.ts';
import { config, newPerson, newWorld } from '../support/world.ts';

/** What the same request is answered with the first time, the long way, and once its text is known. */
async function twice(body: unknown, headers: Record<string, string> = {}, readOnly = false) {
  const { db, owner, organization, project } = await newWorld();
  const { key } = readOnly ? await newPerson(db, ['read']) : owner;
  const storage = await testStorage(db);
  const app = createApp({ config, db, storage, log: pino({ level: 'silent' }) });
  const text = (typeof body === 'string' ? body : JSON.stringify(body))
    .replaceAll('ORGANIZATION', organization.id)
    .replaceAll('PROJECT', project.id);
  const ask = async () => {
    const answer = await app.request('/graphql', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: text,
    });
    return {
      status: answer.status,
      type: answer.headers.get('content-type'),
      body: JSON.parse(await answer.text()),
    };
  };
  return { first: await ask(), second: await ask() };
}

const PROJECTS =
  'query ($id: ID!, $first: Int) { organization(id: $id) { projects(first: $first) { nodes { name } } } }';

describe('a request that comes again is answered as the first time', () => {
  it.each<[string, unknown, Record<string, string>?]>([
    ['a query', { query: '{ viewer { email } }' }],
    ['with variables', { query: PROJECTS, variables: { id: 'ORGANIZATION', first: 5 } }],
    [
      'with an operation name',
      { query: 'query A { viewer { name } } query B { viewer { id } }', operationName: 'B' },
    ],
    [
      'without the operation name it needs',
      { query: 'query A { viewer { name } } query B { viewer { id } }' },
    ],
    ['with an error', { query: '{ project(id: "prj_x") { name } viewer { name } }' }],
    ['with a variable missing', { query: PROJECTS, variables: {} }],
    ['with a variable of another type', { query: PROJECTS, variables: { id: 'ORGANIZATION', first: 'x' } }],
    ['with variables that are no object', { query: '{ viewer { id } }', variables: [1] }],
    ['with a name that is no string', { query: '{ viewer { id } }', operationName: 5 }],
    ['that is invalid', { query: '{ nobody }' }],
    ['that is no GraphQL', { query: '{' }],
    ['that is no JSON', '{"query": '],
    ['that is an array', [{ query: '{ viewer { id } }' }]],
    [
      'for the newer media type',
      { query: '{ viewer { id } }' },
      { accept: 'application/graphql-response+json' },
    ],
    [
      'for the newer media type, with an error',
      { query: 'mutation { createOrganization(input: { name: "" }) { organization { id } } }' },
      { accept: 'application/graphql-response+json, application/json;q=0.5' },
    ],
    [
      'for the newer media type, invalid',
      { query: '{ nobody }' },
      { accept: 'application/graphql-response+json' },
    ],
    ['for several types', { query: '{ viewer { id } }' }, { accept: 'application/json, text/plain, */*' }],
  ])('%s', async (_, body, headers) => {
    const { first, second } = await twice(body, headers);
    expect(second).toEqual(first);
  });

  it('with its price, and refused when its variables make it too dear', async () => {
    const deep = `query ($first: Int!) { viewer { organizations(first: $first) { nodes { projects(first: $first) { nodes { name } } } } } }`;
    const cheap = await twice({ query: deep, variables: { first: 2 } });
    expect(cheap.second.body.extensions.cost).toEqual(cheap.first.body.extensions.cost);
    const { second } = await twice({ query: deep, variables: { first: 100 } });
    expect(second.body.errors[0].extensions.code).toBe('COST_LIMIT_EXCEEDED');
  });

  it('with the scope asked for each time', async () => {
    const query = 'mutation { createOrganization(input: { name: "New" }) { organization { name } } }';
    const { first, second } = await twice({ query }, {}, true);
    expect(second).toEqual(first);
    expect(second.body.errors[0].extensions.code).toBe('INSUFFICIENT_SCOPE');
  });
});

describe('known documents', () => {
  it('are kept up to a size, those asked for longest ago going first', () => {
    const known = new KnownDocuments();
    const text = (number: number) => `{ a${number} ${'b '.repeat(2_490)}}`;
    for (let number = 0; number < 99; number++) known.add(parse(text(number)));
    expect(known.get(text(0))).toBeDefined();
    for (let number = 99; number < 102; number++) known.add(parse(text(number)));
    expect(known.get(text(0))).toBeDefined();
    expect(known.get(text(1))).toBeUndefined();
    expect(known.get(text(101))).toBeDefined();
  });

  it('are not kept when they are long', () => {
    const known = new KnownDocuments();
    const long = `{ ${'a '.repeat(6_000)} }`;
    known.add(parse(long));
    expect(known.get(long)).toBeUndefined();
  });
});
