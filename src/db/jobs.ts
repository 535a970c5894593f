import PgBoss from 'pg-boss';
import { DAY, HOUR, SECOND } from '../lib/time.ts';

/** The queues there are, with what a job of each carries. */
export interface Queues {
  sweep: object;
  text: object;
  /** Recognises what is written in the pictures of a file. */
  recognize: object;
}

export type QueueName = keyof Queues;

/** Work of which the rows themselves say what is due: no job is stored for it, and those who do it are only woken. */
export type RowWork = 'pages' | 'seal' | 'fileForm' | 'webhook';

/** Queues of earlier versions, whose jobs stood for rows that are due. */
const RETIRED = ['seal', 'fileForm', 'webhooks', 'webhook'];

/** Milliseconds after which a job counts as lost, with the process that took it, and is taken again. */
const LOST: Record<QueueName, number> = {
  sweep: HOUR,
  text: HOUR,
  recognize: HOUR,
};

/** A handler that throws is tried again: after some 5 s, then twice as long each time, up to a day or so in all. */
const RETRIES = { retryLimit: 14, retryDelay: 5, retryBackoff: true };

export interface Job<Name extends QueueName = QueueName> {
  queue: Name;
  data: Queues[Name];
  /** Not before this time; at once when it is left out. */
  startAfter?: Date;
}

/** Runs one statement, or several without values. */
// biome-ignore lint/suspicious/noExplicitAny: pg-boss knows what its own statements give
export type Execute = (text: string, values: unknown[]) => Promise<{ rows: any[] }>;

/** A job is due when its time has passed, and the embedded database counts in whole milliseconds: within one, "now" has not. */
const AT_ONCE = '-1 millisecond';

const ADVISORY_LOCK = 7_206_118_042;

/** In a transaction that keeps other processes from the same. */
async function alone<Result>(execute: Execute, work: () => Promise<Result>): Promise<Result> {
  await execute('BEGIN', []);
  await execute(`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`, []);
  const result = await work();
  await execute('COMMIT', []);
  return result;
}

const bossOn = (execute: Execute, migrate: boolean): Promise<PgBoss> =>
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
 * Work to be done after a commit, kept by pg-boss in the schema `jobs` of the same database: what a transaction puts in
 * the queue is there if and only if it commits. A job is taken by one process; it comes again when that one throws, or
 * dies, so handlers have to bear being run twice.
 */
export class Jobs {
  readonly #boss: PgBoss;
  /** Called with what got a job, or a row, that is due at once, by this process. */
  onDue: (work: QueueName | RowWork) => void = () => {};

  private constructor(boss: PgBoss) {
    this.#boss = boss;
  }

  /**
   * Makes the schema and the queues where they are missing, through one connection, however many do so at once. In two
   * transactions, as making the schema ends the one that it is in.
   */
  static async install(execute: Execute): Promise<void> {
    const boss = await alone(execute, () => bossOn(execute, true));
    await alone(execute, async () => {
      const known = new Set((await boss.getQueues()).map(({ name }) => name));
      for (const [name, lost] of Object.entries(LOST))
        if (!known.has(name))
          await boss.createQueue(name, { name, expireInSeconds: lost / SECOND, ...RETRIES });
      for (const name of RETIRED.filter((each) => known.has(each))) {
        await execute('DELETE FROM jobs.job WHERE name = $1', [name]);
        await boss.deleteQueue(name);
      }
    });
  }

  /** Of a database in which they are installed. */
  static async open(execute: Execute): Promise<Jobs> {
    return new Jobs(await bossOn(execute, false));
  }

  /** `within` sends through a transaction. With `every`, in milliseconds, one such job a slot of that length is enough. */
  async send(job: Job, { within, every }: { within?: Execute; every?: number } = {}): Promise<void> {
    await this.#boss.send(job.queue, job.data, {
      startAfter: job.startAfter ?? AT_ONCE,
      ...(every && { singletonSeconds: Math.ceil(every / SECOND) }),
      ...(within && { db: { executeSql: within } }),
    });
  }

  /** Does the next job that is due. False when there is none. What the handler throws is thrown here too, once it is noted. */
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

  /** Gives lost jobs back, and forgets those done long ago. */
  async maintain(): Promise<void> {
    await this.#boss.maintain();
  }
}
