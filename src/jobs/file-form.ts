import { isDatabaseUnreachable } from '../db/postgres/unreachable.ts';
import { UNEXPECTED } from '../domain/due-work/retry.ts';
import { claimFiling, type FilingClaim, releaseFiling } from '../domain/forms/filing-claim.ts';
import { failFiling } from '../domain/forms/filing-failure.ts';
import { type FilingFailure, type FilingServices, MAX_ATTEMPTS } from '../domain/forms/filing-state.ts';
import { type FilledForm, fileFilledForm, readFilledForm } from '../domain/forms/filled-form.ts';
import { DomainError } from '../domain/kernel/errors.ts';
import { ChildFailed } from '../files/child/child-pool.ts';
import { StoreError, storedSource } from '../files/store/store.ts';
import { Busy } from '../lib/fair-slots.ts';
import { type FormPdf, formPdf } from '../pdf/draw/form-pdf.ts';

/**
 * Creates the document of the submission that is due next; false when none is due. A failure is stored with the time of the
 * next attempt, or ends the attempts. Throws unexpected errors after that.
 */
export async function fileNextForm(ctx: FilingServices): Promise<boolean> {
  const claim = await claimFiling(ctx.db);
  if (claim) await attempt(ctx, claim);
  return claim !== undefined;
}

async function attempt(ctx: FilingServices, claim: FilingClaim): Promise<void> {
  if (claim.attempts > MAX_ATTEMPTS) return failFiling(ctx, claim, LOST);
  try {
    await fileForm(ctx, claim.submissionId);
  } catch (error) {
    if (isDatabaseUnreachable(error)) throw error;
    if (error instanceof Busy) return void (await releaseFiling(ctx.db, claim, error.retryAfter));
    const failure = failureOf(error);
    await failFiling(ctx, claim, failure);
    if (!failure.isFinal) throw error;
  }
}

/** Creates the document of a submission. Idempotent. */
export async function fileForm(ctx: FilingServices, submissionId: string): Promise<void> {
  const filled = await readFilledForm(ctx.db, submissionId);
  if (filled) await fileFilledForm(ctx, filled, () => drawPdf(ctx, filled));
}

async function drawPdf({ storage }: FilingServices, { file, ...sheet }: FilledForm): Promise<FormPdf> {
  const { organizationId } = sheet;
  if (!file) return formPdf(sheet, organizationId);
  const basePdf = await storedSource(storage.store, file.blobId, file.size).read(0, file.size - 1);
  return formPdf({ ...sheet, basePdf }, organizationId);
}

const LOST: FilingFailure = {
  code: 'INTERNAL',
  text: 'Every attempt ended before it could say why; the server may have run out of memory.',
  isFinal: true,
};

function failureOf(error: unknown): FilingFailure {
  if (error instanceof DomainError && ['BAD_USER_INPUT', 'NOT_FOUND'].includes(error.code))
    return { code: 'INVALID_ANSWER', text: error.message, isFinal: true };
  if (isDataException(error))
    return { code: 'INVALID_ANSWER', text: 'An answer cannot be stored.', isFinal: true };
  if (error instanceof ChildFailed)
    return {
      code: 'PDF_NOT_DRAWN',
      text: `The PDF could not be drawn. ${error.message}`,
      // Time and memory are those of the work itself, which the next attempt takes as well.
      isFinal: error.reason !== 'died',
    };
  if (error instanceof StoreError)
    return { code: 'STORE_UNAVAILABLE', text: 'The file store failed.', isFinal: false };
  return { code: 'INTERNAL', text: UNEXPECTED, isFinal: false };
}

/** What PostgreSQL, Prisma's adapter (`cause`) and Prisma (`meta`) may carry. */
interface ErrorDetails {
  code?: unknown;
  cause?: { originalCode?: unknown };
  meta?: { driverAdapterError?: unknown };
}

/** SQLSTATE class 22: the value itself is refused, and will be again. */
function isDataException(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, cause, meta } = error as ErrorDetails;
  return (
    [code, cause?.originalCode].some((each) => /^22...$/.test(String(each))) ||
    isDataException(meta?.driverAdapterError)
  );
}
