import type { RequestingClient } from '../domain/oauth/client.ts';
import {
  findResourceServers,
  MCP_API,
  mcpUri,
  OWN_API,
  type ResourceServer,
  resourceServersOf,
} from '../domain/oauth/resource-server.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { RedirectedError } from './errors.ts';
import type { Parameters } from './parameters.ts';

const MAX_RESOURCES = 5;

/** `audience` as stored: empty if no resource was named, which stands for this API. */
export interface RequestedResources {
  audience: string[];
  servers: ResourceServer[];
}

/** The `resource` parameters of a request (RFC 8707 §2), this API as OWN_API, `/mcp` as MCP_API. Undefined if malformed or too many. */
export function readAudience(
  { publicUrl }: AuthorizationServer,
  parameters: Parameters,
): string[] | undefined {
  const values = parameters.values('resource');
  if (!values || values.length > MAX_RESOURCES) return undefined;
  return [...new Set(values.map((uri) => ownResource(publicUrl, uri) ?? uri))];
}

/** `/mcp` is the interface for agents; any other URI here is this API. */
function ownResource(publicUrl: string, uri: string): string | undefined {
  if (uri === publicUrl) return OWN_API;
  if (!uri.startsWith(`${publicUrl}/`)) return undefined;
  const agents = mcpUri(publicUrl);
  return uri === agents || uri === `${agents}/` ? MCP_API : OWN_API;
}

/** Whether a request names the interface for agents. */
export const isForAgents = (server: AuthorizationServer, parameters: Parameters): boolean =>
  readAudience(server, parameters)?.includes(MCP_API) ?? false;

/**
 * The resource servers that an authorization request names. Throws invalid_target, for the redirect, if one is neither of
 * the application's organization nor of the installation, or if an application that a
 * document describes requests anything but `/mcp`.
 */
export async function requireResources(
  server: AuthorizationServer,
  client: RequestingClient,
  parameters: Parameters,
): Promise<RequestedResources> {
  const audience = readAudience(server, parameters);
  if (client.metadataUrl !== null && audience?.join() !== MCP_API)
    throw new RedirectedError('invalid_target', `resource must be ${mcpUri(server.publicUrl)} alone.`);
  const uris = resourceServersOf(audience ?? []);
  const servers = uris.length > 0 ? await findResourceServers(server.db, client, uris) : [];
  if (!audience || servers.length < uris.length)
    throw new RedirectedError('invalid_target', 'The client may not request this resource.');
  const agents = { uri: mcpUri(server.publicUrl), name: 'Docgraph for agents (MCP)' };
  return { audience, servers: audience.includes(MCP_API) ? [...servers, agents] : servers };
}
