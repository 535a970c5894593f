import { parse } from 'graphql';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { createComments } from '../../../src/domain/comments/comment.ts';
import { createFolders } from '../../../src/domain/folders/folder-create.ts';
import { DocumentCache } from '../../../src/graph/http/document-cache.ts';
import { createApp } from '../../../src/http/server.ts';
import { newDocuments, testStorage } from '../../support/storage.ts';
import { config, newPerson, newWorld } from '../../support/world.ts';

/** Sends requests to a new server, whose document cache is empty. */
async function newServer(db: Database, key: string, limits = config.limits) {
  const app = createApp({
    config: { ...config, limits },
    db,
    storage: await testStorage(db),
    log: pino({ level: 'silent' }),
  });
  return (body: string, headers: Record<string, string> = {}) =>
    app.request('/graphql', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body,
    });
}

/** Each request has an id of its own. */
const withoutRequestIds = (text: string): string => text.replace(/,"requestId":"[^"]+"/g, '');

/** The answers to the same request before and after its document is cached. */
async function answersTwice(body: unknown, headers: Record<string, string> = {}, readOnly = false) {
  const { db, owner, organization, project } = await newWorld();
  const { key } = readOnly ? await newPerson(db, ['read']) : owner;
  const send = await newServer(db, key);
  const text = (typeof body === 'string' ? body : JSON.stringify(body))
    .replaceAll('ORGANIZATION', organization.id)
    .replaceAll('PROJECT', project.id);
  const post = async () => {
    const answer = await send(text, headers);
    return {
      status: answer.status,
      type: answer.headers.get('content-type'),
      body: JSON.parse(withoutRequestIds(await answer.text())),
    };
  };
  return { first: await post(), second: await post() };
}

const PROJECTS =
  'query ($id: ID!, $first: Int) { organization(id: $id) { projects(first: $first) { nodes { name } } } }';

describe('a repeated request has the same answer as the first one', () => {
  it.each<[string, unknown, Record<string, string>?]>([
    ['a query', { query: '{ viewer { email } }' }],
    ['with variables', { query: PROJECTS, variables: { id: 'ORGANIZATION', first: 5 } }],
    [
      'with an operation name',
      { query: 'query A { viewer { name } } query B { viewer { user { id } } }', operationName: 'B' },
    ],
    [
      'without the operation name it needs',
      { query: 'query A { viewer { name } } query B { viewer { user { id } } }' },
    ],
    ['with an error', { query: '{ project(id: "prj_x") { name } viewer { name } }' }],
    ['with a variable missing', { query: PROJECTS, variables: {} }],
    ['with a variable of another type', { query: PROJECTS, variables: { id: 'ORGANIZATION', first: 'x' } }],
    ['with variables that are not an object', { query: '{ viewer { user { id } } }', variables: [1] }],
    [
      'with an operation name that is not a string',
      { query: '{ viewer { user { id } } }', operationName: 5 },
    ],
    [
      'with the name of its client',
      { query: '{ viewer { user { id } } }', extensions: { clientLibrary: { name: 'x' } } },
    ],
    ['with extensions that are not an object', { query: '{ viewer { user { id } } }', extensions: 'x' }],
    [
      'with the hash of another query',
      {
        query: '{ viewer { user { id } } }',
        extensions: { persistedQuery: { version: 1, sha256Hash: 'x' } },
      },
    ],
    ['that is invalid', { query: '{ nobody }' }],
    ['that is not GraphQL', { query: '{' }],
    ['that is not JSON', '{"query": '],
    ['that is an array', [{ query: '{ viewer { user { id } } }' }]],
    [
      'for the newer media type',
      { query: '{ viewer { user { id } } }' },
      { accept: 'application/graphql-response+json' },
    ],
    [
      'for the newer media type, with an error',
      {
        query:
          'mutation { createOrganizations(input: { organizations: [{ name: "" }] }) { organizations { id } } }',
      },
      { accept: 'application/graphql-response+json, application/json;q=0.5' },
    ],
    [
      'for the newer media type, invalid',
      { query: '{ nobody }' },
      { accept: 'application/graphql-response+json' },
    ],
    [
      'for several types',
      { query: '{ viewer { user { id } } }' },
      { accept: 'application/json, text/plain, */*' },
    ],
  ])('%s', async (_, body, headers) => {
    const { first, second } = await answersTwice(body, headers);
    expect(second).toEqual(first);
  });

  it('with its cost, and is refused when its variables raise the cost above the limit', async () => {
    const deep = `query ($first: Int!) { viewer { organizations(first: $first) { nodes { projects(first: $first) { nodes { name } } } } } }`;
    const cheap = await answersTwice({ query: deep, variables: { first: 2 } });
    expect(cheap.second.body.extensions.cost).toEqual(cheap.first.body.extensions.cost);
    const { second } = await answersTwice({ query: deep, variables: { first: 100 } });
    expect(second.body.errors[0].extensions.code).toBe('COST_LIMIT_EXCEEDED');
  });

  it('with its points charged once, also where it is rejected after that', async () => {
    const { db, owner } = await newWorld();
    const limits = { ...config.limits, requests: 1, pointsPerRequest: 1 };
    const app = createApp({
      ...{ config: { ...config, limits }, db, storage: await testStorage(db) },
      log: pino({ level: 'silent' }),
    });
    const codeFor = async (key: string) => {
      const answer = await app.request('/graphql', {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query: PROJECTS, variables: {} }),
      });
      return (await answer.json()).errors[0].extensions.code;
    };
    const other = await newPerson(db, ['read']);
    // Each has points for one operation a minute; the second finds the document in the cache.
    expect([await codeFor(other.key), await codeFor(owner.key)]).toEqual([
      'BAD_USER_INPUT',
      'BAD_USER_INPUT',
    ]);
  });

  it('with a subscription of the same document as a stream', async () => {
    const { db, owner, organization } = await newWorld();
    const send = await newServer(db, owner.key);
    const query = `query A { viewer { email } } subscription B($id: ID!) { eventAppended(organizationId: $id) { kind } }`;
    const typeOf = async (operationName: string) => {
      const answer = await send(JSON.stringify({ query, operationName, variables: { id: organization.id } }));
      await answer.body?.cancel();
      return answer.headers.get('content-type')?.replace(/;.*/, '');
    };
    expect([await typeOf('B'), await typeOf('A'), await typeOf('B')]).toEqual([
      'text/event-stream',
      'application/json',
      'text/event-stream',
    ]);
  });

  it('with its scope checked each time', async () => {
    const query =
      'mutation { createOrganizations(input: { organizations: [{ name: "New" }] }) { organizations { name } } }';
    const { first, second } = await answersTwice({ query }, {}, true);
    expect(second).toEqual(first);
    expect(second.body.errors[0].extensions.code).toBe('INSUFFICIENT_SCOPE');
  });
});

/** Comments may contain a line separator, names may not. */
const NAME = 'Pläne "A" \\\\ 🎉<';
const AWKWARD = `${NAME}\u2028`;

/** A project with documents in a folder and comments, whose texts need escaping in JSON. */
async function awkwardProject() {
  const world = await newWorld();
  const ctx = await world.owner.context();
  const location = { organizationId: world.organization.id, projectId: world.project.id };
  const [folder] = await createFolders(ctx, { ...location, folders: [{ name: NAME }] });
  const files = ['a', 'b', 'c'].map((letter) => ({ name: `${letter} ${NAME}`, folderId: folder?.id }));
  for (const { id: documentId } of await newDocuments(ctx, location.projectId, files))
    await createComments(ctx, { ...location, documentId, texts: [AWKWARD, 'a\tb\nc'] });
  return world;
}

type World = Awaited<ReturnType<typeof newWorld>>;

/** The raw answers to a repeated request, which is served by faster paths once its document and plan are cached. */
async function rawAnswers(query: string, { db, owner, project }: World): Promise<string[]> {
  const send = await newServer(db, owner.key);
  const body = JSON.stringify({ query, variables: { id: project.id } });
  const answers: string[] = [];
  for (let count = 0; count < 12; count++) answers.push(withoutRequestIds(await (await send(body)).text()));
  return answers;
}

describe('every repetition of a request has the same answer, byte for byte', () => {
  it.each([
    [
      'lists of objects with fields of all types',
      `query ($id: ID!) { project(id: $id) { id name createdAt modifiedAt documents(first: 5) { totalCount
        nodes { __typename id name size version createdAt modifiedAt state contentType
          folder { id name depth createdByWorkflow createdAt } createdBy { name email id }
          currentRevision { number size pageCount createdAt name } comments(first: 2) { nodes { id text taskRevision createdAt } } }
        edges { cursor node { name id } } pageInfo { hasNextPage endCursor } } } }`,
    ],
    [
      'aliased fields, repeated fields, and fields of fragments',
      `query ($id: ID!) { project(id: $id) { toString: name documents(first: 5) { nodes { ...F b: name name constructor: size
        folder { hasOwnProperty: name } x: folder { id } createdBy { ...on User { email } ...on Node { id } } } } } }
        fragment F on Document { a: name id ...on Tracked { createdAt version } }`,
    ],
    [
      'objects of several types, and missing objects',
      `query ($id: ID!) { node(id: $id) { id __typename ...on Project { name } } none: node(id: "doc_x") { id }
        gone: project(id: "prj_x") { name } project(id: $id) { modifiedBy { name } folders { nodes { name parent { name } } }
        documents(first: 0) { nodes { id } } tasks { nodes { name } } } }`,
    ],
    [
      'an error beside data',
      `query ($id: ID!) { project(id: $id) { name documents(first: 5) { nodes { id name } } }
        bad: project(id: $id) { name documents(first: 5) { nodes { id name } } folders(after: "x") { nodes { id } } } }`,
    ],
  ])('%s', async (_, query) => {
    const world = await awkwardProject();
    const [first, ...others] = await rawAnswers(query, world);
    expect(first).toContain('Quay');
    expect(new Set(others)).toEqual(new Set([first]));
  });
});

describe('the document cache', () => {
  it('evicts the least recently used documents above a size', () => {
    const cache = new DocumentCache();
    const text = (number: number) => `{ a${number} ${'b '.repeat(2_490)}}`;
    for (let number = 0; number < 99; number++) cache.add(parse(text(number)));
    expect(cache.get(text(0))).toBeDefined();
    for (let number = 99; number < 102; number++) cache.add(parse(text(number)));
    expect(cache.get(text(0))).toBeDefined();
    expect(cache.get(text(1))).toBeUndefined();
    expect(cache.get(text(101))).toBeDefined();
  });

  it('does not store long documents', () => {
    const cache = new DocumentCache();
    const long = `{ ${'a '.repeat(6_000)} }`;
    cache.add(parse(long));
    expect(cache.get(long)).toBeUndefined();
  });
});
