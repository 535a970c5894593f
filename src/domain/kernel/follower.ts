import { SECOND } from '../../lib/time.ts';
import { WakeUpSignal } from '../../lib/wake-up.ts';
import type { Context } from './context.ts';

/** Someone who stays, until the signal aborts. */
export interface Follower {
  /** The same caller with the rights of this moment. Throws UNAUTHENTICATED once the credential has ended. */
  renew: () => Promise<Context>;
  signal: AbortSignal;
}

/** How often rights are looked at again, and the database even without news. */
export const RECHECK_INTERVAL = 3 * SECOND;

/** News that come in quick succession are answered with one read. */
const COALESCE_DELAY = 50;

/** Without news, what was read so many milliseconds ago by another follower is new enough. */
const SHARED_READ_AGE = SECOND;

/** To rest until there are news of an organization, or it is time to look again, or the signal aborts. */
export function watchOrganization({ db }: Context, organizationId: string, signal: AbortSignal) {
  const bell = new WakeUpSignal();
  const end = db.notifications.subscribe((news = organizationId) => news === organizationId && bell.wake());
  signal.addEventListener('abort', () => bell.wake(), { once: true });
  return {
    /** Gives since when (performance.now()) a read has to have begun to show what there is to see. */
    async waitForChange(): Promise<number> {
      const rung = await bell.sleep(RECHECK_INTERVAL);
      const since = performance.now() - (rung ? 0 : SHARED_READ_AGE);
      await new Promise((resolve) => setTimeout(resolve, COALESCE_DELAY));
      return since;
    },
    end,
  };
}
