import { ChildPool, nullIfCostly } from '../../files/child/child-pool.ts';
import { FairSlots } from '../../lib/fair-slots.ts';
import type { AnswerPlace } from './drawn-field.ts';

/** What stands on the sheets of a filled-in form; `own` is the PDF that it is filled in on, if it has one. */
export interface FormSheet {
  formName: string;
  projectName: string;
  organizationName: string;
  submittedBy: string | null;
  submittedAt: Date;
  answers: readonly { label: string; values: readonly string[]; place?: AnswerPlace }[];
  own?: Uint8Array;
}

export interface FormPdf {
  bytes: Uint8Array<ArrayBuffer>;
  pageCount: number;
}

/** A form can hold a novel, whose lines have to be measured. */
const LIMITS = { time: 60_000, memory: 768 * 2 ** 20 };
const HEAP_MIB = 512;

const pool = new ChildPool<FormSheet, FormPdf | null>(
  new URL('./form-pdf-task.js', import.meta.url),
  new FairSlots({ slots: 2, patience: 5 * LIMITS.time }),
  HEAP_MIB,
);

/**
 * A filled-in form as a PDF, drawn in a child process: its own PDF with the answers in their places, and sheets of A4
 * with the answers that have none; all of them where its own PDF is broken, or takes too long or too much memory.
 * `organizationId` is whose share of the processes it takes. Throws Busy and ChildFailed.
 */
export async function formPdf(sheet: FormSheet, organizationId = ''): Promise<FormPdf> {
  const { formName, projectName, organizationName, submittedBy, submittedAt, answers, own } = sheet;
  const listed = { formName, projectName, organizationName, submittedBy, submittedAt, answers };
  const call = { key: organizationId };
  const filledIn = own && (await pool.ask({ ...listed, own }, LIMITS, call).catch(nullIfCostly));
  const drawn = filledIn ?? (await pool.ask(listed, LIMITS, call));
  if (!drawn) throw new Error('the sheets of a form were not drawn');
  return { ...drawn, bytes: new Uint8Array(drawn.bytes) };
}
