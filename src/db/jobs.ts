import PgBoss from 'pg-boss';
import { DAY, HOUR, SECOND } from '../lib/time.ts';

/** The job queues, with the data of their jobs. */
export interface Queues {
  sweep: object;
  text: object;
  /** Recognizes the text in the pictures of a file. */
  recognize: object;
}

export type QueueName = keyof Queues;

/** Work that is found by its due rows: no job is stored for it, the workers are only woken up. */
export type RowWork =
  | 'pages'
  | 'seal'
  | 'fileForm'
  | 'copyProject'
  | 'mail'
  | 'notify'
  | 'remind'
  | 'webhook';

/** Queues of earlier versions, which install() removes; their work is found by due rows now. */
const RETIRED_QUEUES = ['seal', 'fileForm', 'webhooks', 'webhook'];

/** Milliseconds after which a job that has not ended is retried: its process is taken to have died. */
const JOB_TIMEOUTS: Record<QueueName, number> = {
  sweep: HOUR,
  text: HOUR,
  recognize: HOUR,
};

/** A failed job is retried after 5 s, then after twice as long each time, for about a day in all. */
const RETRIES = { retryLimit: 14, retryDelay: 5, retryBackoff: true };

export interface Job<Name extends QueueName = QueueName> {
  queue: Name;
  data: Queues[Name];
  /** The earliest time; immediately if undefined. */
  startAfter?: Date;
}

/** Runs one statement, or several without values. */
// biome-ignore lint/suspicious/noExplicitAny: the rows of pg-boss's own statements have no common type
export type Execute = (text: string, values: unknown[]) => Promise<{ rows: any[] }>;

/** Due immediately: a job is due when its time has passed, and the embedded clock counts whole milliseconds. */
const IMMEDIATELY = '-1 millisecond';

const ADVISORY_LOCK = 7_206_118_042;

/** Runs `work` in a transaction that holds an advisory lock, so that one process at a time does it. */
async function withAdvisoryLock<Result>(execute: Execute, work: () => Promise<Result>): Promise<Result> {
  await execute('BEGIN', []);
  await execute(`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`, []);
  const result = await work();
  await execute('COMMIT', []);
  return result;
}

const startBoss = (execute: Execute, migrate: boolean): Promise<PgBoss> =>
  new PgBoss({
    db: { executeSql: execute },
    schema: 'jobs',
    migrate,
    supervise: false,
    schedule: false,
    archiveCompletedAfterSeconds: HOUR / SECOND,
    deleteAfterSeconds: (7 * DAY) / SECOND,
  }).start();

/**
 * Background jobs, stored by pg-boss in the schema `jobs` of the same database: a job enqueued in a transaction exists if and
 * only if that commits. One process takes a job; it is retried when the handler throws or the process dies, so handlers
 * must be idempotent.
 */
export class Jobs {
  readonly #boss: PgBoss;
  /** Called with the queue or work for which this process has committed something that is due immediately. */
  onDue: (work: QueueName | RowWork) => void = () => {};

  private constructor(boss: PgBoss) {
    this.#boss = boss;
  }

  /**
   * Creates the schema and the queues where they are missing; several processes may do so at once. `execute` uses one
   * connection. In two transactions, because pg-boss commits when it creates the schema.
   */
  static async install(execute: Execute): Promise<void> {
    const boss = await withAdvisoryLock(execute, () => startBoss(execute, true));
    await withAdvisoryLock(execute, async () => {
      const existing = new Set((await boss.getQueues()).map(({ name }) => name));
      for (const [name, timeout] of Object.entries(JOB_TIMEOUTS))
        if (!existing.has(name))
          await boss.createQueue(name, { name, expireInSeconds: timeout / SECOND, ...RETRIES });
      for (const name of RETIRED_QUEUES.filter((each) => existing.has(each))) {
        await execute('DELETE FROM jobs.job WHERE name = $1', [name]);
        await boss.deleteQueue(name);
      }
    });
  }

  /** Opens the queues of a database in which they are installed. */
  static async open(execute: Execute): Promise<Jobs> {
    return new Jobs(await startBoss(execute, false));
  }

  /** `within`: the transaction to enqueue it in. `every`: milliseconds within which one job of the queue is enough. */
  async send(job: Job, { within, every }: { within?: Execute; every?: number } = {}): Promise<void> {
    await this.#boss.send(job.queue, job.data, {
      startAfter: job.startAfter ?? IMMEDIATELY,
      ...(every && { singletonSeconds: Math.ceil(every / SECOND) }),
      ...(within && { db: { executeSql: within } }),
    });
  }

  /** Runs the next due job. Returns false if there is none. Rethrows an error of the handler once it is stored. */
  async next<Name extends QueueName>(
    queue: Name,
    handle: (data: Queues[Name]) => Promise<unknown>,
  ): Promise<boolean> {
    const [job] = await this.#boss.fetch<Queues[Name]>(queue);
    if (!job) return false;
    try {
      await handle(job.data);
    } catch (error) {
      await this.#boss.fail(queue, job.id, { message: (error as Error).message });
      throw error;
    }
    await this.#boss.complete(queue, job.id);
    return true;
  }

  /** Makes timed-out jobs available again and deletes old completed ones. */
  async maintain(): Promise<void> {
    await this.#boss.maintain();
  }
}
