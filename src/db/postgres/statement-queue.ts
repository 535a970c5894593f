import pg from 'pg';
import type { Cancellation } from '../../lib/cancellation.ts';
import type { TenantShare } from '../../lib/shares/tenant-share.ts';
import { processIdOf } from './pg-client.ts';
import type { Statement } from './pg-statement.ts';
import { Pipeline } from './pipeline.ts';

/** A statement to send, and the cancellation of the caller that waits for it. */
interface Entry {
  statement: Statement;
  cancellation: Cancellation | undefined;
}

/** A pipeline that runs on a connection, with the statements that have no result yet or had one in this run. */
interface InFlight {
  client: pg.PoolClient;
  pipeline: Pipeline;
  entries: Entry[];
  /** The server was asked to cancel it; its connection is closed afterwards. */
  cancelled?: true;
}

export interface QueueOptions {
  pool: pg.Pool;
  /** Statements in one write at most. */
  batchSize: number;
  /** Divides the connections of the pool between tenants. */
  share: TenantShare;
  /** Whether another connection can cancel what runs on one. */
  cancels: boolean;
}

/** Milliseconds after which the statements behind a slow one move to another connection, if one is idle. */
const MAX_WAIT_BEHIND = 100;

/**
 * Sends statements on connections of a pool, in order. Up to `batchSize` statements that were issued in one turn of the
 * event loop, or that waited for a connection, leave in one write: a write costs both sides more than most statements do,
 * so the cost of each statement falls as load rises.
 */
export class StatementQueue {
  readonly #pool: pg.Pool;
  readonly #batchSize: number;
  readonly #share: TenantShare;
  readonly #cancels: boolean;
  /** An array: a Set that is filled and emptied at this rate keeps old hash tables, and all they refer to, alive. */
  #inFlight: InFlight[] = [];
  #waiting: Entry[] = [];
  #flushScheduled = false;
  /** Batches that wait for a connection. */
  #connecting = 0;

  constructor({ pool, batchSize, share, cancels }: QueueOptions) {
    this.#pool = pool;
    this.#batchSize = batchSize;
    this.#share = share;
    this.#cancels = cancels;
    share.onEnd(() => this.#waiting.length > 0 && this.#scheduleFlush());
  }

  /** The statement's own promise reports its result. */
  send(statement: Statement, cancellation: Cancellation | undefined): void {
    if (cancellation?.isCancelled) {
      statement.fail(abortError());
    } else {
      this.#enqueue([{ statement, cancellation }]);
    }
  }

  /**
   * Fails all statements sent with this cancellation. A pipeline that runs for nobody else is cancelled on the server and
   * its connection closed, because a late cancel request must not hit another caller's statement.
   */
  abandon(cancellation: Cancellation): void {
    const isAbandoned = (entry: Entry) => entry.cancellation === cancellation;
    const all = [...this.#waiting, ...this.#inFlight.flatMap(({ entries }) => entries)];
    for (const { statement } of all.filter(isAbandoned)) statement.fail(abortError());
    this.#dequeue(new Set(this.#waiting.filter(isAbandoned)));
    for (const run of this.#inFlight)
      if (run.entries.some(isAbandoned) && run.entries.every(({ statement }) => statement.settled))
        this.#cancelOnServer(run);
  }

  #cancelOnServer(run: InFlight): void {
    if (!this.#cancels) return;
    run.cancelled = true;
    this.#pool.query('SELECT pg_cancel_backend($1)', [processIdOf(run.client)]).catch(() => {});
  }

  #enqueue(entries: Entry[], where: 'push' | 'unshift' = 'push'): void {
    for (const { cancellation } of entries) if (cancellation?.tenant) this.#share.wait(cancellation.tenant);
    this.#waiting[where](...entries);
    this.#scheduleFlush();
  }

  #dequeue(entries: ReadonlySet<Entry>): void {
    for (const { cancellation } of entries)
      if (cancellation?.tenant) this.#share.stopWaiting(cancellation.tenant);
    this.#waiting = this.#waiting.filter((entry) => !entries.has(entry));
  }

  #scheduleFlush(): void {
    if (this.#flushScheduled) return;
    this.#flushScheduled = true;
    setImmediate(() => {
      this.#flushScheduled = false;
      const tenants = this.#readyTenants();
      const ready = this.#waiting.filter(({ cancellation }) => isReady(tenants, cancellation)).length;
      while (this.#connecting * this.#batchSize < ready) void this.#sendBatch();
    });
  }

  /** Tenants with waiting statements that may take another connection, with the number of connections they have. */
  #readyTenants(): Map<string, number> {
    const waiting = new Set(this.#waiting.map(({ cancellation }) => cancellation?.tenant));
    const ready = [...waiting].filter((tenant) => tenant && this.#share.mayBegin(tenant)) as string[];
    return new Map(ready.map((tenant) => [tenant, this.#share.running(tenant)]));
  }

  /**
   * Takes the next batch: statements without a tenant, which are short, then those of the tenant with the fewest
   * connections, in order. No batch mixes tenants, so none waits on a connection for another's statement.
   */
  #takeBatch(): { entries: Entry[]; tenant: string | undefined } {
    const [next] = [...this.#readyTenants()].sort(([, one], [, other]) => one - other);
    const tenant = next?.[0];
    const withoutTenant = this.#waiting.filter(({ cancellation }) => !cancellation?.tenant);
    const ofTenant = tenant
      ? this.#waiting.filter(({ cancellation }) => cancellation?.tenant === tenant)
      : [];
    const entries = [...withoutTenant, ...ofTenant].slice(0, this.#batchSize);
    this.#dequeue(new Set(entries));
    return { entries, tenant: entries.length > withoutTenant.length ? tenant : undefined };
  }

  async #sendBatch(): Promise<void> {
    this.#connecting++;
    const client = await this.#pool.connect().catch((error: Error) => error);
    this.#connecting--;
    const { entries, tenant } = this.#takeBatch();
    if (client instanceof Error) for (const { statement } of entries) statement.fail(client);
    else if (entries.length === 0) client.release();
    else {
      if (tenant) this.#share.begin(tenant);
      const begun = performance.now();
      const pipeline = new Pipeline(entries.map(({ statement }) => statement));
      await this.#run({ client, entries, pipeline });
      if (tenant) this.#share.end(tenant, performance.now() - begun);
    }
  }

  async #run(run: InFlight): Promise<void> {
    const { client, pipeline } = run;
    const rebalance =
      run.entries.length > 1 ? setInterval(() => this.#moveRest(run), MAX_WAIT_BEHIND) : undefined;
    this.#inFlight.push(run);
    const error = await pipeline.sendOn(client).catch((reason: Error) => reason);
    this.#inFlight = this.#inFlight.filter((each) => each !== run);
    clearInterval(rebalance);
    const unsettled = run.entries.filter(({ statement }) => !statement.settled);
    const isStatementError = error && isErrorOfStatement(error);
    client.release((error && !isStatementError) || run.cancelled);
    // The server skipped the statements behind the one that failed.
    if (isStatementError && unsettled.length < run.entries.length) this.#enqueue(unsettled, 'unshift');
    else if (error) for (const { statement } of unsettled) statement.fail(error);
  }

  /** Sends the statements behind a slow one elsewhere, if a connection is idle. */
  #moveRest(run: InFlight): void {
    if (this.#pool.idleCount === 0) return;
    const rest = new Set(run.pipeline.releaseRest());
    const moved = run.entries.filter(({ statement }) => rest.has(statement));
    run.entries = run.entries.filter(({ statement }) => !rest.has(statement));
    this.#enqueue(moved, 'unshift');
  }
}

const isReady = (tenants: ReadonlyMap<string, number>, cancellation: Cancellation | undefined): boolean =>
  !cancellation?.tenant || tenants.has(cancellation.tenant);

/** The error with which fetch rejects an aborted request. */
const abortError = () => new DOMException('The caller has gone.', 'AbortError');

/** Whether the statement failed and the connection can be used further. */
const isErrorOfStatement = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.severity === 'ERROR';
