import { access, constants, stat, statfs } from 'node:fs/promises';
import { SECOND } from '../../lib/time.ts';

const CHECK = SECOND;

/** Consecutive checks without the folder: on a network file system it may be missing for a moment. */
const MISSING_CHECKS = 2;

export interface WatchHooks {
  /** A number that changes while statements are executed, and is odd while one is. */
  progress: () => number;
  /** Milliseconds that the statement which runs now may take. */
  limit: () => number;
  /** The database cannot continue; a predicate. */
  onBroken: (reason: string) => void;
  /** One statement has been running for too long. */
  onStuck: () => void;
}

/**
 * Watches the embedded database from outside of its thread, which PostgreSQL's code may block for ever: each second, whether
 * its folder is still there, and whether one statement runs for too long. Checks are counted instead of time, so
 * that a suspended machine adds none. Returns a function that ends the watch.
 */
export async function watchEmbedded(folder: string, hooks: WatchHooks): Promise<() => void> {
  const missingReason = await folderCheck(folder);
  let missingChecks = 0;
  let stuckChecks = 0;
  let lastProgress = 0;
  let checking = false;

  async function check(): Promise<void> {
    const missing = await missingReason();
    missingChecks = missing ? missingChecks + 1 : 0;
    if (missing && missingChecks >= MISSING_CHECKS) return hooks.onBroken(missing);
    const progress = hooks.progress();
    stuckChecks = progress % 2 !== 0 && progress === lastProgress ? stuckChecks + 1 : 0;
    lastProgress = progress;
    if (stuckChecks * CHECK < hooks.limit()) return;
    stuckChecks = 0;
    const unwritable = await unwritableReason(folder);
    if (unwritable) hooks.onBroken(`${unwritable}, and the database does not answer`);
    else hooks.onStuck();
  }

  const timer = setInterval(async () => {
    if (checking) return; // the file system does not answer
    checking = true;
    await check();
    checking = false;
  }, CHECK).unref();
  return () => clearInterval(timer);
}

/** Returns a function that resolves to what has happened to the folder since, if anything. */
async function folderCheck(folder: string): Promise<() => Promise<string | undefined>> {
  const opened = await stat(folder);
  return async () => {
    try {
      const { dev, ino } = await stat(folder);
      return dev === opened.dev && ino === opened.ino ? undefined : 'was replaced';
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return code === 'ENOENT' || code === 'ENOTDIR' ? 'was removed' : undefined;
    }
  };
}

async function unwritableReason(folder: string): Promise<string | undefined> {
  try {
    await access(folder, constants.W_OK);
    return (await statfs(folder)).bavail === 0 ? 'is on a full disk' : undefined;
  } catch (error) {
    return `cannot be written (${(error as NodeJS.ErrnoException).code})`;
  }
}
