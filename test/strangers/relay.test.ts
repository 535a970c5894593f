import { createOperationDescriptor, Environment, Network, RecordSource, Store } from 'relay-runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql/sql.ts';
import { createComments } from '../../src/domain/comments/comment.ts';
import { deleteProjects } from '../../src/domain/projects/project-delete.ts';
import { createTasks } from '../../src/domain/tasks/task-create.ts';
import { newDocuments } from '../support/storage.ts';
import { apiServer } from './api-server.ts';
import { relayRequest } from './relay-request.ts';

let server: Awaited<ReturnType<typeof apiServer>>;
beforeAll(async () => {
  server = await apiServer();
});
afterAll(() => server.close());

/** A Relay store that queries of the server are written to; `record` reads one of its records. */
function newStore() {
  const source = new RecordSource();
  const network = Network.create(() => Promise.reject(new Error('nothing is fetched by Relay itself')));
  const environment = new Environment({ network, store: new Store(source) });
  const load = async (text: string) => {
    const { request, query } = relayRequest(text);
    const headers = { ...server.headers, 'content-type': 'application/json' };
    const answer = await fetch(server.url, { method: 'POST', headers, body: JSON.stringify({ query }) });
    const { data, errors } = (await answer.json()) as { data: object; errors?: unknown };
    expect(errors).toBeUndefined();
    environment.commitPayload(createOperationDescriptor(request, {}), data as never);
  };
  return { load, record: (id: string) => source.toJSON()[id] as Record<string, unknown> | undefined };
}

describe("Relay's store", () => {
  it('keeps a task whole when a search finds it', async () => {
    const { owner, organization, project } = server;
    const [task] = await createTasks(await owner.context(), {
      projectId: project.id,
      tasks: [{ name: 'Varnish the door' }],
    });
    const { load, record } = newStore();
    await load(`query A { node(id: "${task?.id}") { ... on Task { name state } } }`);
    await load(
      `query B { organization(id: "${organization.id}") { search(query: "varnish") { nodes { kind score node { ... on Task { name } } } } } }`,
    );
    expect(record(task?.id as string)).toMatchObject({
      __typename: 'Task',
      name: 'Varnish the door',
      state: 'OPEN',
    });
  });

  it('keeps a user whole when the viewer is read', async () => {
    const { load, record } = newStore();
    await load(`query A { node(id: "${server.owner.id}") { ... on User { name } } }`);
    await load('query B { viewer { name email user { email } } }');
    expect(record(server.owner.id)).toMatchObject({
      __typename: 'User',
      name: expect.any(String),
      email: server.owner.email,
    });
  });

  it('keeps a comment and its event apart', async () => {
    const ctx = await server.owner.context();
    const [document] = await newDocuments(ctx, server.project.id, [{ name: 'a.txt' }]);
    const [comment] = await createComments(ctx, { documentId: document?.id as string, texts: ['Seen'] });
    const { load, record } = newStore();
    await load(
      `query A { document(id: "${document?.id}") { comments(first: 1) { nodes { text } } events(last: 1) { nodes { kind text } } } }`,
    );
    const commentId = comment?.id as string;
    expect(record(commentId)).toMatchObject({ __typename: 'Comment', text: 'Seen' });
    expect(record(`evt${commentId.slice(3)}`)).toMatchObject({
      __typename: 'Event',
      kind: 'document.commented',
    });
  });

  it('reads an event of a project again by its id', async () => {
    const { db } = await server.owner.context();
    const [event] = await db.query<{ id: string }>(
      sql`SELECT id FROM events WHERE subject_id = ${server.project.id} AND kind = 'project.created'`,
    );
    const { load, record } = newStore();
    await load(`query A { node(id: "${event?.id}") { ... on Event { kind } } }`);
    expect(record(event?.id as string)).toMatchObject({ __typename: 'Event', kind: 'project.created' });
  });

  it('keeps a project whole that is listed as deleted', async () => {
    const { owner, organization, project } = server;
    const { load, record } = newStore();
    await load(`query A { project(id: "${project.id}") { name access } }`);
    await deleteProjects(await owner.context(), {
      organizationId: organization.id,
      projectIds: [project.id],
    });
    await load(
      `query B { organization(id: "${organization.id}") { deletedProjects(first: 1) { nodes { projectId name } } } }`,
    );
    expect(record(project.id)).toMatchObject({ __typename: 'Project', access: expect.any(String) });
  });
});
