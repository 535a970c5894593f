import type { QueueName, Queues, RowWork } from '../db/jobs.ts';
import { noteNextOverdueApproval } from '../domain/approvals/approval-overdue.ts';
import { deleteOldFailures } from '../domain/due-work/failed-work.ts';
import { deleteOldMails } from '../domain/mails/mail-retention.ts';
import { sweep } from '../domain/maintenance/sweep.ts';
import { deleteOldNotifications } from '../domain/notifications/notification-retention.ts';
import { notifyNext } from '../domain/notifications/notify.ts';
import { copyNextBatch } from '../domain/projects/copy-job.ts';
import { purgeProjects } from '../domain/projects/project-purge.ts';
import { sealNext } from '../domain/sealing/sealing.ts';
import { expireNextSession } from '../domain/signatures/signature-expiry.ts';
import { remindNextSigner } from '../domain/signatures/signature-reminder.ts';
import { remindNext } from '../domain/tasks/task-reminder.ts';
import { deleteUnusedReceivers } from '../domain/webhooks/webhook-receiver.ts';
import { deleteOldDeliveries } from '../domain/webhooks/webhook-run.ts';
import { runAll } from '../lib/run-all.ts';
import type { JobContext } from './context.ts';
import { fileNextForm } from './file-form.ts';
import { sendNextMail } from './mail.ts';
import { countNextPages } from './pages.ts';
import { readNextText, recognizeNextText } from './text.ts';

/**
 * The handler of each queue. It may run twice for one job, so it claims what must happen once. It stores expected
 * failures and enqueues their retries itself; errors that it throws are logged and retried later.
 */
export const handlers: { [Name in QueueName]: (ctx: JobContext, data: Queues[Name]) => Promise<unknown> } = {
  text: readNextText,
  recognize: recognizeNextText,
  async sweep({ db, storage, limits, log }) {
    const counts = await runAll({
      projects: () => purgeProjects(db, limits.recycleBin),
      deliveries: () => deleteOldDeliveries(db),
      receivers: () => deleteUnusedReceivers(db),
      mails: () => deleteOldMails(db),
      notifications: () => deleteOldNotifications(db),
      failures: () => deleteOldFailures(db),
      others: () => sweep(db, storage.store),
    });
    log.debug(counts, 'swept');
  },
};

/**
 * Handlers of work that is stored as due rows, round-robin over the organizations; false when nothing is due. Claims
 * expire, so that unfinished or failed work is claimed again.
 */
export const rowHandlers: { [Name in Exclude<RowWork, 'webhook'>]: (ctx: JobContext) => Promise<boolean> } = {
  pages: countNextPages,
  seal: ({ db, storage }) => sealNext(db, storage),
  fileForm: fileNextForm,
  copyProject: copyNextBatch,
  mail: sendNextMail,
  notify: ({ db }) => notifyNext(db),
  remind: async ({ db, limits }) =>
    (await remindNext(db)) ||
    (await noteNextOverdueApproval(db)) ||
    (await expireNextSession(db)) ||
    remindNextSigner(db, limits),
};
