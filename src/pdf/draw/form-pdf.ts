import { ChildPool, nullIfCostly } from '../../files/child/child-pool.ts';
import { FairSlots } from '../../lib/fair-slots.ts';
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

const pool = new ChildPool<FormSheet, FormPdf | null>(
  new URL('./form-pdf-task.js', import.meta.url),
  new FairSlots({ slots: 2, patience: 5 * LIMITS.time }),
  HEAP_MIB,
);

/**
 * Draws a filled-in form as a PDF in a child process: answers with a position on the form's PDF, the others on A4 pages
 * after it; all on A4 pages if the form's PDF is broken, or takes too long or too much memory. `organizationId` is charged
 * for the process. Throws Busy and ChildFailed.
 */
export async function formPdf(sheet: FormSheet, organizationId = ''): Promise<FormPdf> {
  const { formName, projectName, organizationName, submittedBy, submittedAt, answers, basePdf } = sheet;
  const content = { formName, projectName, organizationName, submittedBy, submittedAt, answers };
  const call = { key: organizationId };
  const filledIn = basePdf && (await pool.ask({ ...content, basePdf }, LIMITS, call).catch(nullIfCostly));
  const drawn = filledIn ?? (await pool.ask(content, LIMITS, call));
  if (!drawn) throw new Error('the pages of a form were not drawn');
  return { ...drawn, bytes: new Uint8Array(drawn.bytes) };
}
