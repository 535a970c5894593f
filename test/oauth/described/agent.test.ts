import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, negotiation, newProvider, REVISIONS } from '../../mcp/agent.ts';
import { listeningWorld } from '../../support/oauth.ts';
import { documentServer } from '../../support/servers/document-server.ts';

let documents: Awaited<ReturnType<typeof documentServer>>;
let world: Awaited<ReturnType<typeof listeningWorld>>;

beforeAll(async () => {
  documents = await documentServer();
  world = await listeningWorld({}, documents.exceptions);
});
afterAll(async () => {
  await world.close();
  documents.close();
});

/** An agent that nobody registered: it has the URL of its document alone. */
const newAgent = (clientMetadataUrl: string, redirectUrl: string) =>
  newProvider(redirectUrl, (kept) => ({
    clientMetadataUrl,
    clientInformation: () => kept.client as never,
    saveClientInformation: (client) => void Object.assign(kept, { client }),
  }));

it.each(
  REVISIONS,
)('an agent of revision %s gets from the refusal to a tool by its document', async (revision) => {
  const url = documents.publish(documents.newUrl(), { redirect_uris: ['http://127.0.0.1/callback'] });
  const { kept, provider } = newAgent(url, 'http://127.0.0.1:51234/callback');
  const connect = async () => {
    const transport = new StreamableHTTPClientTransport(new URL(`${world.url}/mcp`), {
      authProvider: provider,
    });
    const client = new Client({ name: 'agent', version: '1' }, negotiation(revision));
    return { transport, client, error: await client.connect(transport).catch((error: unknown) => error) };
  };
  const { transport, error } = await connect();
  expect(error).toBeInstanceOf(UnauthorizedError);
  const authorizeUrl = kept.url as URL;
  await transport.finishAuth((await world.approve(authorizeUrl)).searchParams);
  const { client } = await connect();
  const { answer } = await call(client, 'organizations.list', {});
  expect(authorizeUrl.searchParams.get('client_id')).toBe(url);
  expect(answer.items).toHaveLength(1);
});
