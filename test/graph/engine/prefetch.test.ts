import { isObjectType, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { Reader } from '../../../src/db/database.ts';
import { createComments } from '../../../src/domain/comments/comment.ts';
import { createFolders } from '../../../src/domain/folders/folder-create.ts';
import { createTasks } from '../../../src/domain/tasks/task-create.ts';
import { graphContext } from '../../../src/graph/engine/context.ts';
import { runOperation } from '../../../src/graph/engine/run.ts';
import { schema } from '../../../src/graph/schema/schema.ts';
import { newDocuments } from '../../support/storage.ts';
import { newMember, newWorld, type Person } from '../../support/world.ts';

/** A folder in a folder, a document with a comment in the outer one, and a task. */
async function setUp() {
  const world = await newWorld();
  const { owner, organization, project } = world;
  const ctx = await owner.context();
  const projectId = project.id;
  const [outer] = await createFolders(ctx, { projectId, folders: [{ name: 'Outer' }] });
  const folderId = outer?.id as string;
  await createFolders(ctx, { projectId, folders: [{ name: 'Inner', parentId: folderId }] });
  const [document] = await newDocuments(ctx, projectId, [{ name: 'a.txt', folderId }]);
  await createComments(ctx, { documentId: document?.id as string, texts: ['Please check.'] });
  await createTasks(ctx, { projectId, tasks: [{ name: 'Do it' }] });
  return { ...world, ids: { organization: organization.id, project: projectId, folder: folderId } };
}

/** Statements that are sent before any of them is answered; all are answered together. */
class Round {
  #open = 0;
  #end = () => {};
  readonly over = new Promise<void>((resolve) => {
    this.#end = resolve;
  });

  async join<Result>(work: Promise<Result>): Promise<Result> {
    this.#open++;
    await work.catch(() => {});
    if (--this.#open === 0) this.#end();
    await this.over;
    return work;
  }
}

/** The result of a query, with its numbers of statements, round trips (`waits`) and rows. */
async function run(person: Person, query: string) {
  const ctx = await person.context();
  let round: Round | undefined;
  const counts = { statements: 0, waits: 0, rows: 0 };
  const startRound = () => {
    counts.waits++;
    const started = new Round();
    started.over.then(() => {
      round = undefined;
    });
    return started;
  };
  const watched = ({ query }: Reader): Reader => ({
    async query<Row>(statement: Parameters<Reader['query']>[0]) {
      round ??= startRound();
      counts.statements++;
      const rows = await round.join(query<Row>(statement));
      counts.rows += rows.length;
      return rows;
    },
  });
  const db = { ...ctx.db, ...watched(ctx.db), pipelined: watched(ctx.db.pipelined) };
  const answer = await runOperation({
    schema,
    document: parse(query),
    contextValue: graphContext({ ...ctx, db }),
  });
  return { ...counts, data: JSON.parse(JSON.stringify(answer.data)), errors: answer.errors ?? [] };
}

/** Every prefetched field, with the name of its type. */
const PREFETCHED = Object.values(schema.getTypeMap()).flatMap((type) =>
  isObjectType(type)
    ? Object.values(type.getFields())
        .filter(({ extensions }) => extensions.prefetch)
        .map(({ name }) => [type.name.toLowerCase(), name] as const)
    : [],
);

describe('a list below an object that is loaded by id', () => {
  it('is loaded in the same round trip', async () => {
    const { owner, ids } = await setUp();
    const results = [];
    for (const query of [
      `{ project(id: "${ids.project}") { name documents { nodes { name folder { name } } } tasks { nodes { name } } } }`,
      `{ organization(id: "${ids.organization}") { name projects { nodes { documents { nodes { name } } } } } }`,
      `{ folder(id: "${ids.folder}") { name documents { nodes { name } } folders { nodes { name } } } }`,
    ]) {
      const { statements, waits, data } = await run(owner, query);
      results.push({ statements, waits, ...data });
    }
    const documents = { nodes: [{ name: 'a.txt' }] };
    expect(results).toEqual([
      {
        statements: 3,
        waits: 1,
        project: {
          name: expect.any(String),
          documents: { nodes: [{ name: 'a.txt', folder: { name: 'Outer' } }] },
          tasks: { nodes: [{ name: 'Do it' }] },
        },
      },
      {
        statements: 3,
        waits: 2,
        organization: { name: expect.any(String), projects: { nodes: [{ documents }] } },
      },
      {
        statements: 3,
        waits: 1,
        folder: { name: 'Outer', documents, folders: { nodes: [{ name: 'Inner' }] } },
      },
    ]);
  });

  it('is prefetched for some lists of organizations, projects and folders', () => {
    expect(PREFETCHED.map((parts) => parts.join('.')).sort()).toEqual([
      'folder.documents',
      'folder.folders',
      'organization.projects',
      'project.comments',
      'project.documents',
      'project.folders',
      'project.tasks',
    ]);
  });

  it.each(
    PREFETCHED,
  )('has the same result prefetched with a %s as loaded after it: %s', async (type, field) => {
    const { owner, db, organization, ids } = await setUp();
    const id = ids[type as keyof typeof ids];
    const selection = `${field}(first: 1) { totalCount nodes { id createdAt } pageInfo { hasNextPage endCursor } }`;
    const name = type[0]?.toUpperCase() + type.slice(1);
    for (const person of [owner, await newMember(db, organization.id, 'MEMBER')]) {
      const prefetched = await run(person, `{ found: ${type}(id: "${id}") { ${selection} } }`);
      const after = await run(person, `{ found: node(id: "${id}") { ... on ${name} { ${selection} } } }`);
      expect(prefetched).toMatchObject({ data: after.data, errors: [] });
      expect(prefetched.data.found[field].nodes).toHaveLength(1);
      expect(after.waits).toBe(prefetched.waits + 1);
    }
  });

  it.each(PREFETCHED)('reads no rows for a viewer who may not see the %s: %s', async (type, field) => {
    const { stranger, db, organization, ids } = await setUp();
    const query = `{ ${type}(id: "${ids[type as keyof typeof ids]}") { ${field} { nodes { id } } } }`;
    const guest = await newMember(db, organization.id, 'GUEST');
    for (const person of type === 'organization' ? [stranger] : [stranger, guest]) {
      const { data, errors, rows, statements } = await run(person, query);
      expect({ data, rows, statements }).toEqual({ data: { [type]: null }, rows: 0, statements: 2 });
      expect(errors.map(({ path, originalError }) => [path, originalError])).toMatchObject([
        [[type], { code: 'NOT_FOUND' }],
      ]);
    }
  });

  it('fails once, at its own path, for invalid arguments', async () => {
    const { owner, ids } = await setUp();
    const { data, errors } = await run(
      owner,
      `{ project(id: "${ids.project}") { id documents(after: "x") { nodes { id } } } }`,
    );
    expect(data).toEqual({ project: null });
    expect(errors.map(({ path, originalError }) => [path, originalError])).toMatchObject([
      [['project', 'documents'], { code: 'BAD_USER_INPUT' }],
    ]);
  });
});
