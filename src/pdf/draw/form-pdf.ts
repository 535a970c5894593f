import { ChildPool, nullIfCostly } from '../../files/child/child-pool.ts';
import type { PageBox } from '../../files/content/pdf/comparison.ts';
import { bytesSource } from '../../files/store/byte-source.ts';
import { FairSlots } from '../../lib/fair-slots.ts';
import { NotSealable } from '../copy/not-sealable.ts';
import { requireSamePages } from '../copy/same-pages.ts';
import { makeSigningCopy } from '../copy/signing-copy.ts';
import type { AnswerPosition } from './drawn-field.ts';

/** The content of a filled-in form; `basePdf` is the form's own PDF on which answers are drawn, if it has one. */
export interface FormSheet {
  formName: string;
  projectName: string;
  organizationName: string;
  submittedBy: string | null;
  submittedAt: Date;
  answers: readonly { label: string; values: readonly string[]; position?: AnswerPosition }[];
  basePdf?: Uint8Array;
}

export interface FormPdf {
  bytes: Uint8Array<ArrayBuffer>;
  pageCount: number;
}

/** Milliseconds and bytes; answers can be long texts, whose lines are measured. */
const LIMITS = { time: 60_000, memory: 768 * 2 ** 20 };
const HEAP_MIB = 512;

/** With the boxes of the answers, by page of the form's own PDF. */
type DrawnForm = FormPdf & { boxes: PageBox[][] };

const pool = new ChildPool<FormSheet, DrawnForm | null>(
  new URL('./form-pdf-task.js', import.meta.url),
  new FairSlots({ slots: 2, patience: 5 * LIMITS.time }),
  HEAP_MIB,
);

/**
 * Draws a filled-in form as a PDF in a child process: answers with a position on the form's PDF, the others on A4 pages
 * after it; all on A4 pages if the form's PDF cannot be signed either (pdf/copy/signing-copy.ts), or takes too long or too
 * much memory. `organizationId` is charged for the process. Throws Busy and ChildFailed.
 */
export async function formPdf(sheet: FormSheet, organizationId = ''): Promise<FormPdf> {
  const { formName, projectName, organizationName, submittedBy, submittedAt, answers, basePdf } = sheet;
  const content = { formName, projectName, organizationName, submittedBy, submittedAt, answers };
  const filledIn = basePdf && (await fillIn({ ...content, basePdf }, organizationId));
  const drawn = filledIn ?? (await pool.ask(content, LIMITS, { key: organizationId }));
  if (!drawn) throw new Error('the pages of a form were not drawn');
  return { bytes: new Uint8Array(drawn.bytes), pageCount: drawn.pageCount };
}

/** The answers on a copy of the form's PDF, whose pages are compared; null if that cannot be done. */
async function fillIn(
  sheet: FormSheet & { basePdf: Uint8Array },
  organizationId: string,
): Promise<DrawnForm | null> {
  try {
    const { bytes: content } = await makeSigningCopy(bytesSource(sheet.basePdf, organizationId));
    const call = { key: organizationId };
    const drawn = await pool.ask({ ...sheet, basePdf: content }, LIMITS, call).catch(nullIfCostly);
    if (drawn) await requireSamePages({ content, organizationId }, drawn);
    return drawn;
  } catch (error) {
    if (error instanceof NotSealable) return null;
    throw error;
  }
}
