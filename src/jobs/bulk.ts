import {
  type BulkClaim,
  claimBulkOperation,
  failBulkOperation,
  postponeBulkOperation,
  releaseBulkOperation,
  type SliceUse,
} from '../domain/bulk/bulk-claim.ts';
import {
  type BulkLine,
  databaseOfLine,
  GIVEN_UP,
  type LineAnswer,
  LOST_ANSWER,
  nextBulkLines,
  storeAnswer,
  tookEffect,
} from '../domain/bulk/bulk-line.ts';
import type { Context } from '../domain/kernel/context.ts';
import { DomainError } from '../domain/kernel/errors.ts';
import { Cancellation } from '../lib/cancellation.ts';
import { SECOND } from '../lib/time.ts';
import type { JobContext } from './context.ts';

/** Lines of one operation, and ms, until others have their turn. */
const MAX_SLICE = 50;
const MAX_SLICE_TIME = SECOND;

/** Claims without an answered line after which the line is given up, at which they end. */
const MAX_TRIES = 5;

const ENDED =
  'The credential that started the operation has ended, or does not reach the organization any more. The lines that were done stay done.';

/** Runs the next lines of the operation whose turn it is; false if none is due. */
export async function runNextBulkLines(job: JobContext): Promise<boolean> {
  const claimed = await claimBulkOperation(job.db);
  if (!claimed) return false;
  try {
    await runSlice(job, claimed);
  } catch (error) {
    // If this fails too, the operation can be claimed again when its claim ends.
    await postponeBulkOperation(job.db, claimed).catch(() => {});
    throw error;
  }
  return true;
}

async function runSlice(job: JobContext, claimed: BulkClaim): Promise<void> {
  const ctx = await contextOf(job, claimed);
  if (typeof ctx === 'string') return void (await failBulkOperation(job.db, claimed, ctx));
  const end = Date.now() + MAX_SLICE_TIME;
  const use = { lines: 0, points: 0 };
  for (const line of await nextBulkLines(job.db, claimed, MAX_SLICE)) {
    const answer = await answerOf(job, ctx, { claimed, line }, use);
    if (!answer) return void (await postponeBulkOperation(job.db, claimed));
    if (!(await storeAnswer(job.db, claimed, line.line, answer))) return;
    if (Date.now() > end) break;
  }
  await releaseBulkOperation(job.db, job.limits, claimed, use);
}

/** A context with the present rights of the credential, or the reason why it may not go on. */
async function contextOf(job: JobContext, claimed: BulkClaim): Promise<Context | string> {
  const { db, storage, limits, bulk, log } = job;
  const { organizationId, id, requestId, mutation } = claimed;
  const viewer = await bulk.viewerOf(db, claimed);
  if (!viewer) return ENDED;
  const shared = db.forCaller(new Cancellation(organizationId));
  const report = (error: unknown) => log.error({ err: error, bulkOperationId: id }, 'a line failed');
  const ctx = { db: shared, storage, limits, viewer, requestId, via: `bulk:${id}`, report };
  try {
    bulk.requireMutation(mutation, ctx);
    return ctx;
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
}

/** Undefined if the line failed for a reason that passes, and is to be tried again. */
async function answerOf(
  { db, bulk }: JobContext,
  ctx: Context,
  { claimed, line: { line, input, tookEffect: isLost } }: { claimed: BulkClaim; line: BulkLine },
  use: SliceUse,
): Promise<LineAnswer | undefined> {
  use.lines += 1;
  if (isLost) return LOST_ANSWER;
  // The tries are those of the line with which the slice begins.
  if (use.lines === 1 && claimed.tries > MAX_TRIES) return GIVEN_UP;
  const lineContext = { ...ctx, db: databaseOfLine(ctx.db, claimed, line) };
  const { points, busy, ...answer } = await bulk.runLine(claimed.mutation, input, lineContext);
  use.points += points;
  return busy && !(await tookEffect(db, claimed, line)) ? undefined : answer;
}
