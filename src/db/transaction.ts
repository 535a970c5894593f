import { Prisma } from '../generated/prisma/client.ts';
import { inSpan } from '../lib/span.ts';
import type { Database, Transaction } from './database.ts';
import type { Execute, QueueName } from './jobs.ts';
import { camelCase } from './rows.ts';

const ATTEMPTS = 5;
const TIMEOUT = 10_000;

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
      const due = new Set<QueueName>();
      const news = new Set<string>();
      const whole = async (client: Prisma.TransactionClient) => {
        const tx = transaction(db, client, { due, news });
        await db.first?.(tx);
        return work(tx);
      };
      const result = await inSpan('transaction', { attempt }, () =>
        db.prisma.$transaction(whole, { timeout: TIMEOUT, maxWait: TIMEOUT }),
      );
      for (const queue of due) db.jobs.onDue(queue);
      for (const organizationId of news) db.news.tell(organizationId);
      return result;
    } catch (error) {
      if (attempt === ATTEMPTS || !isTransient(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt));
    }
  }
}

/** What is to be told after the commit. */
interface After {
  due: Set<QueueName>;
  news: Set<string>;
}

const transaction = (db: Database, client: Prisma.TransactionClient, { due, news }: After): Transaction => ({
  prisma: client,
  announce: (organizationId) => void news.add(organizationId),
  async enqueue(job) {
    await db.jobs.send(job, { within: through(client) });
    if (!job.startAfter) due.add(job.queue);
  },
  async query<Row>(statement: Prisma.Sql) {
    const rows = await client.$queryRaw<Record<string, unknown>[]>(statement);
    return rows.map(
      (row) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [camelCase(name), value])) as Row,
    );
  },
});

/** Prisma wants JSON as text, and null for what is not there. */
const through =
  (client: Prisma.TransactionClient): Execute =>
  async (text, values) => ({
    rows: await client.$queryRawUnsafe(
      text,
      ...values.map((value) =>
        typeof value === 'object' && value ? JSON.stringify(value) : (value ?? null),
      ),
    ),
  });

/** 40001 and 40P01; P2034 is Prisma's name for both. */
const isTransient = (error: unknown): boolean =>
  error instanceof Prisma.PrismaClientKnownRequestError &&
  (error.code === 'P2034' || /\b40P01\b|\b40001\b|deadlock detected/.test(error.message));
