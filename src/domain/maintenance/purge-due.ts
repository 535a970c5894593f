import type { Database, Transaction } from '../../db/database.ts';
import { isDatabaseUnreachable } from '../../db/postgres/unreachable.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { purge } from '../documents/purge.ts';
import { type DueWork, doAllDueWork } from '../due-work/due-work.ts';
import { type DueRow, mayBeTried } from '../due-work/failed-work.ts';
import { serverActor } from '../kernel/audit.ts';
import { tables } from '../kernel/tables.ts';
import { retainedAmong } from '../retention/document-retention.ts';

/** Documents per transaction. */
const BATCH = 500;

type DueDocument = DueRow & { projectId: string; name: string };

/** Where a batch begins: after this document. */
type Position = Pick<DueDocument, 'organizationId' | 'id'>;

const START: Position = { organizationId: '', id: '' };

/**
 * Purges recycled documents past their date, but for those under legal hold, and those that a retention policy keeps. Many at a time or,
 * where that fails, one by one. Returns how many.
 */
export async function purgeDueDocuments(db: Database): Promise<number> {
  try {
    return await purgeInBatches(db);
  } catch (error) {
    if (isDatabaseUnreachable(error)) throw error;
    return doAllDueWork(db, purging);
  }
}

async function purgeInBatches(db: Database): Promise<number> {
  let total = 0;
  for (let after: Position | undefined = START; after; ) {
    const from: Position = after;
    const { due, purgeable } = await inTransaction(db, async (tx) => {
      const batch = await lockBatch(tx, from, sql`true`);
      await purge(serverActor('sweep'), tx, batch.purgeable);
      return batch;
    });
    total += purgeable.length;
    after = due.length < BATCH ? undefined : due.at(-1);
  }
  return total;
}

const purging: DueWork<DueDocument> = {
  work: 'purgeDocument',
  async claim(tx, idCondition) {
    for (let after: Position | undefined = START; after; ) {
      const { due, purgeable } = await lockBatch(tx, after, sql`d.organization_id ${idCondition}`);
      if (purgeable[0]) return purgeable[0];
      after = due.length < BATCH ? undefined : due.at(-1);
    }
    return undefined;
  },
  run: (tx, document) => purge(serverActor('sweep'), tx, [document]),
};

/** Locks the documents due next, and finds those that may be purged. */
async function lockBatch(tx: Transaction, { organizationId, id }: Position, condition: Sql) {
  const due = await tx.query<DueDocument>(sql`
    SELECT d.organization_id, d.project_id, d.id, d.name FROM ${tables.documents.from}
    WHERE d.state = 'RECYCLED' AND d.purge_at <= now() AND NOT d.legal_hold AND ${condition}
      AND (d.organization_id, d.id) > (${organizationId}, ${id}) AND ${mayBeTried('purgeDocument', tables.documents)}
    ORDER BY d.organization_id, d.id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`);
  const retained = await retainedAmong(tx, due);
  return { due, purgeable: due.filter((document) => !retained.has(document.id)) };
}
