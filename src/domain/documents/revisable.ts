import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { PathOf } from '../kernel/batch.ts';
import { conflict } from '../kernel/errors.ts';
import type { Document } from './document.ts';
import { IN_RECYCLE_BIN, requireState } from './document-batch.ts';

const SIGNED_NOW =
  'The document is being signed, so it takes no new revision. Stop the signing first, or upload it as another document.';

const SEALED_NOW = 'All have signed, and the document is being sealed. Try again once it is sealed.';

/**
 * Throws CONFLICT if a locked document takes no revision: in the recycle bin, and while it is signed or sealed. The sealed file
 * becomes its next revision, so one that was uploaded meanwhile would be hidden behind an older content.
 */
export async function requireRevisable(
  tx: Transaction,
  documents: readonly Document[],
  pathOf: PathOf,
): Promise<void> {
  requireState([...documents], 'ACTIVE', IN_RECYCLE_BIN, pathOf);
  const { organizationId = '' } = documents[0] ?? {};
  const ids = documents.map(({ id }) => id);
  const [session] = await tx.query<{ documentId: string; state: string }>(sql`
    SELECT g.document_id, g.state::text AS state FROM signature_sessions g
    WHERE g.organization_id = ${organizationId} AND g.document_id = ANY(${ids})
      AND (g.state = 'ACTIVE' OR g.state = 'COMPLETED' AND g.sealing = 'PENDING') ORDER BY g.id LIMIT 1`);
  if (session)
    throw conflict(session.state === 'ACTIVE' ? SIGNED_NOW : SEALED_NOW, pathOf(session.documentId));
}
