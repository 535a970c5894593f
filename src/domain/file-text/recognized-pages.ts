import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { Claim } from './text-claim.ts';

/** A page, from 0; its text, null if none was recognized; and the milliseconds spent, null while it waits. */
export interface RecognizedPage {
  page: number;
  text: string | null;
  spent: number | null;
}

/** The stored progress of recognizing a claimed file. Writes nothing once the claim is lost. */
export async function recognitionProgress(db: Database, claim: Claim) {
  const { organizationId, id } = claim;
  const holdsClaim = sql`EXISTS (SELECT FROM blobs b WHERE b.organization_id = ${organizationId} AND b.id = ${id}
    AND b.text_status = 'PENDING' AND b.text_claims = ${claim.claim})`;
  const pages = await db.query<RecognizedPage>(sql`SELECT page, text, spent FROM recognized_pages
    WHERE organization_id = ${organizationId} AND blob_id = ${id} ORDER BY page`);
  return {
    pages,
    async begin(numbers: readonly number[]) {
      await db.query(sql`INSERT INTO recognized_pages (organization_id, blob_id, page)
        SELECT ${organizationId}, ${id}, unnest(${numbers}::int[]) WHERE ${holdsClaim} ON CONFLICT DO NOTHING`);
    },
    async keep({ page, text, spent }: RecognizedPage) {
      await db.query(sql`UPDATE recognized_pages SET text = ${text}, spent = ${spent}
        WHERE organization_id = ${organizationId} AND blob_id = ${id} AND page = ${page} AND ${holdsClaim}`);
    },
  };
}
