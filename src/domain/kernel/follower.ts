import { FairSlots } from '../../lib/fair-slots.ts';
import { SECOND } from '../../lib/time.ts';
import { WakeUpSignal } from '../../lib/wake-up.ts';
import type { Context } from './context.ts';

/** The caller of a subscription, which runs until the signal aborts. */
export interface Follower {
  /**
   * The same caller with their rights as they were at `since` (performance.now()) or later. Throws UNAUTHENTICATED once the
   * credential has ended.
   */
  renew: (since: number) => Promise<Context>;
  signal: AbortSignal;
}

/** Milliseconds after which rights are checked, and the database is read, even without a notification. */
export const RECHECK_INTERVAL = 3 * SECOND;

/** Milliseconds to wait after a notification, so that a burst of them leads to one read. */
const COALESCE_DELAY = 50;

/** Without a notification, a read that another follower began up to this many milliseconds ago may be reused. */
const SHARED_READ_AGE = SECOND;

/**
 * A notification wakes all followers of an organization at once: this many go on at a time, one less of the same organization, so
 * that requests and other organizations have their turn.
 */
const woken = new FairSlots({ slots: 3, waiting: Number.POSITIVE_INFINITY });

/** Milliseconds after which the next one goes on, as a reader may be slow to take what is sent. */
const TURN = 20;

/** Resolves when it is the follower's turn, with a function that ends it. */
function turnOf(organizationId: string, signal: AbortSignal): Promise<() => void> {
  return new Promise((begin) => {
    const turn = () =>
      new Promise<void>((end) => {
        const timer = setTimeout(end, TURN);
        begin(() => {
          clearTimeout(timer);
          end();
        });
      });
    // One that has waited too long goes on all the same.
    woken.run(organizationId, turn, signal).catch(() => begin(() => {}));
  });
}

/** From when on what a follower reads is current enough, by performance.now(). */
export interface WakeUp {
  /** When it woke: its rights are read at this time or later. */
  at: number;
  /** A read that began at this time or later shows what has changed; earlier than `at` where nothing was notified. */
  since: number;
}

/** Only what is read from now on. */
export const awake = (): WakeUp => {
  const at = performance.now();
  return { at, since: at };
};

/** Listens to the notifications of an organization until `end` is called. */
export function watchOrganization({ db }: Context, organizationId: string, signal: AbortSignal) {
  const wakeUp = new WakeUpSignal();
  let endTurn = () => {};
  const unsubscribe = db.notifications.subscribe(
    (changed = organizationId) => changed === organizationId && wakeUp.wake(),
  );
  signal.addEventListener('abort', () => wakeUp.wake(), { once: true });
  return {
    /** Resolves after a notification, RECHECK_INTERVAL, or the abort, when it is the follower's turn. */
    async waitForChange(): Promise<WakeUp> {
      endTurn();
      const notified = await wakeUp.sleep(RECHECK_INTERVAL);
      const at = performance.now();
      await new Promise((resolve) => setTimeout(resolve, COALESCE_DELAY));
      endTurn = await turnOf(organizationId, signal);
      return { at, since: notified ? at : at - SHARED_READ_AGE };
    },
    end(): void {
      endTurn();
      unsubscribe();
    },
  };
}
