import type { Database } from '../../db/database.ts';
import { memoize } from '../../lib/memoize.ts';
import type { Context } from '../kernel/context.ts';
import { isApplication, type Viewer } from '../kernel/viewer.ts';

/** Milliseconds for which a read may be reused: less than the interval in which followers recheck their rights. */
const REUSE_PERIOD = 1_000;

interface Read {
  startedAt: number;
  result: Promise<unknown>;
}

/** Runs equal reads of several followers once. */
class SharedReads {
  readonly #reads = new Map<string, Read>();

  /** Returns the result of a read with this key that began at `since` (performance.now()) or later, or runs `work`. */
  read<Result>(key: string, since: number, work: () => Promise<Result>): Promise<Result> {
    const shared = this.#reads.get(key);
    if (shared && shared.startedAt >= since) return shared.result as Promise<Result>;
    const started: Read = { startedAt: performance.now(), result: work() };
    this.#reads.set(key, started);
    const forget = () => this.#reads.get(key) === started && this.#reads.delete(key);
    started.result.catch(forget);
    setTimeout(forget, REUSE_PERIOD).unref();
    return started.result as Promise<Result>;
  }
}

/** By the notifications, which all Database objects of a process share. */
const readsByDatabase = new WeakMap<object, SharedReads>();

/** All that decides what a viewer may see, as one text; equal for all API keys of a person with the same scopes. */
export const rightsKey = (viewer: Viewer): string => {
  const { userId, email, name, scopes, memberships, isLimited, link, credentialId } = viewer;
  const application = isApplication(viewer) ? credentialId : undefined;
  return JSON.stringify([userId, email, name, [...scopes].sort(), memberships, isLimited, link, application]);
};

/**
 * Runs a read, or shares that of another follower with the same database, rights and `key`, which began at `since` or
 * later. `key` holds everything else that the result depends on.
 */
export function readShared<Result>(
  { db, viewer }: Context,
  key: readonly (string | null | undefined)[],
  since: number,
  work: () => Promise<Result>,
): Promise<Result> {
  return readSince(db, [key, rightsKey(viewer)], since, work);
}

/** The same for what is not read with a viewer's rights, such as these rights. A key of `readShared` begins with a list, so `kind` keeps them apart. */
export const readSince = <Result>(
  { notifications }: Pick<Database, 'notifications'>,
  key: readonly [kind: unknown, name: string],
  since: number,
  work: () => Promise<Result>,
): Promise<Result> =>
  memoize(readsByDatabase, notifications, () => new SharedReads()).read(JSON.stringify(key), since, work);
