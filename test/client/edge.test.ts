import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientServer } from './client-server.ts';

let server: Awaited<ReturnType<typeof clientServer>>;
beforeAll(async () => {
  server = await clientServer();
});
afterAll(() => server.close());

const ENTRY = new URL('../../packages/client/src/index.ts', import.meta.url).pathname;

/** What browsers, Deno and edge runtimes have in common (WinterTC Minimum Common API), and no more. */
const GLOBALS = [
  ...[
    'AbortController',
    'AbortSignal',
    'Blob',
    'DOMException',
    'File',
    'Headers',
    'ReadableStream',
    'Request',
  ],
  ...['Response', 'TextDecoder', 'TextEncoder', 'URL', 'URLSearchParams', 'atob', 'btoa', 'clearTimeout'],
  ...['crypto', 'fetch', 'setTimeout'],
  // Those of the surrounding context, as what is passed in and out is of their kinds.
  ...['ArrayBuffer', 'Uint8Array', 'Error', 'TypeError'],
];

/** Runs a program with the bundle of the package as `docgraph`, where nothing is of Node. */
async function runAtEdge(platform: 'browser' | 'neutral', program: string): Promise<unknown> {
  const options = { bundle: true, format: 'iife', globalName: 'docgraph', write: false } as const;
  const { outputFiles } = await build({ ...options, entryPoints: [ENTRY], platform, target: 'es2022' });
  const [bundle] = outputFiles;
  const globals = Object.fromEntries(GLOBALS.map((name) => [name, Reflect.get(globalThis, name)]));
  const settings = { url: server.url, token: server.owner.key, projectId: server.project.id };
  const organizationId = server.organization.id;
  const context = { ...globals, settings, organizationId };
  return runInNewContext(`${bundle?.text}\n(async () => {${program}})()`, context);
}

const PROGRAM = `
  const { createClient, verifyWebhook, OAuth, NotFoundError } = docgraph;
  const { url, token, projectId } = settings;
  const client = createClient({ url, token });
  const { project } = await client.request('query ($id: ID!) { project(id: $id) { name } }', { id: projectId });
  const blob = await client.upload(new Blob(['blob']), { projectId, name: 'blob.txt' });
  const stream = await client.upload(new Blob(['stream']).stream(), { projectId, name: 'stream.txt' });
  const error = await client.request('{ project(id: "prj_x") { id } }').catch((each) => each);
  const text = 'subscription ($id: ID!) { eventAppended(organizationId: $id, after: 0) { kind } }';
  let kind;
  for await (const { eventAppended } of client.subscribe(text, { id: organizationId })) {
    kind = eventAppended.kind;
    break;
  }
  const oauth = new OAuth({ url, clientId: 'app_x', redirectUri: 'https://app.example/' });
  const address = new URL(await oauth.authorizeUrl());
  const forged = { headers: { 'docgraph-signature': 't=' + Math.floor(Date.now() / 1000) + ',v1=' + '0'.repeat(64) }, body: '{}' };
  const refusal = await verifyWebhook(forged, 'secret').catch((each) => each.name);
  return JSON.stringify({
    project: project.name, sizes: [blob.size, stream.size], isNotFound: error instanceof NotFoundError, kind,
    challenge: address.searchParams.get('code_challenge').length, refusal,
  });`;

describe('the package in a context with nothing but web standards', () => {
  it.each(['browser', 'neutral'] as const)('runs all that it does, bundled for %s', async (platform) => {
    const result = JSON.parse(String(await runAtEdge(platform, PROGRAM)));
    expect(result).toEqual({
      project: 'Quay',
      sizes: [4, 6],
      isNotFound: true,
      kind: expect.stringMatching(/^[a-z]+\.[a-z_]+$/),
      challenge: 43,
      refusal: 'WebhookError',
    });
  });
});
