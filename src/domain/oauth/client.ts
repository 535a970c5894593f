import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Client as ClientRow } from '../../generated/prisma/client.ts';
import { hashSecret } from '../../lib/secret.ts';
import { visibleClients } from '../access/access-credential.ts';
import type { Context } from '../kernel/context.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';

/** An application. secretCreatedAt: of the newest secret; previousSecretExpiresAt: until when the one before it is good. */
export type Client = ClientRow & {
  organizationName: string;
  secretCreatedAt: Date | null;
  previousSecretExpiresAt: Date | null;
};

const columns = sql`c.id, c.organization_id, c.name, c.kind::text AS kind, c.native, c.redirect_uris,
  c.scopes::text[] AS scopes, c.token_format::text AS token_format, c.created_by_id, c.created_at, c.modified_at,
  c.deleted_at, c.version, c.resource_uri, c.installation_wide, o.name AS organization_name,
  (SELECT max(s.created_at) FROM client_secrets s WHERE s.client_id = c.id) AS secret_created_at,
  (SELECT max(s.expires_at) FROM client_secrets s WHERE s.client_id = c.id AND s.expires_at > now())
    AS previous_secret_expires_at`;

const clients = sql`clients c JOIN organizations o ON o.id = c.organization_id`;

/** The applications of an organization. */
export const clientsOfOrganization: Listing<Client, object, 'CREATED_AT'> = {
  name: 'clientsOfOrganization',
  select: () => columns,
  from: clients,
  where: ({ viewer }) => sql`c.organization_id = k.id AND ${visibleClients(viewer)}`,
  sorts: {
    CREATED_AT: sortBy(sql`c.id`, sql`c.created_at`, 'timestamptz', (row) => row.createdAt),
  },
};

/** Those of the ids that are visible, in no particular order. */
export const findClients = (ctx: Context, ids: readonly string[], reader: Reader = ctx.db) =>
  reader.query<Client>(
    sql`SELECT ${columns} FROM ${clients} WHERE c.id = ANY(${ids}) AND ${visibleClients(ctx.viewer)}`,
  );

/** The application that names itself in a request of the protocol: whoever asks, as a client_id is no secret. */
export async function namedClient(reader: Reader, id: string): Promise<Client | undefined> {
  const [client] = await reader.query<Client>(
    sql`SELECT ${columns} FROM ${clients} WHERE c.id = ${id} AND c.deleted_at IS NULL`,
  );
  return client;
}

/** An application as it proves itself for each request of the protocol, and what it is allowed: no more than that takes. */
export type ProtocolClient = Pick<Client, 'id' | 'kind' | 'scopes' | 'tokenFormat'>;

/** Selects the confidential application, or resource server, whose secret this is, one of at most two that are good at a time. */
export const clientProvedBy = (id: string, secret: string): Sql => sql`
  SELECT c.id, c.kind::text AS kind, c.scopes::text[] AS scopes, c.token_format::text AS token_format
  FROM clients c WHERE c.id = ${id} AND c.deleted_at IS NULL AND c.kind <> 'PUBLIC'
  AND EXISTS (SELECT FROM client_secrets s WHERE s.client_id = c.id AND s.secret_hash = ${hashSecret(secret)}
    AND (s.expires_at IS NULL OR s.expires_at > now()))`;

export async function clientWithSecret(
  reader: Reader,
  id: string,
  secret: string,
): Promise<ProtocolClient | undefined> {
  const [client] = await reader.query<ProtocolClient>(clientProvedBy(id, secret));
  return client;
}
