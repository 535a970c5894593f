import { isDatabaseUnreachable } from '../db/postgres/unreachable.ts';
import {
  endText,
  MAX_ATTEMPTS,
  postponeText,
  startRecognition,
  storeText,
} from '../domain/file-text/file-text.ts';
import { recognitionProgress } from '../domain/file-text/recognized-pages.ts';
import { type Claim, releaseText, renewClaim, yieldText } from '../domain/file-text/text-claim.ts';
import { ChildFailed } from '../files/child/child-pool.ts';
import { hasPictures, recognizeText } from '../files/content/text/ocr-text.ts';
import { readingTime, readText, type TextResult } from '../files/content/text/text.ts';
import { StoreError, storedSource } from '../files/store/store.ts';
import type { TextStep } from '../generated/prisma/client.ts';
import { Busy } from '../lib/fair-slots.ts';
import { SECOND } from '../lib/time.ts';
import type { JobContext } from './context.ts';
import { READERS, TextLane } from './text-lane.ts';

const RENEW_INTERVAL = 20 * SECOND;

/** For errors of the storage and unexpected errors; other failures state their own number of retries. */
const MAX_RETRIES = MAX_ATTEMPTS - 1;

const LOST_REASON = 'It cannot be read: the server ended each time while it was read.';

interface Step {
  lane: TextLane;
  steps: readonly TextStep[];
  read(ctx: JobContext, claim: Claim): Promise<void>;
}

const reading: Step = { lane: new TextLane(READERS), steps: ['READ'], read };
// Without recognition, files that were queued for it are read again.
const readingAll: Step = { ...reading, steps: ['READ', 'RECOGNIZE'] };
const recognizing: Step = {
  lane: new TextLane(READERS),
  steps: ['RECOGNIZE'],
  read: recognize,
};

/** Reads the text of one file; false if none is due. */
export const readNextText = (ctx: JobContext): Promise<boolean> =>
  readNext(ctx, ctx.recognition ? reading : readingAll);

/** The same for some of the images of a file. It takes seconds per page, so it yields to other files in between. */
export const recognizeNextText = async (ctx: JobContext): Promise<boolean> =>
  Boolean(ctx.recognition && !ctx.recognition.stopping?.aborted) && readNext(ctx, recognizing);

async function readNext(ctx: JobContext, step: Step): Promise<boolean> {
  const { db } = ctx;
  const claim = await step.lane.claim(db, step.steps);
  if (!claim) return false;
  const begun = performance.now();
  const renewing = setInterval(() => renew(ctx, claim), RENEW_INTERVAL);
  try {
    db.notifications.publish(claim.organizationId);
    await settle(ctx, claim, step);
  } finally {
    clearInterval(renewing);
    await step.lane.release(db, claim, performance.now() - begun);
    db.notifications.publish(claim.organizationId);
  }
  return true;
}

const renew = ({ db, log }: JobContext, claim: Claim) =>
  renewClaim(db, claim).catch((error) => log.warn({ err: error }, 'a claim was not renewed'));

/** Every failure ends the row or counts as an attempt; when the database is unreachable, the claim expires. */
async function settle(ctx: JobContext, claim: Claim, step: Step): Promise<void> {
  const { db, log } = ctx;
  if (claim.attempt > MAX_ATTEMPTS) return void (await endText(db, claim, 'FAILED', LOST_REASON));
  try {
    await step.read(ctx, claim);
  } catch (error) {
    if (isDatabaseUnreachable(error)) throw error;
    if (error instanceof Busy) return void (await releaseText(db, claim, error.retryAfter * SECOND));
    if (error instanceof ChildFailed) return postponeText(db, claim, error.message, 1);
    const ofStorage = error instanceof StoreError || (error as NodeJS.ErrnoException).code !== undefined;
    if (!ofStorage) log.error({ err: error, blobId: claim.id }, 'a text was not read');
    const reason = ofStorage ? 'The storage did not give the file.' : 'It cannot be read: the server failed.';
    await postponeText(db, claim, reason, MAX_RETRIES);
  }
}

async function read(ctx: JobContext, claim: Claim): Promise<void> {
  const { db, recognition } = ctx;
  const { contentType } = claim;
  const timeLimit = readingTime(contentType, Number(claim.size)) * claim.attempt;
  const result = await readText(sourceOf(ctx, claim), contentType, timeLimit);
  if (recognition && hasPictures(contentType, result)) {
    if ('text' in result) await storeText(db, claim, result.text, true);
    await startRecognition(db, claim);
  } else await storeResult(ctx, claim, result);
}

async function recognize(ctx: JobContext, claim: Claim): Promise<void> {
  const { db, recognition } = ctx;
  if (!recognition) return;
  const progress = await recognitionProgress(db, claim);
  const result = await recognizeText(sourceOf(ctx, claim), claim.contentType, recognition, progress);
  if (result === 'stopped') await releaseText(db, claim);
  else if (result === 'unfinished') await yieldText(db, claim);
  else await storeResult(ctx, claim, result);
}

const sourceOf = ({ storage }: JobContext, { id, size, organizationId }: Claim) =>
  storedSource(storage.store, id, Number(size), organizationId);

async function storeResult({ db }: JobContext, claim: Claim, result: TextResult): Promise<void> {
  if ('text' in result) await storeText(db, claim, result.text);
  else if ('none' in result) await endText(db, claim, 'NONE', result.reason ?? null);
  else if ('skipped' in result) await endText(db, claim, 'SKIPPED', result.skipped);
  else await postponeText(db, claim, result.failed, result.retries);
}
