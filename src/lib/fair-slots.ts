import { setImmediate as nextTurn } from 'node:timers/promises';

/** The work was not done, for a reason that passes: the same request may succeed later. The text is meant for the caller. */
export class TryLater extends Error {
  /** `retryAfter`: seconds after which another try is sensible. */
  constructor(
    publicText: string,
    readonly retryAfter: number,
  ) {
    super(publicText);
  }
}

/** No slot became free in time, too many callers of the same key wait already, or the work had too little of the machine. */
export class Busy extends TryLater {
  constructor() {
    super('Too much work of this kind is waiting; try again in some seconds.', 5);
  }
}

export interface SlotLimits {
  /** How many run at a time. */
  slots: number;
  /** How many of one key run at a time. By default, one slot always stays free for another key. */
  perKey?: number;
  /** How many of one key wait; one more is refused at once. */
  waiting?: number;
  /** How long a caller waits, in ms. */
  patience?: number;
}

/** The work of one key. It exists while something of the key runs or waits. */
interface Lane {
  running: number;
  /** Milliseconds of slots that the key has used since it was last idle, on the scale of all lanes. */
  used: number;
  waiting: Set<() => void>;
}

/**
 * Slots that callers share fairly by key (an organization). A free slot goes to the key with the fewest running, then to
 * the one that has used the least time: many or slow tasks of one key delay those of another by one task at most.
 */
export class FairSlots {
  readonly #lanes = new Map<string, Lane>();
  readonly #limits: Required<SlotLimits>;
  #running = 0;

  constructor({ slots, perKey = Math.max(slots - 1, 1), waiting = 100, patience = 30_000 }: SlotLimits) {
    this.#limits = { slots, perKey, waiting, patience };
  }

  /** Runs `work` in a slot of `key`. Throws Busy, what `work` throws, or the reason of `signal` while it waits. */
  async run<Result>(key: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const lane = this.#lane(key);
    try {
      await this.#enter(lane, signal);
    } catch (error) {
      this.#forget(key, lane);
      throw error;
    }
    const begun = performance.now();
    try {
      return await work();
    } finally {
      lane.used += performance.now() - begun;
      lane.running--;
      this.#running--;
      this.#forget(key, lane);
      this.#admit();
    }
  }

  /** A key that comes back from idle starts level with the key that has used the least. */
  #lane(key: string): Lane {
    const existing = this.#lanes.get(key);
    if (existing) return existing;
    const used = Math.min(...[...this.#lanes.values()].map((lane) => lane.used));
    const lane: Lane = { running: 0, used: Number.isFinite(used) ? used : 0, waiting: new Set() };
    this.#lanes.set(key, lane);
    return lane;
  }

  #forget(key: string, lane: Lane): void {
    if (lane.running === 0 && lane.waiting.size === 0 && this.#lanes.get(key) === lane)
      this.#lanes.delete(key);
  }

  #enter(lane: Lane, signal?: AbortSignal): Promise<void> {
    if (lane.waiting.size >= this.#limits.waiting) return Promise.reject(new Busy());
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        lane.waiting.delete(start);
      };
      const start = () => {
        leave();
        lane.running++;
        this.#running++;
        resolve();
      };
      const abort = () => {
        leave();
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        leave();
        reject(new Busy());
      }, this.#limits.patience);
      signal?.addEventListener('abort', abort);
      lane.waiting.add(start);
      this.#admit();
    });
  }

  #admit(): void {
    while (this.#running < this.#limits.slots) {
      const [start] = this.#next()?.waiting ?? [];
      if (!start) return;
      start();
    }
  }

  #next(): Lane | undefined {
    let next: Lane | undefined;
    for (const lane of this.#lanes.values()) {
      if (lane.waiting.size === 0 || lane.running >= this.#limits.perKey) continue;
      if (!next || precedes(lane, next)) next = lane;
    }
    return next;
  }
}

const precedes = (lane: Lane, other: Lane): boolean =>
  lane.running < other.running || (lane.running === other.running && lane.used < other.used);

/** Turns of the event loop that one piece of work leaves to others. */
const TURNS = 4;

/** Resolves after some turns of the event loop, which other requests use; on an idle server they take microseconds. */
export async function leaveTurns(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await nextTurn();
}
