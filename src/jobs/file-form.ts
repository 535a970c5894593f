import type { Database } from '../db/database.ts';
import { claimFiling, endFiling, postponeFiling } from '../domain/forms/filing-claim.ts';
import { type FilledForm, fileFilledForm, readFilledForm } from '../domain/forms/filled-form.ts';
import type { Limits, Storage } from '../domain/kernel/context.ts';
import { storedSource } from '../files/store/store.ts';
import { type FormPdf, formPdf } from '../pdf/draw/form-pdf.ts';

interface Server {
  db: Database;
  storage: Storage;
  limits: Limits;
}

/** Creates the document of the submission that is due next. False when none is due; throws unexpected errors. */
export async function fileNextForm(ctx: Server): Promise<boolean> {
  const claim = await claimFiling(ctx.db);
  if (!claim) return false;
  try {
    await fileForm(ctx, claim.submissionId);
  } catch (error) {
    await postponeFiling(ctx.db, claim);
    throw error;
  }
  await endFiling(ctx.db, claim);
  return true;
}

/** Creates the document of a submission. Idempotent. */
export async function fileForm(ctx: Server, submissionId: string): Promise<void> {
  const filled = await readFilledForm(ctx.db, submissionId);
  if (filled) await fileFilledForm(ctx, filled, await drawPdf(ctx, filled));
}

async function drawPdf({ storage }: Server, { file, ...sheet }: FilledForm): Promise<FormPdf> {
  const { organizationId } = sheet;
  if (!file) return formPdf(sheet, organizationId);
  const basePdf = await storedSource(storage.store, file.blobId, file.size).read(0, file.size - 1);
  return formPdf({ ...sheet, basePdf }, organizationId);
}
