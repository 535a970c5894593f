import type { Database } from '../db/database.ts';
import type { Limits, Storage } from '../domain/context.ts';
import { filledForm, keepFilledForm } from '../domain/filled-form.ts';
import { formPdf } from '../storage/form-pdf.ts';

/** Makes the document of a submission: once, however often it is asked to. */
export async function fileForm(
  ctx: { db: Database; storage: Storage; limits: Limits },
  submissionId: string,
): Promise<void> {
  const filled = await filledForm(ctx.db, submissionId);
  if (filled) await keepFilledForm(ctx, filled, await formPdf(filled));
}
