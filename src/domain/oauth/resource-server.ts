import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Client } from './client.ts';

/** In the audience of a token: this API, whatever its public address is. No URI of a resource server is like it. */
export const OWN_API = 'self';

/** The resource servers of an audience: all but this API. */
export const resourcesOf = (audience: readonly string[]): string[] =>
  audience.filter((each) => each !== OWN_API);

/** On access tokens as `t`: those that this API takes. */
export const isForOwnApi: Sql = sql`(t.audience = '{}' OR ${OWN_API} = ANY(t.audience))`;

/** Why a URI cannot name a resource server, or undefined (RFC 8707 §2: absolute, and without a fragment). */
export function resourceUriFault(uri: string): string | undefined {
  if (uri.length > 2_000) return 'must not be longer than 2000 characters';
  if (!URL.canParse(uri) || new URL(uri).href.replace(/\/$/, '') !== uri.replace(/\/$/, ''))
    return 'must be an absolute URI in its normal form';
  const { protocol, hostname, username, password, hash, search } = new URL(uri);
  if (protocol !== 'https:' && !(protocol === 'http:' && LOCAL.has(hostname)))
    return 'must use https, except on the local machine';
  if (username || password) return 'must not hold a user name or password';
  return hash || search ? 'must not hold a query or a fragment' : undefined;
}

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]']);

/** A resource server that tokens may be meant for. */
export interface Resource {
  uri: string;
  name: string;
}

/** On clients as `r`: the resource servers of an organization, and those of the installation. */
const serves = (organizationId: Sql): Sql => sql`(r.kind = 'RESOURCE_SERVER' AND r.deleted_at IS NULL
  AND (r.installation_wide OR r.organization_id = ${organizationId}))`;

/** Those of the URIs that an application may ask tokens for; its own organization's come before the installation's. */
export const findResources = (
  reader: Reader,
  { organizationId }: Pick<Client, 'organizationId'>,
  uris: readonly string[],
): Promise<Resource[]> =>
  reader.query<Resource>(sql`
    SELECT DISTINCT ON (r.resource_uri) r.resource_uri AS uri, r.name FROM clients r
    WHERE r.resource_uri = ANY(${uris}) AND ${serves(sql`${organizationId}`)}
    ORDER BY r.resource_uri, r.installation_wide`);

/**
 * On an access token (`t`) of an application (`c`), to a resource server (`r`): a token that names it, or one for this
 * API. Of its own organization's applications, or of all where it belongs to the installation.
 */
export const mayIntrospect: Sql = sql`(${serves(sql`c.organization_id`)}
  AND (t.audience = '{}' OR r.resource_uri = ANY(t.audience)))`;
