import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import { addUsage, type DayCount, durationStep, type MarkCount } from '../../domain/usage/usage-count.ts';
import type { UsageKind } from '../../generated/prisma/client.ts';
import { memoize } from '../../lib/memoize.ts';
import { MINUTE } from '../../lib/time.ts';

/** A request of an API key or an application. */
export interface UsedRequest {
  /** The id of the key or of the application. */
  usedBy: string;
  ms: number;
  points: number;
  /** The code of its first error. */
  failure: string | undefined;
  /** The names of what it used that is deprecated. */
  deprecated: readonly string[];
}

const INTERVAL = MINUTE;
/** Rows that are counted in memory. What is beyond them is not counted until these are written. */
const MAX_ROWS = 5_000;

/** Counts requests in memory, and writes the counts once a minute, so that no request waits for that. */
export class UsageRecorder {
  readonly #db: Database;
  readonly #log: Logger;
  #timer: NodeJS.Timeout | undefined;
  #days = new Map<string, DayCount>();
  #marks = new Map<string, MarkCount>();
  #missed = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(db: Database, log: Logger) {
    this.#db = db;
    this.#log = log;
  }

  /** Writes from now on once a minute. */
  start(): void {
    this.#timer ??= setInterval(() => void this.write(), INTERVAL);
  }

  record({ usedBy, ms, points, failure, deprecated }: UsedRequest, now = new Date()): void {
    if (this.#isFull()) return;
    const day = dayOf(now);
    const counts = memoize(this.#days, `${usedBy} ${day}`, () => newDay(usedBy, day));
    counts.requests++;
    counts.points += points;
    if (failure) counts.errors++;
    const step = durationStep(ms);
    for (let each = counts.durations.length; each <= step; each++) counts.durations.push(0);
    counts.durations[step] = (counts.durations[step] ?? 0) + 1;
    const mark = (kind: UsageKind, name: string) => this.#mark({ usedBy, day, kind, name, lastAt: now });
    if (failure) mark('ERROR', failure);
    for (const name of deprecated) mark('DEPRECATED', name);
  }

  /** Counts what was used that is deprecated outside of requests to the APIs. */
  readonly countDeprecated = (usedBy: string, names: readonly string[], now = new Date()): void => {
    if (this.#isFull()) return;
    for (const name of names) this.#mark({ usedBy, day: dayOf(now), kind: 'DEPRECATED', name, lastAt: now });
  };

  #isFull(): boolean {
    const isFull = this.#days.size + this.#marks.size >= MAX_ROWS;
    if (isFull) this.#missed++;
    return isFull;
  }

  #mark(mark: Omit<MarkCount, 'count'>): void {
    const { usedBy, day, kind, name } = mark;
    const counted = memoize(this.#marks, `${usedBy} ${day} ${kind} ${name}`, () => ({ ...mark, count: 0 }));
    counted.count++;
    counted.lastAt = mark.lastAt;
  }

  /** Writes what was counted so far. What cannot be written is lost, as is what a process that is killed has counted. */
  write(): Promise<void> {
    const [days, marks] = [[...this.#days.values()], [...this.#marks.values()]];
    if (this.#missed > 0) this.#log.warn({ requests: this.#missed }, 'too many callers to count their use');
    this.#days = new Map();
    this.#marks = new Map();
    this.#missed = 0;
    if (days.length + marks.length > 0) this.#writing = this.#writing.then(() => this.#store(days, marks));
    return this.#writing;
  }

  async #store(days: DayCount[], marks: MarkCount[]): Promise<void> {
    try {
      await addUsage(this.#db, days, marks);
    } catch (error) {
      this.#log.warn({ err: error }, 'the use of keys and applications was not written');
    }
  }

  /** Writes what is left, for a process that stops. */
  close(): Promise<void> {
    clearInterval(this.#timer);
    return this.write();
  }
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

const newDay = (usedBy: string, day: string): DayCount => ({
  usedBy,
  day,
  requests: 0,
  errors: 0,
  points: 0,
  durations: [],
});
