import type { QueueName, Queues } from '../db/jobs.ts';
import { purgeProjects } from '../domain/project-purge.ts';
import { sealSession } from '../domain/sealing.ts';
import { askForOverdue } from '../domain/sealing-overdue.ts';
import { sweep } from '../domain/sweep.ts';
import { forgetDeliveries } from '../domain/webhook-run.ts';
import type { JobContext } from './context.ts';
import { fileForm } from './file-form.ts';
import { readNextText, recognizeNextText } from './text.ts';
import { sendForWebhook, wakeWebhooks } from './webhook.ts';

/**
 * What is done for each queue. A handler may be run twice for one job, so it claims what must happen once. What it
 * expects to go wrong it writes down and enqueues again itself; what it throws is logged and tried again later.
 */
export const handlers: { [Name in QueueName]: (ctx: JobContext, data: Queues[Name]) => Promise<unknown> } = {
  text: readNextText,
  recognize: recognizeNextText,
  async sweep({ db, storage, limits, log }) {
    const projects = await purgeProjects(db, limits.recycleBin);
    const seals = await askForOverdue(db);
    const deliveries = await forgetDeliveries(db);
    log.debug({ projects, seals, deliveries, ...(await sweep(db, storage.store)) }, 'swept');
  },
  seal: ({ db, storage }, { sessionId }) => sealSession(db, storage, sessionId),
  fileForm: (ctx, { submissionId }) => fileForm(ctx, submissionId),
  webhooks: (ctx) => wakeWebhooks(ctx),
  webhook: (ctx, { webhookId }) => sendForWebhook(ctx, webhookId),
};
