import { LIGHT } from './calls.ts';
import type { Site } from './site.ts';

/** What people do all day: one thing after the other, again and again. Each throws for any answer but 200. */
export interface Mix {
  /** The next thing. Gives how many requests it took. */
  next(): Promise<number>;
}

const PAGE = `query ($id: ID!) { project(id: $id) { documents(first: 25) { nodes { id name contentType size createdAt
  folder { id name } createdBy { id name } comments(first: 2) { nodes { text createdBy { name } } } } } } }`;
const COMMENT =
  'mutation ($input: CreateCommentsInput!) { createComments(input: $input) { comments { id } } }';
const DESCRIBE = 'mutation ($input: UpdateTaskInput!) { updateTask(input: $input) { task { id } } }';

const DOCUMENTS = 50;
const FILE = 'A line of a file that says no more than the others.\n'.repeat(80);

/** Makes documents and a task to work with. Three of four operations read; half of all go over REST, half through the graph. */
export async function newMix(url: string, { key, organizationId, projectId }: Site): Promise<Mix> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const api = `${url}/api/v1/organizations/${organizationId}/projects/${projectId}`;
  const call = async (method: string, address: string, body?: string) => {
    const foreign = !address.startsWith(api) && !address.endsWith('/graphql');
    const answer = await fetch(address, { method, headers: foreign ? {} : headers, body });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${method} ${address}: ${answer.status} ${text}`);
    return text;
  };
  const rest = async (method: string, path: string, body?: unknown) =>
    JSON.parse(await call(method, api + path, body === undefined ? undefined : JSON.stringify(body)));
  const graph = async (query: string, variables?: object) => {
    const answer = JSON.parse(await call('POST', `${url}/graphql`, JSON.stringify({ query, variables })));
    if (answer.errors) throw new Error(JSON.stringify(answer.errors));
  };
  const upload = async (): Promise<string> => {
    const { UniqueId, SignedUrl } = await rest('GET', '/documentUploads');
    await call('PUT', SignedUrl, FILE);
    const file = { UniqueId, OriginalFilename: 'notes.txt', OriginalFileSize: FILE.length };
    return (await rest('PUT', `/documentUploads?uniqueId=${UniqueId}`, [file]))[0].ID;
  };
  const documents: string[] = [];
  while (documents.length < DOCUMENTS) documents.push(await upload());
  const [{ ID: taskId }] = await rest('POST', '/tasks', [{ Name: 'Look at it' }]);
  let turn = 0;
  const document = () => documents[turn % DOCUMENTS] as string;
  const one =
    (work: () => Promise<unknown>): Mix['next'] =>
    async () => {
      await work();
      return 1;
    };
  const readDocuments = one(() => rest('GET', '/documents'));
  const readPage = one(() => graph(PAGE, { id: projectId }));
  const readSelf = one(() => graph(LIGHT));
  const readTasks = one(() => rest('GET', '/tasks'));
  const comment = one(() => graph(COMMENT, { input: { documentId: document(), texts: ['Seen.'] } }));
  const describe = one(() => graph(DESCRIBE, { input: { taskId, description: `Look again, ${turn}` } }));
  const addTask = one(() => rest('POST', '/tasks', [{ Name: `Task ${turn}` }]));
  const addFile = async () => {
    await upload();
    return 3;
  };
  const operations = [
    [readPage, readDocuments, readSelf, comment],
    [readTasks, readPage, readDocuments, addTask],
    [readSelf, readTasks, readPage, describe],
    [readDocuments, readTasks, readPage, comment],
    [readDocuments, readSelf, readTasks, addFile],
  ].flat();
  return { next: () => (operations[turn++ % operations.length] as Mix['next'])() };
}
