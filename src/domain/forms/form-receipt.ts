import { sql } from '../../db/sql/sql.ts';
import type { Context } from '../kernel/context.ts';
import type { FormTemplate } from './form.ts';
import type { FormSubmission } from './form-submission.ts';

/** With this, whoever submitted a form without an account sees what was stored. */
export const receiptOf = (
  { storage }: Context,
  { id, formTemplateId }: Pick<FormSubmission, 'id' | 'formTemplateId'>,
): string => storage.vault.seal(id, formTemplateId);

/** The stored answers by field of the form; empty for a receipt that we did not make for this form. */
export async function findReceivedAnswers(
  ctx: Context,
  { organizationId, id: formTemplateId }: FormTemplate,
  receipt: string,
): Promise<Map<string, string[]>> {
  const submissionId = openReceipt(ctx, receipt, formTemplateId);
  if (!submissionId) return new Map();
  const rows = await ctx.db.query<{ formFieldId: string; values: string[] }>(sql`SELECT v.form_field_id,
      array_agg(v.text ORDER BY v.position) AS values
    FROM form_submission_values v JOIN form_submissions s ON s.organization_id = v.organization_id AND s.id = v.submission_id
    WHERE s.organization_id = ${organizationId} AND s.id = ${submissionId} AND s.form_template_id = ${formTemplateId}
    GROUP BY v.form_field_id`);
  return new Map(rows.map(({ formFieldId, values }) => [formFieldId, values]));
}

/** The vault returns what is not sealed as it is, which proves nothing. */
function openReceipt({ storage }: Context, receipt: string, formTemplateId: string): string | undefined {
  if (!receipt.startsWith('sealed:')) return undefined;
  try {
    return storage.vault.open(receipt, formTemplateId);
  } catch {
    return undefined;
  }
}
