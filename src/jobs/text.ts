import { claimText, endText, keepText, postponeText, renewClaim } from '../domain/file-text.ts';
import { SECOND } from '../lib/time.ts';
import { StoreError, storedSource } from '../storage/store.ts';
import { readText, type TextResult } from '../storage/text.ts';
import type { JobContext } from './context.ts';

const RENEW = 20 * SECOND;

/**
 * Reads the text of one file, if one is due, and asks for the next. The rows say what is to be read: the job only
 * wakes, so that a lost one loses nothing.
 */
export async function readNextText({ db, storage, log }: JobContext): Promise<void> {
  const claim = await claimText(db);
  if (!claim) return;
  const renewing = setInterval(
    () => renewClaim(db, claim).catch((error) => log.warn({ err: error }, 'a claim was not renewed')),
    RENEW,
  );
  const source = storedSource(storage.store, claim.id, Number(claim.size));
  const result = await readText(source, claim.contentType)
    .catch(failure)
    .finally(() => clearInterval(renewing));
  if ('text' in result) await keepText(db, claim, result.text);
  else if ('none' in result) await endText(db, claim, 'NONE', null);
  else if ('skipped' in result) await endText(db, claim, 'SKIPPED', result.skipped);
  else if (result.mayPass) await postponeText(db, claim, result.failed);
  else await endText(db, claim, 'FAILED', result.failed);
  await db.jobs.send({ queue: 'text', data: {} });
}

/** The storage may answer again; what else goes wrong is for the log, and the claim runs out by itself. */
function failure(error: unknown): TextResult {
  if (error instanceof StoreError || (error as NodeJS.ErrnoException).code)
    return { failed: 'The storage did not give the file.', mayPass: true };
  throw error;
}
