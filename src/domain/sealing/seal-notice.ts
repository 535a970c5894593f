import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { Storage } from '../kernel/context.ts';

/** What anyone is told who has the id of a signing session, which is on the record page of its sealed file. */
export interface SealNotice {
  organizationName: string;
  sealedAt: Date;
  signers: number;
}

/** The URL of the page that says so, and checks files. */
export const sealNoticePage = ({ signedUrls }: Storage, sessionId: string): string =>
  signedUrls.page(`/verify/${sessionId}`);

/**
 * Whether a document that still exists was sealed in this session. No title, no names of people and no file: these are for who
 * may see the document.
 */
export async function findSealNotice(db: Database, sessionId: string): Promise<SealNotice | undefined> {
  const [notice] = await db.query<SealNotice>(sql`
    SELECT o.name AS organization_name, g.sealed_at, (SELECT count(*)::int FROM signature_recipients r
      WHERE r.organization_id = g.organization_id AND r.session_id = g.id) AS signers
    FROM signature_sessions g JOIN organizations o ON o.id = g.organization_id
    WHERE g.id = ${sessionId} AND g.sealing = 'SEALED'`);
  return notice;
}
