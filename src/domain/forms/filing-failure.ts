import { nowPlus } from '../../db/clock.ts';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { FormSubmission } from '../../generated/prisma/client.ts';
import { shorten } from '../../lib/text/shorten.js';
import { SECOND } from '../../lib/time.ts';
import { recordEvents, subjectEvent } from '../kernel/audit.ts';
import type { FilingClaim } from './filing-claim.ts';
import { queueUnfiledMails } from './filing-mail.ts';
import { dropStoredPdf } from './filing-pdf.ts';
import { FILING_ACTOR, type FilingFailure, type FilingServices, MAX_ATTEMPTS } from './filing-state.ts';

/** Milliseconds to the second attempt; doubled after each failure. */
const FIRST_BACK_OFF = 5 * SECOND;

type Failed = Pick<FormSubmission, 'organizationId' | 'projectId' | 'formTemplateId'>;

/**
 * Stores why an attempt failed and when the next one is, unless another attempt has taken over. After the last attempt, or
 * a final failure, the submission has FAILED: what was drawn is removed, and who owns the form gets a mail.
 */
export async function failFiling(
  services: FilingServices,
  { submissionId, attempts }: FilingClaim,
  { code, text, isFinal }: FilingFailure,
): Promise<void> {
  const ends = isFinal || attempts >= MAX_ATTEMPTS;
  const after = ends ? null : nowPlus(FIRST_BACK_OFF * 2 ** (attempts - 1));
  const error = shorten(text, 1_000);
  const hasEnded = await inTransaction(services.db, async (tx) => {
    const [failed] =
      await tx.query<Failed>(sql`UPDATE form_submissions SET filing_error_code = ${code}::filing_error,
        filing_error = ${error}, filing_next_at = ${after}, filing_failed_at = ${ends ? sql`now()` : null}
      WHERE id = ${submissionId} AND filing_attempts = ${attempts} AND document_id IS NULL
      RETURNING organization_id, project_id, form_template_id`);
    if (failed && ends) await reportFailure(tx, failed, { submissionId, attempts, code, error });
    return failed !== undefined && ends;
  });
  if (hasEnded) await dropStoredPdf(services, submissionId);
}

async function reportFailure(
  tx: Transaction,
  { formTemplateId, ...path }: Failed,
  data: { submissionId: string; attempts: number; code: string; error: string },
): Promise<void> {
  await queueUnfiledMails(tx, { ...path, formTemplateId });
  await recordEvents(FILING_ACTOR, tx, [
    subjectEvent({ ...path, id: formTemplateId }, 'form.filingFailed', data),
  ]);
}
