import { inspectPages } from '../../files/content/sniff/inspect.ts';
import { storedSource } from '../../files/store/store.ts';
import { TryLater } from '../../lib/fair-slots.ts';
import { SECOND } from '../../lib/time.ts';
import type { Context } from '../kernel/context.ts';
import { PagesPending, storePages } from './file-pages.ts';

/** Time that a command waits for the count, in ms. */
const PATIENCE = 10 * SECOND;

/**
 * Runs a command; if it needs the pages of a PDF that an upload left to a job, counts them now and runs it again. Throws
 * PagesPending if no process is free to count them.
 */
export async function withPageCount<Result>(ctx: Context, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof PagesPending)) throw error;
    await countPending(ctx, error);
    return run();
  }
}

async function countPending({ db, storage: { store } }: Context, pending: PagesPending): Promise<void> {
  const { organizationId, id, size } = pending.blob;
  const signal = AbortSignal.timeout(PATIENCE);
  try {
    const source = storedSource(store, id, Number(size), organizationId);
    await storePages(db, pending.blob, await inspectPages(source, undefined, signal));
  } catch (error) {
    throw error instanceof TryLater || signal.aborted ? pending : error;
  }
}
