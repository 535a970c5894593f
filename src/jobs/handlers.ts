import type { QueueName, Queues, RowWork } from '../db/jobs.ts';
import { sweep } from '../domain/maintenance/sweep.ts';
import { purgeProjects } from '../domain/projects/project-purge.ts';
import { sealNext } from '../domain/sealing/sealing.ts';
import { forgetReceivers } from '../domain/webhooks/webhook-receiver.ts';
import { forgetDeliveries } from '../domain/webhooks/webhook-run.ts';
import type { JobContext } from './context.ts';
import { fileNextForm } from './file-form.ts';
import { countNextPages } from './pages.ts';
import { readNextText, recognizeNextText } from './text.ts';

/**
 * What is done for each queue. A handler may be run twice for one job, so it claims what must happen once. What it
 * expects to go wrong it writes down and enqueues again itself; what it throws is logged and tried again later.
 */
export const handlers: { [Name in QueueName]: (ctx: JobContext, data: Queues[Name]) => Promise<unknown> } = {
  text: readNextText,
  recognize: recognizeNextText,
  async sweep({ db, storage, limits, log }) {
    const projects = await purgeProjects(db, limits.recycleBin);
    const deliveries = await forgetDeliveries(db);
    await forgetReceivers(db);
    log.debug({ projects, deliveries, ...(await sweep(db, storage.store)) }, 'swept');
  },
};

/**
 * Does the next of what is due by its rows, of the organizations in turn; false when nothing is. A claim ends by itself,
 * so what is not done, or fails, comes again.
 */
export const rowHandlers: { [Name in Exclude<RowWork, 'webhook'>]: (ctx: JobContext) => Promise<boolean> } = {
  pages: countNextPages,
  seal: ({ db, storage }) => sealNext(db, storage),
  fileForm: fileNextForm,
};
