import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import type { Hono } from 'hono';
import { ISSUER } from '../support/oauth.ts';

/** The revisions that agents speak: the newest, and one with an initialization. */
export const REVISIONS = ['2026-07-28', '2025-06-18'] as const;

export type Revision = (typeof REVISIONS)[number];

const MCP = new URL(`${ISSUER}/mcp`);

/** The server as a client reaches it, without a network. */
const fetchOf =
  (app: Hono) =>
  (url: string | URL, init?: RequestInit): Promise<Response> =>
    Promise.resolve(app.request(String(url).replace(ISSUER, ''), init));

export const negotiation = (revision: Revision) =>
  revision === '2026-07-28'
    ? { versionNegotiation: { mode: { pin: revision } } }
    : { supportedProtocolVersions: [revision] };

/** The SDK's client, pinned to a revision. */
export async function connect(
  app: Hono,
  credential: string,
  revision: Revision = '2026-07-28',
): Promise<Client> {
  const client = new Client({ name: 'test agent', version: '1' }, negotiation(revision));
  const transport = new StreamableHTTPClientTransport(MCP, {
    fetch: fetchOf(app),
    requestInit: { headers: { authorization: `Bearer ${credential}` } },
  });
  await client.connect(transport);
  return client;
}

/** What the SDK's client keeps of an authorization, in memory. `own`: how the agent names itself. */
export function newProvider(
  redirectUrl: string,
  own: (
    kept: Record<string, unknown>,
  ) => Pick<OAuthClientProvider, 'clientInformation'> & Partial<OAuthClientProvider>,
) {
  const kept: Record<string, unknown> = {};
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { redirect_uris: [redirectUrl], client_name: 'Agent' },
    tokens: () => kept.tokens as never,
    saveTokens: (tokens) => void Object.assign(kept, { tokens }),
    redirectToAuthorization: (url) => void Object.assign(kept, { url }),
    saveCodeVerifier: (verifier) => void Object.assign(kept, { verifier }),
    codeVerifier: () => kept.verifier as string,
    saveDiscoveryState: (discovery) => void Object.assign(kept, { discovery }),
    discoveryState: () => kept.discovery as never,
    ...own(kept),
  };
  return { kept, provider };
}

/** A call of a tool: what it answered, or the error that it reports to the model. */
export async function call(client: Client, name: string, args: Record<string, unknown>) {
  const { isError, structuredContent, content } = await client.callTool({ name, arguments: args });
  const [first] = content as { text: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: its shape is the tool's
  const answer: any = structuredContent;
  return isError ? { failure: parsed(first?.text ?? '') } : { answer };
}

/** Failures of tools are JSON; those of arguments are words. */
function parsed(text: string) {
  try {
    return JSON.parse(text).error;
  } catch {
    return text;
  }
}

/** A message as a client of the newest revision sends it, without the SDK. */
export const send = (app: Hono, message: unknown, headers: Record<string, string> = {}) =>
  app.request('/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
      ...headers,
    },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });

export const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
