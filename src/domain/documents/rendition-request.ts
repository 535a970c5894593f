import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { OFFICE_EXTENSIONS } from '../../files/content/sniff/inspect.ts';
import type { Context } from '../kernel/context.ts';

/** Whether files of this type are converted to PDF. */
export const isOffice = (contentType: string): boolean => Object.hasOwn(OFFICE_EXTENSIONS, contentType);

/**
 * Makes the PDFs of these revisions due, those that are office files, where they are converted at all. One that FAILED is tried
 * again; others stay as they are.
 */
export async function requestRenditions(
  ctx: Context,
  tx: Transaction,
  revisions: readonly { organizationId: string; id: string; contentType: string }[],
): Promise<void> {
  const office = revisions.filter(({ contentType }) => isOffice(contentType));
  if (office.length === 0 || ctx.storage.office === undefined) return;
  await tx.query(sql`INSERT INTO renditions (organization_id, revision_id)
    SELECT * FROM unnest(${sql.texts(office.map(({ organizationId }) => organizationId))},
      ${sql.texts(office.map(({ id }) => id))})
    ON CONFLICT (organization_id, revision_id) DO UPDATE SET state = 'PENDING', error = NULL, attempts = 0, next_at = now()
      WHERE renditions.state = 'FAILED'`);
  tx.wake('render');
}
