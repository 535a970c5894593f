import { isDatabaseUnreachable } from '../db/postgres/unreachable.ts';
import {
  claimPages,
  type PageClaim,
  postponePages,
  releasePages,
  storePages,
} from '../domain/documents/file-pages.ts';
import { ChildFailed } from '../files/child/child-pool.ts';
import { inspectPages } from '../files/content/sniff/inspect.ts';
import { StoreError, storedSource } from '../files/store/store.ts';
import { TryLater } from '../lib/fair-slots.ts';
import { MINUTE, SECOND } from '../lib/time.ts';
import type { JobContext } from './context.ts';

/** Of the first, second and third attempt, in ms. */
const TIME_LIMITS = [10 * SECOND, 20 * SECOND, 40 * SECOND];
const MAX_TIME_LIMIT = MINUTE;

/** Counts the pages of the PDF that is due next. False when none is. */
export async function countNextPages(ctx: JobContext): Promise<boolean> {
  const claim = await claimPages(ctx.db);
  if (claim) await count(ctx, claim);
  return claim !== undefined;
}

/** There was no process, storage or database: the attempt is not counted. Whatever else fails, ends after some attempts. */
const passes = (error: unknown): boolean =>
  (error instanceof TryLater && !(error instanceof ChildFailed)) ||
  (error instanceof StoreError && error.code !== 'missing') ||
  isDatabaseUnreachable(error);

async function count({ db, storage, log }: JobContext, claim: PageClaim): Promise<void> {
  const { id, organizationId, size, attempt } = claim;
  const source = storedSource(storage.store, id, Number(size), organizationId);
  try {
    await storePages(db, claim, await inspectPages(source, TIME_LIMITS[attempt - 1] ?? MAX_TIME_LIMIT));
  } catch (error) {
    if (passes(error))
      await releasePages(db, claim, error instanceof TryLater ? error.retryAfter * SECOND : MINUTE);
    else await postponePages(db, claim);
    if (!(error instanceof TryLater || error instanceof StoreError))
      log.error({ err: error, blob: id }, 'the pages of a file were not counted');
  }
}
