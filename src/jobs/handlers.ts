import type { Work } from '../db/work.ts';
import { noteNextOverdueApproval } from '../domain/approvals/approval-overdue.ts';
import { notifyNext } from '../domain/notifications/notify.ts';
import { copyNextBatch } from '../domain/projects/copy-job.ts';
import { stampNext } from '../domain/sealing/document-stamp.ts';
import { sealNext } from '../domain/sealing/sealing.ts';
import { expireNextSession } from '../domain/signatures/signature-expiry.ts';
import { remindNextSigner } from '../domain/signatures/signature-reminder.ts';
import { remindNext } from '../domain/tasks/task-reminder.ts';
import { anchorNext } from './anchor.ts';
import { runNextBulkLines } from './bulk.ts';
import type { JobContext } from './context.ts';
import { exportNext } from './export.ts';
import { fileNextForm } from './file-form.ts';
import { sendNextMail } from './mail.ts';
import { countNextPages } from './pages.ts';
import { renderNext } from './rendition.ts';
import { sweepNext } from './sweep.ts';
import { readNextText, recognizeNextText } from './text.ts';

/**
 * Handlers of the work that workers take item by item, round-robin over the organizations; false when nothing is due. Claims
 * expire, so that unfinished or failed work is claimed again. Webhooks have a sender of their own.
 */
export const handlers: { [Name in Exclude<Work, 'webhook'>]: (ctx: JobContext) => Promise<boolean> } = {
  text: readNextText,
  recognize: recognizeNextText,
  sweep: sweepNext,
  anchor: anchorNext,
  pages: countNextPages,
  render: renderNext,
  seal: ({ db, storage, timeStamper, log }) =>
    sealNext({
      db,
      storage,
      timeStamper,
      report: (error) => log.warn({ error }, 'seal without a time-stamp'),
    }),
  stamp: ({ db, storage, timeStamper, timeStampRoots, log }) =>
    stampNext({
      db,
      storage,
      timeStamper,
      roots: timeStampRoots,
      report: (error) => log.warn({ error }, 'nothing was added to a sealed file'),
    }),
  fileForm: fileNextForm,
  copyProject: copyNextBatch,
  bulk: runNextBulkLines,
  export: exportNext,
  mail: sendNextMail,
  notify: ({ db }) => notifyNext(db),
  remind: async ({ db, limits }) =>
    (await remindNext(db)) ||
    (await noteNextOverdueApproval(db)) ||
    (await expireNextSession(db)) ||
    remindNextSigner(db, limits),
};
