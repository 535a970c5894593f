import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { tables } from '../kernel/tables.ts';
import type { RequestingClient } from './client.ts';
import { LOCAL_HOSTS } from './redirect-uri.ts';

/** This API in the audience of a token, whatever its public URL is. Never equal to the URI of a resource server. */
export const OWN_API = 'self';

/** Likewise the interface for agents, `/mcp`, which accepts only tokens that name it (RFC 8707 §2). */
export const MCP_API = 'mcp';

/** What this server protects with tokens. */
export type OwnResource = typeof OWN_API | typeof MCP_API;

/** Scopes that most tools for agents require; clients request these unless a person wants more (RFC 9728 §2). */
export const MCP_SCOPES = ['organizations:read', 'documents:read', 'tasks:read'] as const;

/** The URI of the interface for agents. */
export const mcpUri = (issuer: string): string => `${issuer}/mcp`;

/** An audience as stored, with the URIs of this server's own resources. */
export const publicUris = (issuer: string, audience: readonly string[]): string[] =>
  audience.map((each) => (each === OWN_API ? issuer : each === MCP_API ? mcpUri(issuer) : each));

/** The URIs of an audience that name resource servers, that is all but those of this server. */
export const resourceServersOf = (audience: readonly string[]): string[] =>
  audience.filter((uri) => uri !== OWN_API && uri !== MCP_API);

/** Condition on access tokens: accepted by this resource. A token that names none is for both APIs, not for agents. */
export const isFor = (resource: OwnResource, tokens: Rows<'access_tokens'>): Sql =>
  resource === OWN_API
    ? sql`(${tokens}.audience = '{}' OR ${OWN_API} = ANY(${tokens}.audience))`
    : sql`${resource} = ANY(${tokens}.audience)`;

/** Why a URI cannot identify a resource server, or undefined (RFC 8707 §2: absolute, without a fragment). */
export function resourceUriError(uri: string): string | undefined {
  if (uri.length > 2_000) return 'must not be longer than 2000 characters';
  if (!URL.canParse(uri) || new URL(uri).href.replace(/\/$/, '') !== uri.replace(/\/$/, ''))
    return 'must be an absolute URI in its normal form';
  const { protocol, hostname, username, password, hash, search } = new URL(uri);
  if (protocol !== 'https:' && !(protocol === 'http:' && LOCAL_HOSTS.has(hostname)))
    return 'must use https, except on the local machine';
  if (username || password) return 'must not hold a user name or password';
  return hash || search ? 'must not hold a query or a fragment' : undefined;
}

/** A resource server that tokens can be issued for. */
export interface ResourceServer {
  uri: string;
  name: string;
}

/** Condition on clients: resource servers of the organization, and those of the installation. */
const servesOrganization = (
  servers: Rows<'clients'>,
  organizationId: Sql,
): Sql => sql`(${servers}.kind = 'RESOURCE_SERVER' AND ${servers}.deleted_at IS NULL
  AND (${servers}.installation_wide OR ${servers}.organization_id = ${organizationId}))`;

/**
 * The resource servers among the URIs that an application may request tokens for. Where two have the same URI, its own
 * organization's comes before the installation's.
 */
export const findResourceServers = (
  reader: Reader,
  { organizationId }: Pick<RequestingClient, 'organizationId'>,
  uris: readonly string[],
): Promise<ResourceServer[]> =>
  reader.query<ResourceServer>(sql`
    SELECT DISTINCT ON (r.resource_uri) r.resource_uri AS uri, r.name FROM ${tables.resourceServers.from}
    WHERE r.resource_uri = ANY(${uris}) AND ${servesOrganization(tables.resourceServers, sql`${organizationId}`)}
    ORDER BY r.resource_uri, r.installation_wide`);

/**
 * Condition on an access token of an application: the resource server may introspect it. The token names the server or is for this
 * API, and its application is of the server's organization, unless it serves all.
 */
export const mayIntrospect = (
  servers: Rows<'clients'>,
  tokens: Rows<'access_tokens'>,
  applications: Rows<'clients'>,
): Sql => sql`(${servesOrganization(servers, sql`${applications}.organization_id`)}
  AND (${tokens}.audience = '{}' OR ${servers}.resource_uri = ANY(${tokens}.audience)))`;
