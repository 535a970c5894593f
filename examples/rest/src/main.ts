import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import createClient from 'openapi-fetch';
import type { paths } from './api.d.ts';

const { DOCGRAPH_URL = 'http://localhost:4000', DOCGRAPH_KEY = '' } = process.env;
const [organizationId = '', projectId = '', file = 'package.json'] = process.argv.slice(2);
const path = { organizationId, projectId };

const api = createClient<paths>({
  baseUrl: `${DOCGRAPH_URL}/api/v1`,
  headers: { Authorization: `Bearer ${DOCGRAPH_KEY}` },
});

/** The answer of a call; its error, which has a `code` of the closed list, is thrown. */
function need<Data>({ data, error }: { data?: Data; error?: { message?: string; code?: string } }): Data {
  if (error || data === undefined) throw new Error(`${error?.code}: ${error?.message}`);
  return data;
}

const TASKS = '/organizations/{organizationId}/projects/{projectId}/tasks';
const UPLOADS = '/organizations/{organizationId}/projects/{projectId}/documentUploads';

// Create a task, and read all of them: the page after the last one is empty.
need(await api.POST(TASKS, { params: { path }, body: [{ Name: `Read ${basename(file)}` }] }));
const names: string[] = [];
for (let cursor: string | undefined; ; ) {
  const page = need(await api.GET(TASKS, { params: { path, query: { cursor } } }));
  if (page.Tasks.length === 0) break;
  names.push(...page.Tasks.map(({ Name }) => Name));
  cursor = page.Cursor;
}

// Upload a file: reserve, send the bytes, make a document of them.
const { UniqueId, SignedUrl } = need(await api.GET(UPLOADS, { params: { path } }));
await fetch(SignedUrl, { method: 'PUT', body: await readFile(file) });
const query = { uniqueId: UniqueId };
const body = [{ UniqueId, OriginalFilename: basename(file) }];
const [document] = need(await api.PUT(UPLOADS, { params: { path, query }, body }));

console.log(JSON.stringify({ tasks: names, document: document?.Name }));
