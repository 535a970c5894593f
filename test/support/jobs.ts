import pino from 'pino';
import { viewerOfCredential } from '../../src/auth/viewer-of-credential.ts';
import type { Database } from '../../src/db/database.ts';
import type { Recognition } from '../../src/files/content/text/ocr-pages.ts';
import { requireBulkMutation, runBulkLine } from '../../src/graph/http/bulk-line.ts';
import { selectOfEvent } from '../../src/graph/http/execute.ts';
import { sendDue } from '../../src/jobs/webhook-sender.ts';
import { doNext, WORK } from '../../src/jobs/work.ts';
import { testDatabase } from './database.ts';
import { testStorage } from './storage.ts';
import { config } from './world.ts';

export async function jobContext(on?: Database) {
  const db = on ?? (await testDatabase());
  const webhooks = { select: selectOfEvent, allowPrivate: true };
  return {
    db,
    storage: await testStorage(db),
    limits: config.limits,
    log: pino({ level: 'silent' }),
    sweepEvery: config.sweepEvery,
    webhooks,
    bulk: { viewerOf: viewerOfCredential, requireMutation: requireBulkMutation, runLine: runBulkLine },
    mail: { target: 'OUTBOX' as const, sender: { name: 'Docgraph', address: 'docs@docgraph.test' } },
  };
}

/**
 * Does all work that is due, as the server would in the background, without recognising what is written in pictures
 * unless asked to. Throws what a handler throws.
 */
export async function runJobs(recognition?: Recognition, on?: Database): Promise<void> {
  const ctx = { ...(await jobContext(on)), recognition };
  for (const work of WORK) while (await doNext(ctx, work));
  await sendDue(ctx);
}

/** Leaves nothing to do of what other tests of this worker left: each file that runs jobs begins with it. */
export async function dropJobs(): Promise<void> {
  const { prisma } = await testDatabase();
  await prisma.recurringWork.updateMany({ data: { begunAt: new Date() } });
  await prisma.$executeRaw`DELETE FROM failed_work`;
  await prisma.$executeRaw`UPDATE notification_cursors c SET sequence = h.sequence FROM event_heads h
    WHERE h.organization_id = c.organization_id`;
  await prisma.webhook.updateMany({ where: { state: 'ACTIVE' }, data: { state: 'DISABLED' } });
  await prisma.signatureSession.updateMany({ where: { sealing: 'PENDING' }, data: { sealingNextAt: null } });
  await prisma.signatureSession.updateMany({
    where: { stampNextAt: { not: null } },
    data: { stampNextAt: null },
  });
  await prisma.formSubmission.updateMany({ data: { filingNextAt: null } });
  await prisma.task.updateMany({ where: { nextReminderAt: { not: null } }, data: { nextReminderAt: null } });
  await prisma.approval.updateMany({
    where: { overdueNextAt: { not: null } },
    data: { overdueNextAt: null },
  });
  await prisma.signatureRecipient.updateMany({
    where: { nextReminderAt: { not: null } },
    data: { nextReminderAt: null },
  });
  await prisma.projectCopy.updateMany({ data: { nextAt: null } });
  await prisma.bulkOperation.updateMany({
    where: { nextAt: { not: null } },
    data: { state: 'CANCELLED', nextAt: null },
  });
  await prisma.organizationExport.deleteMany({ where: { nextAt: { not: null } } });
  await prisma.mail.updateMany({
    where: { nextAt: { not: null } },
    data: { state: 'CANCELLED', nextAt: null },
  });
  // The tests of a worker send to the same addresses, more than the limits of an hour allow.
  await prisma.mail.updateMany({ where: { admittedAt: { not: null } }, data: { admittedAt: null } });
  await prisma.rendition.deleteMany({ where: { state: 'PENDING' } });
  await prisma.blob.updateMany({ where: { textStatus: 'PENDING' }, data: { textStatus: 'NONE' } });
  await prisma.blob.updateMany({ where: { pageStatus: 'PENDING' }, data: { pageStatus: 'BROKEN' } });
}
