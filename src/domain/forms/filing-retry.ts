import { z } from 'zod';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { dueNow } from '../due-work/round-robin.ts';
import { recordEvents, subjectEvent } from '../kernel/audit.ts';
import { positionIn, requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { parse, requireBatchSize } from '../kernel/input.ts';
import { isInPath, projectPath } from '../kernel/project-path.ts';
import { inOrderOf } from '../projects/project.ts';
import { requireForms } from './form-change.ts';
import { type FormSubmission, findSubmissions } from './form-submission.ts';

const retry = z.strictObject({ ...projectPath, submissionIds: z.array(z.string()) });

/**
 * Files submissions now whose filing failed, or waits after a failed attempt, with attempts counted from zero; all or none.
 * Others stay as they are, so a repeated call changes nothing. Requires the role EDITOR. Throws NOT_FOUND, FORBIDDEN.
 */
export function retryFilings(ctx: Context, input: z.input<typeof retry>): Promise<FormSubmission[]> {
  const { submissionIds, ...path } = parse(retry, input);
  requireBatchSize(submissionIds, ctx.limits.batchMax, 'submissionIds');
  const ids = [...new Set(submissionIds)];
  return inTransaction(ctx.db, async (tx) => {
    const pathOf = positionIn('submissionIds', submissionIds);
    const found = (await findSubmissions(ctx, ids, tx)).filter((each) => isInPath(each, path));
    requireFound('Form submission', ids, found, pathOf);
    const formIds = [...new Set(found.map(({ formTemplateId }) => formTemplateId))];
    const forms = await requireForms(ctx, tx, formIds, path, 'changeForms', (formId) =>
      pathOf(found.find(({ formTemplateId }) => formTemplateId === formId)?.id ?? ''),
    );
    const retried = await tx.query<{ id: string; formTemplateId: string }>(sql`UPDATE form_submissions
      SET filing_attempts = 0, filing_next_at = ${dueNow}, filing_failed_at = NULL, filing_error_code = NULL, filing_error = NULL
      WHERE id ${sql.any(ids)} AND document_id IS NULL AND filing_error_code IS NOT NULL RETURNING id, form_template_id`);
    if (retried.length > 0) tx.wake('fileForm');
    await recordEvents(
      ctx,
      tx,
      forms.flatMap((form) => {
        const own = retried.filter(({ formTemplateId }) => formTemplateId === form.id).map(({ id }) => id);
        return own.length > 0 ? [subjectEvent(form, 'form.filingRetried', { submissionIds: own })] : [];
      }),
    );
    return inOrderOf(
      await findSubmissions(ctx, ids, tx),
      ids.map((id) => ({ id })),
    );
  });
}
