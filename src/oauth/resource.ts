import type { Client } from '../domain/oauth/client.ts';
import {
  findResourceServers,
  OWN_API,
  type ResourceServer,
  resourceServersOf,
} from '../domain/oauth/resource-server.ts';
import { RedirectedError } from './errors.ts';
import type { Parameters } from './parameters.ts';
import type { AuthorizationServer } from './service.ts';

const MOST = 5;

/** `audience`: what is stored; empty where nothing was named, which stands for this API. */
export interface RequestedResources {
  audience: string[];
  servers: ResourceServer[];
}

/** The `resource` parameters of a request (RFC 8707 §2), with this API under one name. Undefined for malformed ones. */
export function readAudience(
  { publicUrl }: AuthorizationServer,
  parameters: Parameters,
): string[] | undefined {
  const values = parameters.values('resource');
  if (!values || values.length > MOST) return undefined;
  const isOwn = (uri: string) => uri === publicUrl || uri.startsWith(`${publicUrl}/`);
  return [...new Set(values.map((uri) => (isOwn(uri) ? OWN_API : uri)))];
}

/**
 * The resource servers that an authorization request names. Throws invalid_target, which the client is told on the
 * redirect, for one that is none of the application's organization nor of the installation.
 */
export async function requireResources(
  parts: AuthorizationServer,
  client: Client,
  parameters: Parameters,
): Promise<RequestedResources> {
  const audience = readAudience(parts, parameters);
  const uris = resourceServersOf(audience ?? []);
  const servers = uris.length > 0 ? await findResourceServers(parts.db, client, uris) : [];
  if (!audience || servers.length < uris.length)
    throw new RedirectedError('invalid_target', 'The resource is not one the client may ask for.');
  return { audience, servers };
}
