import pg from 'pg';
import type { Cancellation } from '../../lib/cancellation.ts';
import type { TenantShare } from '../../lib/tenant-share.ts';
import type { Statement } from './pg-statement.ts';
import { Pipeline } from './pipeline.ts';

/** A statement, and what says when nobody waits for it any more. */
interface Entry {
  statement: Statement;
  departure: Cancellation | undefined;
}

/** What is on its way on one connection. */
interface Ride {
  client: pg.PoolClient;
  series: Pipeline;
  entries: Entry[];
  /** The server was asked to end it. */
  ended?: true;
}

/** Milliseconds that a statement may hold up those behind it, while a connection idles. */
const PATIENCE = 100;

/**
 * Takes statements to connections of a pool, in order. What is asked in one turn of the event loop, and what has to wait
 * for a connection, leaves up to `most` in one write, which costs both sides more than most statements do. So the busier it
 * is, the less each costs.
 */
export class StatementQueue {
  readonly #pool: pg.Pool;
  readonly #most: number;
  readonly #share: TenantShare;
  /** No Set: what comes and goes at this pace leaves tables of it behind, each of which keeps the next and all that was in it. */
  #rides: Ride[] = [];
  #waiting: Entry[] = [];
  #due = false;
  /** Rides that wait for a connection. */
  #starting = 0;

  /** `share`: of the connections of the pool. */
  constructor(pool: pg.Pool, most: number, share: TenantShare) {
    this.#pool = pool;
    this.#most = most;
    this.#share = share;
    share.onEnd(() => this.#waiting.length > 0 && this.#leaveSoon());
  }

  /** The statement has its answer, or fails, then. */
  send(statement: Statement, departure: Cancellation | undefined): void {
    if (departure?.isCancelled) {
      statement.fail(gone());
    } else {
      this.#wait([{ statement, departure }]);
    }
  }

  /**
   * Nobody waits any more for what was sent with this. What is under way for nobody is ended, and its connection given up:
   * what comes late must not meet the statement of somebody else.
   */
  abandon(departure: Cancellation): void {
    const theirs = (entry: Entry) => entry.departure === departure;
    const all = [...this.#waiting, ...this.#rides.flatMap(({ entries }) => entries)];
    for (const { statement } of all.filter(theirs)) statement.fail(gone());
    this.#remove(new Set(this.#waiting.filter(theirs)));
    for (const ride of this.#rides)
      if (ride.entries.some(theirs) && ride.entries.every(({ statement }) => statement.answered))
        this.#end(ride);
  }

  #end(ride: Ride): void {
    const { processID } = ride.client as unknown as { processID: number };
    ride.ended = true;
    this.#pool.query('SELECT pg_cancel_backend($1)', [processID]).catch(() => {});
  }

  #wait(entries: Entry[], where: 'push' | 'unshift' = 'push'): void {
    for (const { departure } of entries) if (departure?.tenant) this.#share.wait(departure.tenant);
    this.#waiting[where](...entries);
    this.#leaveSoon();
  }

  #remove(entries: ReadonlySet<Entry>): void {
    for (const { departure } of entries) if (departure?.tenant) this.#share.stopWaiting(departure.tenant);
    this.#waiting = this.#waiting.filter((entry) => !entries.has(entry));
  }

  #leaveSoon(): void {
    if (this.#due) return;
    this.#due = true;
    setImmediate(() => {
      this.#due = false;
      const tenants = this.#ready();
      const ready = this.#waiting.filter(({ departure }) => isReady(tenants, departure)).length;
      while (this.#starting * this.#most < ready) void this.#ride();
    });
  }

  /** Tenants whose statements wait and may leave, with how many connections they have. */
  #ready(): Map<string, number> {
    const waiting = new Set(this.#waiting.map(({ departure }) => departure?.tenant));
    const ready = [...waiting].filter((tenant) => tenant && this.#share.mayBegin(tenant)) as string[];
    return new Map(ready.map((tenant) => [tenant, this.#share.running(tenant)]));
  }

  /**
   * Takes statements that leave together: those of the installation, which are short, and then those of the tenant that
   * has the fewest connections, in order. So nobody waits on a connection for the statement of another tenant.
   */
  #take(): { entries: Entry[]; tenant: string | undefined } {
    const [next] = [...this.#ready()].sort(([, one], [, other]) => one - other);
    const tenant = next?.[0];
    const own = this.#waiting.filter(({ departure }) => !departure?.tenant);
    const theirs = tenant ? this.#waiting.filter(({ departure }) => departure?.tenant === tenant) : [];
    const entries = [...own, ...theirs].slice(0, this.#most);
    this.#remove(new Set(entries));
    return { entries, tenant: entries.length > own.length ? tenant : undefined };
  }

  async #ride(): Promise<void> {
    this.#starting++;
    const client = await this.#pool.connect().catch((error: Error) => error);
    this.#starting--;
    const { entries, tenant } = this.#take();
    if (client instanceof Error) for (const { statement } of entries) statement.fail(client);
    else if (entries.length === 0) client.release();
    else {
      if (tenant) this.#share.begin(tenant);
      const series = new Pipeline(entries.map(({ statement }) => statement));
      await this.#carry({ client, entries, series });
      if (tenant) this.#share.end(tenant);
    }
  }

  async #carry(ride: Ride): Promise<void> {
    const { client, series } = ride;
    const held = ride.entries.length > 1 ? setInterval(() => this.#free(ride), PATIENCE) : undefined;
    this.#rides.push(ride);
    const error = await series.sendOn(client).catch((reason: Error) => reason);
    this.#rides = this.#rides.filter((each) => each !== ride);
    clearInterval(held);
    const open = ride.entries.filter(({ statement }) => !statement.answered);
    const refused = error && isRefusal(error);
    client.release((error && !refused) || ride.ended);
    // Those behind one that was refused have not been run.
    if (refused && open.length < ride.entries.length) this.#sendAgain(open);
    else if (error) for (const { statement } of open) statement.fail(error);
  }

  /** Those behind a statement that takes long go on by themselves. */
  #free(ride: Ride): void {
    if (this.#pool.idleCount === 0) return;
    const behind = new Set(ride.series.releaseRest());
    const others = ride.entries.filter(({ statement }) => behind.has(statement));
    ride.entries = ride.entries.filter(({ statement }) => !behind.has(statement));
    this.#sendAgain(others);
  }

  #sendAgain(entries: Entry[]): void {
    this.#wait(entries, 'unshift');
  }
}

const isReady = (tenants: ReadonlyMap<string, number>, departure: Cancellation | undefined): boolean =>
  !departure?.tenant || tenants.has(departure.tenant);

/** As fetch has it of an aborted request. */
const gone = () => new DOMException('The caller has gone.', 'AbortError');

const isRefusal = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.severity === 'ERROR';
