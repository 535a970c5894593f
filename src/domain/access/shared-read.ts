import type { Context } from '../kernel/context.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { isApplication } from './role.ts';

/** Milliseconds for which a read is kept for others: less than the time after which followers look at rights again. */
const KEEP_MS = 1_000;

interface Read {
  startedAt: number;
  result: Promise<unknown>;
}

/** Reads that are the same for several followers, done once for all of them. */
class SharedReads {
  readonly #reads = new Map<string, Read>();

  /** What `work` gives, or what it gave to another with this key if it began at `since` (performance.now()) or later. */
  read<Result>(key: string, since: number, work: () => Promise<Result>): Promise<Result> {
    const shared = this.#reads.get(key);
    if (shared && shared.startedAt >= since) return shared.result as Promise<Result>;
    const own: Read = { startedAt: performance.now(), result: work() };
    this.#reads.set(key, own);
    const forget = () => this.#reads.get(key) === own && this.#reads.delete(key);
    own.result.catch(forget);
    setTimeout(forget, KEEP_MS).unref();
    return own.result as Promise<Result>;
  }
}

const readsByDatabase = new WeakMap<object, SharedReads>();

/** All that decides what a viewer may see, as one text: the same for all keys of a person with the same scopes. */
export const rightsKey = (viewer: Viewer): string => {
  const { userId, email, name, scopes, memberships, link, credentialId } = viewer;
  const application = isApplication(viewer) ? credentialId : undefined;
  return JSON.stringify([userId, email, name, [...scopes].sort(), memberships, link, application]);
};

/**
 * Reads with the rights of a viewer; followers of the same database with the same rights, who ask for the same, share it.
 * `what` names it, with all that it depends on.
 */
export function readShared<Result>(
  { db, viewer }: Context,
  what: readonly (string | null | undefined)[],
  since: number,
  work: () => Promise<Result>,
): Promise<Result> {
  // The database itself is another object for each caller; its news are not.
  const reads = readsByDatabase.get(db.notifications) ?? new SharedReads();
  readsByDatabase.set(db.notifications, reads);
  return reads.read(JSON.stringify([what, rightsKey(viewer)]), since, work);
}
