import { createOperationDescriptor, Environment, Network, RecordSource, Store } from 'relay-runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql/sql.ts';
import { createProcesses } from '../../src/domain/approvals/process-change.ts';
import { startProcess } from '../../src/domain/approvals/process-start.ts';
import { createComments } from '../../src/domain/comments/comment.ts';
import { deleteProjects } from '../../src/domain/projects/project-delete.ts';
import { updateSignatureSession } from '../../src/domain/signatures/signature-session-change.ts';
import { createTasks } from '../../src/domain/tasks/task-create.ts';
import { signatureIn } from '../rest/fixture.ts';
import { newClient } from '../support/oauth.ts';
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

  it('keeps a document whole that is under approval', async () => {
    const ctx = await server.owner.context();
    const [document] = await newDocuments(ctx, server.project.id, [{ name: 'b.txt' }]);
    const id = document?.id as string;
    const [process] = await createProcesses(ctx, {
      projectId: server.project.id,
      processes: [{ name: 'Release', steps: [{ name: 'Check', approverIds: [server.owner.id] }] }],
    });
    await startProcess(ctx, { processId: process?.id as string, itemIds: [id] });
    const { load, record } = newStore();
    await load(`query A { node(id: "${id}") { ... on Document { name contentType } } }`);
    await load(
      `query B { project(id: "${server.project.id}") { approvals(first: 1) { nodes { item { itemId kind name } } } } }`,
    );
    expect(record(id)).toMatchObject({ __typename: 'Document', name: 'b.txt', contentType: 'text/plain' });
  });

  it('keeps a signature field whole that is read as its signer', async () => {
    const ctx = await server.owner.context();
    const [document] = await newDocuments(ctx, server.project.id, [{ name: 'c.txt' }]);
    const documentId = document?.id as string;
    const { sessionId, recipientId, fieldId } = await signatureIn(ctx, documentId, server.owner.email);
    await updateSignatureSession(ctx, { documentId, begin: true });
    const { load, record } = newStore();
    await load(`query A { node(id: "${fieldId}") { ... on SignatureField { type x } } }`);
    await load(
      `query B { signing(sessionId: "${sessionId}", recipientId: "${recipientId}") { form { fields(first: 1) { nodes { fieldId type } } } } }`,
    );
    expect(record(fieldId)).toMatchObject({ __typename: 'SignatureField', type: 'SIGNATURE', x: 12.5 });
  });

  it('keeps an application whole that acted in an event', async () => {
    const ctx = await server.owner.context();
    const { id: clientId } = await newClient(server.owner, server.organization.id);
    const [document] = await newDocuments(ctx, server.project.id, [{ name: 'd.txt' }]);
    const documentId = document?.id as string;
    const acting = { ...ctx, viewer: { ...ctx.viewer, clientId } };
    await createComments(acting, { documentId, texts: ['By an application'] });
    const { load, record } = newStore();
    await load(`query A { node(id: "${clientId}") { ... on Client { name kind } } }`);
    await load(
      `query B { document(id: "${documentId}") { events(last: 1) { nodes { application { clientId name } } } } }`,
    );
    expect(record(clientId)).toMatchObject({ __typename: 'Client', name: 'Planner', kind: 'CONFIDENTIAL' });
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
