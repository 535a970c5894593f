import type { Database } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import type { FilingErrorCode, FormSubmission } from '../../generated/prisma/client.ts';
import { type Actor, serverActor } from '../kernel/audit.ts';
import type { Limits, Storage } from '../kernel/context.ts';

/** PENDING: its document is created in the background. FAILED: not until someone asks for it. */
export type FilingState = 'PENDING' | 'FILED' | 'FAILED';

/** The filing state of a submission. */
export const filingState = ({
  documentId,
  filingFailedAt,
}: Pick<FormSubmission, 'documentId' | 'filingFailedAt'>): FilingState =>
  documentId ? 'FILED' : filingFailedAt ? 'FAILED' : 'PENDING';

/** On submissions: the same. */
export const isInFilingState = (s: Rows<'form_submissions'>, state: FilingState): Sql =>
  ({
    FILED: sql`${s}.document_id IS NOT NULL`,
    FAILED: sql`(${s}.document_id IS NULL AND ${s}.filing_failed_at IS NOT NULL)`,
    PENDING: sql`(${s}.document_id IS NULL AND ${s}.filing_failed_at IS NULL)`,
  })[state];

/** Attempts to file a submission, about a day in total. */
export const MAX_ATTEMPTS = 15;

/** The actor of filing events: the server. */
export const FILING_ACTOR: Actor = serverActor('filing');

/** Why an attempt failed, for who manages the form. `isFinal`: no repetition can mend it. */
export interface FilingFailure {
  code: FilingErrorCode;
  text: string;
  isFinal: boolean;
}

/** What filing a submission takes. */
export interface FilingServices {
  db: Database;
  storage: Storage;
  limits: Limits;
}
