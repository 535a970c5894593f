import { inSpan } from '../lib/span.ts';
import type { Database, Session, Transaction } from './database.ts';
import type { QueueName, RowWork } from './jobs.ts';
import { isStatementNameError } from './sql/statement-names.ts';

const ATTEMPTS = 5;

/**
 * Runs one command in one transaction, at READ COMMITTED: what has to be taken once is taken by a conditional update,
 * what has to hold still is locked. A deadlock or a serialization failure runs it again, some times; so `work` must do
 * nothing but talk to the database: no network, no file.
 */
export async function inTransaction<Result>(
  db: Database,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      const due = new Set<QueueName | RowWork>();
      const news = new Set<string>();
      const whole = async (session: Session) => {
        const tx = transaction(db, session, { due, news });
        await db.onBegin?.(tx);
        return work(tx);
      };
      const result = await inSpan('transaction', { attempt }, () => db.transact(whole));
      for (const queue of due) db.jobs.onDue(queue);
      for (const organizationId of news) db.notifications.publish(organizationId);
      return result;
    } catch (error) {
      if (attempt === ATTEMPTS || !isTransient(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt));
    }
  }
}

/** What is to be told after the commit. */
interface After {
  due: Set<QueueName | RowWork>;
  news: Set<string>;
}

const transaction = (db: Database, session: Session, { due, news }: After): Transaction => ({
  prisma: session.prisma,
  query: session.query,
  announce: (organizationId) => void news.add(organizationId),
  wake: (work) => void due.add(work),
  async enqueue(job) {
    await db.jobs.send(job, { within: session.execute });
    if (!job.startAfter) due.add(job.queue);
  },
});

/** A deadlock and a serialization failure; P2034 is Prisma's for both. */
const TRANSIENT = /^(40P01|40001|P2034)$/;

const isTransient = (error: unknown): boolean =>
  isStatementNameError(error) ||
  TRANSIENT.test(String((error as { code?: unknown }).code)) ||
  (error instanceof Error && /\b40P01\b|\b40001\b|deadlock detected/.test(error.message));
