import { SECOND } from '../../lib/time.ts';
import { WakeUpSignal } from '../../lib/wake-up.ts';
import type { Context } from './context.ts';

/** The caller of a subscription, which runs until the signal aborts. */
export interface Follower {
  /** The same caller with their current rights. Throws UNAUTHENTICATED once the credential has ended. */
  renew: () => Promise<Context>;
  signal: AbortSignal;
}

/** Milliseconds after which rights are checked, and the database is read, even without a notification. */
export const RECHECK_INTERVAL = 3 * SECOND;

/** Milliseconds to wait after a notification, so that a burst of them leads to one read. */
const COALESCE_DELAY = 50;

/** Without a notification, a read that another follower began up to this many milliseconds ago may be reused. */
const SHARED_READ_AGE = SECOND;

/** Listens to the notifications of an organization until `end` is called. */
export function watchOrganization({ db }: Context, organizationId: string, signal: AbortSignal) {
  const wakeUp = new WakeUpSignal();
  const end = db.notifications.subscribe(
    (changed = organizationId) => changed === organizationId && wakeUp.wake(),
  );
  signal.addEventListener('abort', () => wakeUp.wake(), { once: true });
  return {
    /**
     * Resolves after a notification, RECHECK_INTERVAL, or the abort. Returns the time (performance.now()) at or after
     * which a read must have begun to show the change.
     */
    async waitForChange(): Promise<number> {
      const notified = await wakeUp.sleep(RECHECK_INTERVAL);
      const since = performance.now() - (notified ? 0 : SHARED_READ_AGE);
      await new Promise((resolve) => setTimeout(resolve, COALESCE_DELAY));
      return since;
    },
    end,
  };
}
