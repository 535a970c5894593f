import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
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
const TIME_LIMIT = 60_000;

/**
 * A filled-in form as a PDF: its own with the answers in their places, and sheets of A4 with the answers that have none.
 * Drawn in a thread of its own, which is ended after a minute. Rejects when that was too short, or the thread fails, as
 * it does for an own PDF that it cannot read.
 */
export async function formPdf(sheet: FormSheet): Promise<FormPdf> {
  const { formName, projectName, organizationName, submittedBy, submittedAt, answers, own } = sheet;
  const worker = new Worker(new URL('./form-pdf-worker.js', import.meta.url), {
    workerData: { formName, projectName, organizationName, submittedBy, submittedAt, answers, own },
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  try {
    const [made] = await once(worker, 'message', { signal: AbortSignal.timeout(TIME_LIMIT) });
    return made as FormPdf;
  } finally {
    await worker.terminate();
  }
}
