import { parse } from 'graphql';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { createComments } from '../../../src/domain/comments/comment.ts';
import { createFolders } from '../../../src/domain/folders/folder-create.ts';
import { DocumentCache } from '../../../src/graph/http/direct-request.ts';
import { createApp } from '../../../src/http/server.ts';
import { newDocuments, testStorage } from '../../support/storage.ts';
import { config, newPerson, newWorld } from '../../support/world.ts';

/** Sends requests to a server of its own, which knows no texts yet. */
async function newDoor(db: Database, key: string) {
  const app = createApp({ config, db, storage: await testStorage(db), log: pino({ level: 'silent' }) });
  return (body: string, headers: Record<string, string> = {}) =>
    app.request('/graphql', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body,
    });
}

/** What the same request is answered with the first time, the long way, and once its text is known. */
async function twice(body: unknown, headers: Record<string, string> = {}, readOnly = false) {
  const { db, owner, organization, project } = await newWorld();
  const { key } = readOnly ? await newPerson(db, ['read']) : owner;
  const send = await newDoor(db, key);
  const text = (typeof body === 'string' ? body : JSON.stringify(body))
    .replaceAll('ORGANIZATION', organization.id)
    .replaceAll('PROJECT', project.id);
  const ask = async () => {
    const answer = await send(text, headers);
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

/** A separator of lines may stand in a comment, and not in a name. */
const NAME = 'Pläne "A" \\\\ 🎉<';
const AWKWARD = `${NAME}\u2028`;

/** A project with documents in a folder and comments, whose texts JSON has to escape. */
async function awkwardProject() {
  const world = await newWorld();
  const ctx = await world.owner.context();
  const place = { organizationId: world.organization.id, projectId: world.project.id };
  const [folder] = await createFolders(ctx, { ...place, folders: [{ name: NAME }] });
  const files = ['a', 'b', 'c'].map((letter) => ({ name: `${letter} ${NAME}`, folderId: folder?.id }));
  for (const { id: documentId } of await newDocuments(ctx, place.projectId, files))
    await createComments(ctx, { ...place, documentId, texts: [AWKWARD, 'a\tb\nc'] });
  return world;
}

type World = Awaited<ReturnType<typeof newWorld>>;

/** The answers to the same request, as they were sent: it takes shorter ways the more often it comes. */
async function answersOf(query: string, { db, owner, project }: World): Promise<string[]> {
  const send = await newDoor(db, owner.key);
  const body = JSON.stringify({ query, variables: { id: project.id } });
  const answers: string[] = [];
  for (let time = 0; time < 12; time++) answers.push(await (await send(body)).text());
  return answers;
}

describe('an answer is the same to the last byte, however its rows come', () => {
  it.each([
    [
      'lists of things with all kinds of members',
      `query ($id: ID!) { project(id: $id) { id name createdAt modifiedAt documents(first: 5) { totalCount
        nodes { __typename id name size version createdAt modifiedAt state contentType
          folder { id name depth createdByWorkflow createdAt } createdBy { name email id }
          currentRevision { number size pageCount createdAt name } comments(first: 2) { nodes { id text taskRevision createdAt } } }
        edges { cursor node { name id } } pageInfo { hasNextPage endCursor } } } }`,
    ],
    [
      'members under other names, twice, and from fragments',
      `query ($id: ID!) { project(id: $id) { toString: name documents(first: 5) { nodes { ...F b: name name constructor: size
        folder { hasOwnProperty: name } x: folder { id } createdBy { ...on User { email } ...on Node { id } } } } } }
        fragment F on Document { a: name id ...on Tracked { createdAt version } }`,
    ],
    [
      'things of several types, and what is not there',
      `query ($id: ID!) { node(id: $id) { id __typename ...on Project { name } } none: node(id: "doc_x") { id }
        gone: project(id: "prj_x") { name } project(id: $id) { modifiedBy { name } folders { nodes { name parent { name } } }
        documents(first: 0) { nodes { id } } tasks { nodes { name } } } }`,
    ],
    [
      'an error beside what is there',
      `query ($id: ID!) { project(id: $id) { name documents(first: 5) { nodes { id name } } }
        bad: project(id: $id) { name documents(first: 5) { nodes { id name } } folders(after: "x") { nodes { id } } } }`,
    ],
  ])('%s', async (_, query) => {
    const world = await awkwardProject();
    const [first, ...others] = await answersOf(query, world);
    expect(first).toContain('Quay');
    expect(new Set(others)).toEqual(new Set([first]));
  });
});

describe('known documents', () => {
  it('are kept up to a size, those asked for longest ago going first', () => {
    const known = new DocumentCache();
    const text = (number: number) => `{ a${number} ${'b '.repeat(2_490)}}`;
    for (let number = 0; number < 99; number++) known.add(parse(text(number)));
    expect(known.get(text(0))).toBeDefined();
    for (let number = 99; number < 102; number++) known.add(parse(text(number)));
    expect(known.get(text(0))).toBeDefined();
    expect(known.get(text(1))).toBeUndefined();
    expect(known.get(text(101))).toBeDefined();
  });

  it('are not kept when they are long', () => {
    const known = new DocumentCache();
    const long = `{ ${'a '.repeat(6_000)} }`;
    known.add(parse(long));
    expect(known.get(long)).toBeUndefined();
  });
});
