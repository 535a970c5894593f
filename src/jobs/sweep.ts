import { deleteOldBulkOperations } from '../domain/bulk/bulk-end.ts';
import { disposeOfDocuments } from '../domain/disposition/dispose.ts';
import { deleteOldFailures } from '../domain/due-work/failed-work.ts';
import { claimRecurring, postponeRecurring } from '../domain/due-work/recurring-work.ts';
import { completeStates } from '../domain/history/complete-states.ts';
import { deleteOldMails } from '../domain/mails/mail-retention.ts';
import { sweep } from '../domain/maintenance/sweep.ts';
import { deleteOldNotifications } from '../domain/notifications/notification-retention.ts';
import { finishErasures } from '../domain/personal-data/erase-person.ts';
import { purgeProjects } from '../domain/projects/project-purge.ts';
import { deleteUnusedReceivers } from '../domain/webhooks/webhook-receiver.ts';
import { deleteOldDeliveries } from '../domain/webhooks/webhook-run.ts';
import { runAll } from '../lib/run-all.ts';
import { MINUTE } from '../lib/time.ts';
import type { JobContext } from './context.ts';

/** Milliseconds from a sweep that failed to the next one. */
const RETRY_DELAY = MINUTE;

/** Deletes what is kept no longer, and records what states lack, once in `sweepEvery` ms in one of all processes; false if that is not due. */
export async function sweepNext(ctx: JobContext): Promise<boolean> {
  const { db, sweepEvery } = ctx;
  if (!(await claimRecurring(db, 'sweep', sweepEvery))) return false;
  try {
    await sweepAll(ctx);
  } catch (error) {
    await postponeRecurring(db, 'sweep', { every: sweepEvery, delay: RETRY_DELAY });
    throw error;
  }
  return true;
}

async function sweepAll({ db, storage, limits, log }: JobContext): Promise<void> {
  const counts = await runAll({
    projects: () => purgeProjects(db, limits.recycleBin),
    disposals: () => disposeOfDocuments({ db, storage }),
    bulkOperations: () => deleteOldBulkOperations(db),
    deliveries: () => deleteOldDeliveries(db),
    receivers: () => deleteUnusedReceivers(db),
    mails: () => deleteOldMails(db),
    notifications: () => deleteOldNotifications(db),
    failures: () => deleteOldFailures(db),
    histories: () => completeStates(db),
    erasures: () => finishErasures({ db, storage, limits }),
    others: () => sweep(db, storage.store),
  });
  log.debug(counts, 'swept');
}
