import { inSpan } from '../lib/span.ts';
import type { Database, Session, Transaction, TransactionLimits } from './database.ts';
import { isStatementNameError } from './sql/statement-names.ts';
import type { Work } from './work.ts';

const ATTEMPTS = 5;

/**
 * Runs one command in one transaction at READ COMMITTED: single-use things are consumed by a conditional UPDATE, and rows that
 * must not change are locked. After a deadlock or a serialization failure `work` runs again, up to five times in all,
 * so it must only use the database: no network, no files.
 */
export async function inTransaction<Result>(
  db: Database,
  work: (tx: Transaction) => Promise<Result>,
  limits?: TransactionLimits,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      const afterCommit: AfterCommit = { dueWork: new Set(), organizationIds: new Set() };
      const run = async (session: Session) => {
        const tx = transaction(session, afterCommit);
        await db.onBegin?.(tx);
        return work(tx);
      };
      const result = await inSpan('transaction', { attempt }, () => db.transact(run, limits));
      for (const work of afterCommit.dueWork) db.work.onDue(work);
      for (const organizationId of afterCommit.organizationIds) db.notifications.publish(organizationId);
      return result;
    } catch (error) {
      if (attempt === ATTEMPTS || !isTransient(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt));
    }
  }
}

/** What to report after the commit: work that became due, and organizations with new events. */
interface AfterCommit {
  dueWork: Set<Work>;
  organizationIds: Set<string>;
}

const transaction = (session: Session, { dueWork, organizationIds }: AfterCommit): Transaction => ({
  prisma: session.prisma,
  query: session.query,
  defer: session.defer,
  announce: (organizationId) => void organizationIds.add(organizationId),
  wake: (work) => void dueWork.add(work),
});

/** SQLSTATEs of a deadlock and of a serialization failure, and Prisma's code for both. */
const TRANSIENT = /^(40P01|40001|P2034)$/;

const isTransient = (error: unknown): boolean =>
  isStatementNameError(error) ||
  TRANSIENT.test(String((error as { code?: unknown }).code)) ||
  (error instanceof Error && /\b40P01\b|\b40001\b|deadlock detected/.test(error.message));
