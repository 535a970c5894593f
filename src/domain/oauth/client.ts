import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import type { Client as ClientRow } from '../../generated/prisma/client.ts';
import { hashSecret } from '../../lib/secret.ts';
import { visibleClients } from '../access/access-credential.ts';
import type { Context } from '../kernel/context.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import type { ApplicationScope } from '../kernel/scope.ts';
import { tables } from '../kernel/tables.ts';

/** An application or resource server. secretCreatedAt is of the newest secret; the previous one may still be valid. */
export type Client = Registered<RequestingClient>;

/** Of an application that an organization registered. */
type Registered<Row> = Omit<Row, 'organizationId' | 'createdById'> & {
  organizationId: string;
  createdById: string;
};

/**
 * The same, also of an application that a document describes, which belongs to no organization: organizationName is then the host of
 * its document.
 */
export type RequestingClient = Omit<ClientRow, 'scopes'> & {
  scopes: ApplicationScope[];
  organizationName: string;
  secretCreatedAt: Date | null;
  previousSecretExpiresAt: Date | null;
};

/** Who an application belongs to: the name of an organization, or the host of the document that describes it. */
export const publisherOf = (clients: Rows<'clients'>, publishers: Rows<'organizations'>): Sql =>
  sql`coalesce(${publishers}.name, split_part(${clients}.metadata_url, '/', 3))`;

const columns = sql`c.id, c.organization_id, c.name, c.kind::text AS kind, c.native, c.redirect_uris,
  c.scopes::text[] AS scopes, c.token_format::text AS token_format, c.created_by_id, c.created_at, c.modified_at,
  c.deleted_at, c.version, c.resource_uri, c.installation_wide, c.home_page_url, c.privacy_url, c.logo_hash, c.verified_at,
  c.metadata_url, c.metadata_expires_at, ${publisherOf(tables.clients, tables.organizations)} AS organization_name,
  (SELECT max(s.created_at) FROM client_secrets s WHERE s.client_id = c.id) AS secret_created_at,
  (SELECT max(s.expires_at) FROM client_secrets s WHERE s.client_id = c.id AND s.expires_at > now())
    AS previous_secret_expires_at`;

const clients = sql`${tables.clients.from} LEFT JOIN organizations o ON o.id = c.organization_id`;

/** The applications of an organization. */
export const clientsOfOrganization: Listing<Client, object, 'CREATED_AT'> = {
  name: 'clientsOfOrganization',
  select: () => columns,
  from: clients,
  where: ({ viewer }) => sql`c.organization_id = k.id AND ${visibleClients(viewer, tables.clients)}`,
  sorts: {
    CREATED_AT: sortBy(sql`c.id`, sql`c.created_at`, 'timestamptz', (row) => row.createdAt),
  },
};

const isRegistered = (client: RequestingClient): client is Client => client.organizationId !== null;

/** The visible applications among the ids, in no particular order. All are of organizations. */
export async function findClients(
  ctx: Context,
  ids: readonly string[],
  reader: Reader = ctx.db,
): Promise<Client[]> {
  const visible = await reader.query<RequestingClient>(
    sql`SELECT ${columns} FROM ${clients} WHERE c.id ${sql.any(ids)} AND ${visibleClients(ctx.viewer, tables.clients)}`,
  );
  return visible.filter(isRegistered);
}

/** Whether a client_id is meant as the URL of a document: ids of registered applications have no colon. */
export const isMetadataUrl = (clientId: string): boolean => clientId.startsWith('https:');

/** The application of a `client_id`, its id or the URL of its document, for anyone: a client_id is no secret (RFC 6749 §2.2). */
export async function findProtocolClient(reader: Reader, id: string): Promise<RequestingClient | undefined> {
  const isNamed = isMetadataUrl(id)
    ? sql`c.metadata_url = ${id}`
    : sql`c.id = ${id} AND c.metadata_url IS NULL`;
  const [client] = await reader.query<RequestingClient>(
    sql`SELECT ${columns} FROM ${clients} WHERE ${isNamed} AND c.deleted_at IS NULL`,
  );
  return client;
}

/** Where this server shows the logo of an application; another picture has another path. Null without a logo. */
export const logoPath = ({ id, logoHash }: Pick<RequestingClient, 'id' | 'logoHash'>): string | null =>
  logoHash && `/oauth/logos/${id}?v=${logoHash}`;

/** The logo of an application, for anyone. Undefined without one, and of a deleted application. */
export async function findLogo(
  reader: Reader,
  id: string,
): Promise<{ image: Uint8Array<ArrayBuffer>; hash: string } | undefined> {
  const [logo] = await reader.query<{ image: Uint8Array<ArrayBuffer>; hash: string | null }>(
    sql`SELECT l.image, c.logo_hash AS hash FROM ${tables.clients.from} JOIN client_logos l ON l.client_id = c.id
      WHERE c.id = ${id} AND c.deleted_at IS NULL`,
  );
  return logo?.hash ? { image: logo.image, hash: logo.hash } : undefined;
}

/** What the OAuth endpoints need to know of an authenticated client. */
export type ProtocolClient = Pick<Client, 'id' | 'kind' | 'scopes' | 'tokenFormat'>;

/** The secret with which a client has authenticated. */
export interface UsedSecret {
  secretId: string;
  /** When it was used before. */
  secretUsedAt: Date | null;
}

/** Selects the confidential application or resource server with this id and secret, of which at most two are valid at a time. */
export const clientWithSecretSql = (id: string, secret: string): Sql => sql`
  SELECT c.id, c.kind::text AS kind, c.scopes::text[] AS scopes, c.token_format::text AS token_format,
    s.id AS secret_id, s.last_used_at AS secret_used_at
  FROM ${tables.clients.from} JOIN client_secrets s ON s.client_id = c.id AND s.secret_hash = ${hashSecret(secret)}
    AND (s.expires_at IS NULL OR s.expires_at > now())
  WHERE c.id = ${id} AND c.deleted_at IS NULL AND c.kind <> 'PUBLIC'`;

/** The client that authenticates with this id and secret, or undefined. */
export async function clientWithSecret(
  reader: Reader,
  id: string,
  secret: string,
): Promise<(ProtocolClient & UsedSecret) | undefined> {
  const [client] = await reader.query<ProtocolClient & UsedSecret>(clientWithSecretSql(id, secret));
  return client;
}
