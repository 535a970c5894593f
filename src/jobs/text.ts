import {
  type Claim,
  claimText,
  endText,
  keepText,
  passText,
  postponeText,
  releaseText,
  renewClaim,
} from '../domain/file-text.ts';
import { TryLater } from '../lib/fair-slots.ts';
import { SECOND } from '../lib/time.ts';
import type { ByteSource } from '../storage/byte-source.ts';
import { hasPictures, recognizeText } from '../storage/ocr-text.ts';
import { StoreError, storedSource } from '../storage/store.ts';
import { readText, type TextResult } from '../storage/text.ts';
import type { JobContext } from './context.ts';

const RENEW = 20 * SECOND;

/**
 * Reads the text of one file, if one is due, and asks for the next. The rows say what is to be read: the job only
 * wakes, so that a lost one loses nothing.
 */
export async function readNextText(ctx: JobContext): Promise<void> {
  const { db, recognition } = ctx;
  // What was to be recognised before that was switched off, is read once more.
  const claim = (await claimText(db, 'READ')) ?? (recognition ? undefined : await claimText(db, 'RECOGNIZE'));
  if (!claim) return;
  const result = await reading(ctx, claim, (source) => readText(source, claim.contentType));
  if (recognition && hasPictures(claim.contentType, result)) {
    if ('text' in result) await keepText(db, claim, result.text, true);
    await passText(db, claim);
  } else await keep(ctx, claim, result);
  await db.jobs.send({ queue: 'text', data: {} });
}

/** The same for what is written in the pictures of a file: it takes seconds a page, so other files need not wait for it. */
export async function recognizeNextText(ctx: JobContext): Promise<void> {
  const { db, recognition } = ctx;
  const claim = recognition && (await claimText(db, 'RECOGNIZE'));
  if (!claim) return;
  const result = await reading(ctx, claim, (source) => recognizeText(source, claim.contentType, recognition));
  if (!result) return void (await releaseText(db, claim));
  await keep(ctx, claim, result);
  await db.jobs.send({ queue: 'recognize', data: {} });
}

/** What comes of reading the content of a claim, which is held meanwhile. */
async function reading<Result>(
  { db, storage, log }: JobContext,
  claim: Claim,
  read: (source: ByteSource) => Promise<Result>,
): Promise<Result | TextResult> {
  db.news.tell(claim.organizationId);
  const renewing = setInterval(
    () => renewClaim(db, claim).catch((error) => log.warn({ err: error }, 'a claim was not renewed')),
    RENEW,
  );
  return read(storedSource(storage.store, claim.id, Number(claim.size), claim.organizationId))
    .catch(failure)
    .finally(() => clearInterval(renewing));
}

async function keep({ db }: JobContext, claim: Claim, result: TextResult): Promise<void> {
  if ('text' in result) await keepText(db, claim, result.text);
  else if ('none' in result) await endText(db, claim, 'NONE', null);
  else if ('skipped' in result) await endText(db, claim, 'SKIPPED', result.skipped);
  else if (result.mayPass) await postponeText(db, claim, result.failed);
  else await endText(db, claim, 'FAILED', result.failed);
  db.news.tell(claim.organizationId);
}

/** The storage may answer again; what else goes wrong is for the log, and the claim runs out by itself. */
function failure(error: unknown): TextResult {
  if (error instanceof TryLater) return { failed: error.message, mayPass: true };
  if (error instanceof StoreError || (error as NodeJS.ErrnoException).code)
    return { failed: 'The storage did not give the file.', mayPass: true };
  throw error;
}
