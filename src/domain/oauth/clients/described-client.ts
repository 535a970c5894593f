import { nowPlus } from '../../../db/clock.ts';
import type { Database, Reader } from '../../../db/database.ts';
import { sql } from '../../../db/sql/sql.ts';
import { newId } from '../../../lib/id.ts';
import { SCOPES, type Scope } from '../../kernel/scope.ts';
import type { ClientMetadata } from './client-metadata.ts';

/** Scopes that administrate, or include one that does: for applications that somebody registered. */
const ADMINISTRATION: readonly Scope[] = ['write', 'organizations:write', 'members:write', 'webhooks:write'];

/** What an application may request that a document describes. */
const DESCRIBED_SCOPES = SCOPES.filter((scope) => !ADMINISTRATION.includes(scope));

/** Whether what is stored of the document of this URL need not be read again. */
export async function isMetadataFresh(reader: Reader, url: string): Promise<boolean> {
  const fresh = await reader.query(
    sql`SELECT 1 AS fresh FROM clients WHERE metadata_url = ${url} AND metadata_expires_at > now()`,
  );
  return fresh.length > 0;
}

/**
 * Stores what a document says, for `lifetime` ms. The first time, this creates the application, which belongs to no organization;
 * the sweep deletes it unless somebody allows it.
 */
export async function storeClientMetadata(
  db: Database,
  url: string,
  { name, redirectUris, native, homePageUrl, privacyUrl }: ClientMetadata,
  lifetime: number,
): Promise<void> {
  await db.query(sql`
    INSERT INTO clients AS c (id, metadata_url, metadata_expires_at, kind, name, redirect_uris, native, home_page_url, privacy_url, scopes)
    VALUES (${newId('Client')}, ${url}, ${nowPlus(lifetime)}, 'PUBLIC', ${name}, ${sql.texts(redirectUris)}, ${native},
      ${homePageUrl}, ${privacyUrl}, ${sql.texts(DESCRIBED_SCOPES)}::scope[])
    ON CONFLICT (metadata_url) DO UPDATE SET metadata_expires_at = excluded.metadata_expires_at, name = excluded.name,
      redirect_uris = excluded.redirect_uris, native = excluded.native, home_page_url = excluded.home_page_url,
      privacy_url = excluded.privacy_url, scopes = excluded.scopes, modified_at = now()`);
}
