import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import type { QueueName, Queues } from '../db/jobs.ts';
import type { Limits, Storage } from '../domain/context.ts';
import { purgeProjects } from '../domain/project-purge.ts';
import { sealSession } from '../domain/sealing.ts';
import { askForOverdue } from '../domain/sealing-overdue.ts';
import { sweep } from '../domain/sweep.ts';
import { fileForm } from './file-form.ts';

/** What every handler is given. */
export interface JobContext {
  readonly db: Database;
  readonly storage: Storage;
  readonly limits: Limits;
  readonly log: Logger;
}

/**
 * What is done for each queue. A handler may be run twice for one job, so it claims what must happen once. What it
 * expects to go wrong it writes down and enqueues again itself; what it throws is logged and tried again later.
 */
export const handlers: { [Name in QueueName]: (ctx: JobContext, data: Queues[Name]) => Promise<unknown> } = {
  async sweep({ db, storage, limits, log }) {
    const projects = await purgeProjects(db, limits.recycleBin);
    const seals = await askForOverdue(db);
    log.debug({ projects, seals, ...(await sweep(db, storage.store)) }, 'swept');
  },
  seal: ({ db, storage }, { sessionId }) => sealSession(db, storage, sessionId),
  fileForm: (ctx, { submissionId }) => fileForm(ctx, submissionId),
};
